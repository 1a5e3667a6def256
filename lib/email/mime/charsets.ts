import { LINE_FEED, type Pace, restoreWindows1252, SPACE } from '../../basics';
import { decodeBody, type TransferEncoding } from './transferEncoding';

type Decode = (bytes: Buffer) => string;

/** For each charset, the characters of bytes 128 to 255 or of all bytes, or the name of another charset. */
type Tables = Record<string, string | { chars: string }>;

// Decoding this much takes a few milliseconds.
const BYTES_BETWEEN_PAUSES = 64 * 1024;

/** The charsets that Node decodes, each with its normalized names in emails. */
const NODE_CHARSETS = `utf-8: utf8 unicode11utf8 unicode20utf8 cp65001 | utf-16le: utf16 utf16le ucs2 unicode iso10646ucs2 |
	utf-16be: utf16be unicodefffe | windows-1252: latin1 l1 cp819 ibm819 isolatin1 |
	iso-8859-2: latin2 l2 isolatin2 | iso-8859-15: latin9 l9 | ibm866: cp866 ibm866 866 | koi8-r: koi8r koi8 |
	koi8-u: koi8u koi8ru | macintosh: macintosh mac macroman | x-mac-cyrillic: maccyrillic |
	gbk: gbk gb2312 gb231280 cp936 ms936 windows936 936 euccn chinese | gb18030: gb18030 |
	big5: big5 big5hkscs cp950 ms950 windows950 950 | euc-jp: eucjp cp51932 |
	shift_jis: shiftjis sjis cp932 ms932 windows932 windows31j mskanji 932 |
	iso-2022-jp: iso2022jp iso2022jp1 iso2022jp2 iso2022jp3 iso2022jpms cp50220 cp50221 cp50222 junet |
	euc-kr: euckr cp949 ms949 windows949 949 uhc korean ksc5601 ksc56011987 | windows-874: tis620 iso885911`;

const NODE_NAMES: ReadonlyMap<string, string> = new Map(
	NODE_CHARSETS.split('|').flatMap((line) => {
		const [name = '', others = ''] = line.split(':');
		return others
			.trim()
			.split(/\s+/)
			.map((other) => [other, name.trim()] as const);
	}),
);

const ISO_8859 = /^iso8859([1-9]|1[0345])[ei]?$/;
const WINDOWS = /^(?:windows|win|cp|ms)?(125[0-8]|874)$/;

const NAMES_OF_ASCII: ReadonlySet<string> = new Set([
	'ascii',
	'usascii',
	'ansix341968',
	'iso646us',
]);

/** These charsets encode ASCII characters differently from ASCII. */
const NO_SUPERSET_OF_ASCII = /^(?:utf16|ucs|unicode|iso2022|cp5022)/;

/** In these charsets, any byte can be part of a character. */
const WIDE = /^(?:utf16|ucs|unicode$|unicodefffe)/;

const decoders = new Map<string, Decode>();

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

let tables: Tables | undefined;

/** Charset names in a header: of encoded words, encoded parameters (RFC 2231) and bodies. */
const NAMED_IN_HEADER =
	/=\?([\w.:+-]{2,40})[?*]|\*(?:0\*)?=\s*"?([\w.:+-]{2,40})'|charset\s*=[\s"']*([\w.:+-]{2,40})/gi;

export async function loadCharsetsOf(header: string): Promise<void> {
	if (tables !== undefined) return;
	for (const [, word, parameter, body] of header.matchAll(NAMED_IN_HEADER)) {
		const name = plainName(word ?? parameter ?? body);
		if (NAMES_OF_ASCII.has(name) || decoderFor(name) !== undefined) continue;
		const [generated, written] = await Promise.all([
			import('iconv-lite/encodings/sbcs-data-generated.js'),
			import('iconv-lite/encodings/sbcs-data.js'),
		]);
		tables = { ...generated.default, ...written.default };
		return;
	}
}

/**
 * Decodes text. Without a charset, or with ASCII or an unknown one, valid UTF-8 is decoded as UTF-8 and other text as
 * Windows-1252, as in mail programs.
 *
 * @param charset such as `iso-8859-1`, in any case
 */
export function decodeCharset(bytes: Buffer, charset: string | undefined): string {
	return restoreWindows1252(decoderOf(bytes, charset)(bytes));
}

export async function decodeLongText(
	bytes: Buffer,
	charset: string | undefined,
	pace: Pace,
): Promise<string> {
	const decode = decoderOf(bytes, charset);
	const isQuick = decode === decodeUtf8 || WIDE.test(plainName(charset));
	const pieces: string[] = [];
	for (let start = 0, end = 0; start < bytes.length; start = end) {
		end = isQuick ? bytes.length : endOfPiece(bytes, start, start + BYTES_BETWEEN_PAUSES);
		if (pace.isDue((end - start) / BYTES_BETWEEN_PAUSES)) await pace.pause();
		pieces.push(restoreWindows1252(decode(bytes.subarray(start, end))));
	}
	return pieces.join('');
}

/** Whether text without transfer encoding is readable as it is, because the charset contains ASCII. */
export function isReadable(charset: string | undefined): boolean {
	return !NO_SUPERSET_OF_ASCII.test(plainName(charset));
}

const PRINTABLE_ASCII = Buffer.from(Array.from({ length: 95 }, (_, index) => index + SPACE));

/** Charsets that are not decoded, but whose names say that ASCII characters mean something else in them. */
const OTHER_THAN_ASCII = /^(?:unicode11)?utf(?:7|16|32)|^ucs/;

/**
 * Whether ASCII characters mean themselves in a charset. ISO-2022-JP counts, because only its escapes change them; so does an
 * unknown name, because its text is decoded as UTF-8 or Windows-1252. The charset must be loaded.
 */
export function containsAscii(charset: string | undefined): boolean {
	const name = plainName(charset);
	if (OTHER_THAN_ASCII.test(name)) return false;
	return decoderOf(PRINTABLE_ASCII, charset)(PRINTABLE_ASCII) === PRINTABLE_ASCII.toString();
}

/** Whether a text in another charset than UTF-8 contains non-ASCII characters that are already decoded. */
export function isMixed(text: string, charset: string | undefined): boolean {
	const name = plainName(charset);
	return decoderFor(name) !== decodeUtf8 && !WIDE.test(name) && /[\u0080-\uffff]/.test(text);
}

/** Decodes only the ASCII characters. Others were already decoded as UTF-8, whatever charset the part names. */
export function decodeMixed(
	text: string,
	encoding: TransferEncoding,
	charset: string | undefined,
): string {
	return text.replace(/[^\u0080-\uffff]+/g, (ascii) =>
		decodeCharset(decodeBody(ascii, encoding), charset),
	);
}

/** Ends after a space or line break, which are never part of another character in these charsets. */
function endOfPiece(bytes: Buffer, start: number, limit: number): number {
	if (limit >= bytes.length) return bytes.length;
	let end = limit;
	while (end > start && bytes[end - 1] !== SPACE && bytes[end - 1] !== LINE_FEED) end--;
	return end > start ? end : limit;
}

function decoderOf(bytes: Buffer, charset: string | undefined): Decode {
	const name = plainName(charset);
	const decode = NAMES_OF_ASCII.has(name) ? undefined : decoderFor(name);
	if (decode !== undefined) return decode;
	return isUtf8(bytes) ? decodeUtf8 : (decoderFor('windows1252') ?? decodeUtf8);
}

function plainName(charset = ''): string {
	return charset
		.trim()
		.toLowerCase()
		.replace(/^(?:x-ms-|x-|cs)/, '')
		.replace(/:\d{4}$|[^a-z0-9]/g, '');
}

function isUtf8(bytes: Buffer): boolean {
	try {
		strictDecoder.decode(bytes);
		return true;
	} catch {
		return false;
	}
}

function decoderFor(name: string): Decode | undefined {
	const known = decoders.get(name);
	if (known !== undefined) return known;
	const decode = nodeDecoder(name) ?? tableDecoder(name);
	if (decode !== undefined) decoders.set(name, decode);
	return decode;
}

function nodeDecoder(name: string): Decode | undefined {
	const iso = ISO_8859.exec(name)?.[1];
	const windows = WINDOWS.exec(name)?.[1];
	const label =
		NODE_NAMES.get(name) ?? (iso && `iso-8859-${iso}`) ?? (windows && `windows-${windows}`);
	if (label === undefined) return undefined;
	if (label === 'utf-8') return decodeUtf8;
	const decoder = new TextDecoder(label);
	if (label === 'iso-2022-jp') return (bytes) => decoder.decode(withoutRepeatedEscapes(bytes));
	if (name !== 'utf16' && name !== 'unicode') return (bytes) => decoder.decode(bytes);
	const bigEndian = new TextDecoder('utf-16be');
	return (bytes) => (bytes[0] === 0xfe && bytes[1] === 0xff ? bigEndian : decoder).decode(bytes);
}

const ESCAPE = '\\x1b[ -/]+[0-~]';

const REPEATED_ESCAPE = new RegExp(`${ESCAPE}(?=${ESCAPE})`, 'g');

/** Node decodes an escape sequence as U+FFFD if another follows, as between two encoded words (ISO 2022). */
function withoutRepeatedEscapes(bytes: Buffer): Buffer {
	return Buffer.from(bytes.toString('latin1').replace(REPEATED_ESCAPE, ''), 'latin1');
}

const utf8Decoder = new TextDecoder();

function decodeUtf8(bytes: Buffer): string {
	return utf8Decoder.decode(bytes);
}

function tableDecoder(name: string): Decode | undefined {
	const table = tableOf(name === 'macce' ? 'maccenteuro' : name);
	if (table === undefined) return undefined;
	const first = 256 - table.length;
	const characters = Array.from({ length: 256 }, (_, byte) =>
		byte < first ? byte : table.charCodeAt(byte - first),
	);
	return (bytes) => {
		const units = Uint16Array.from(bytes, (byte) => characters[byte] as number);
		return Buffer.from(units.buffer).toString('utf16le');
	};
}

function tableOf(name: string): string | undefined {
	const entry = tables && Object.hasOwn(tables, name) ? tables[name] : undefined;
	return typeof entry === 'string' ? tableOf(entry) : entry?.chars;
}

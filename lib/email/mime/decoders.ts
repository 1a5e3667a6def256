import type { CharsetDecoder } from './charsetTables/charsetDecoder';
import { correctedDecoder, tableDecoderFor } from './charsetTables/singleByte';
import { isTwoByte, TwoByteDecoder } from './charsetTables/twoByte';

/**
 * Charsets as the Encoding Standard calls them, each with its other names, such as the numbers of Microsoft's code pages, as far
 * as no rule makes them. Names are in letters and digits. GBK is decoded as GB 18030, as the standard says.
 */
const NAMED_CHARSETS = [
	'437',
	'850 850multilingual',
	'852',
	'big5 big5hkscs cnbig5 950',
	'euc-jp eucpkdfmtjapanese 51932',
	'euc-kr korean ksc5601 ksc56011987 ksc56011989 uhc 949 51949',
	'gb18030 gbk chinese gb2312 gb231280 58gb231280 ir58 936 54936',
	'ibm866 866',
	'iso-8859-1 819',
	'iso-8859-5 cyrillic',
	'iso-8859-6 arabic asmo708 ecma114',
	'iso-8859-7 greek greek8 ecma118 elot928 suneugreek',
	'iso-8859-8 hebrew logical visual 38598',
	'koi8-r koi koi8 20866',
	'koi8-u koi8ru 21866',
	'macintosh mac macroman 10000',
	'shift_jis kanji sjis 31j 932',
	'utf-16be unicodefffe 1201',
	'utf-16le utf16 ucs2 10646ucs2 unicode unicodefeff 1200',
	'utf-8 unicode11utf8 unicode20utf8 65001',
	'windows-874 tis620 874',
	'x-mac-cyrillic maccyrillic macukrainian',
	'x-user-defined userdefined',
];

/** Make names of the Encoding Standard. */
const RULES: ReadonlyArray<[name: RegExp, standard: string]> = [
	[/^(?:88|28)59(1?\d)[ei]?$/, 'iso-8859-$1'],
	[/^2860(\d)$/, 'iso-8859-1$1'],
	[/^l(?:atin)?(\d)$/, 'l$1'],
	[/^ir(1\d\d)$/, 'iso-ir-$1'],
	[/^125\d$/, 'windows-$&'],
	[/^2022jp.*|^5022[0-2]$/, 'iso-2022-jp'],
];

/** Say nothing in a name. */
const PREFIXES = /^(?:cp|cs|dos|ibm|iso|latin(?!\d)|ms|pc|win(?:dows)?|x)+/;

const standardNames = new Map<string, string>();
for (const names of NAMED_CHARSETS) {
	const [standard = '', ...others] = names.split(' ');
	for (const name of [nameOf(standard), ...others]) standardNames.set(name, standard);
}

/** Text in these is UTF-8 or Windows-1252, as in text without a charset. */
const ASCII_LABELS: ReadonlySet<string> = new Set(['', 'ansi_x3.4-1968', 'ascii', 'us-ascii']);

const DECODED_BY_NODE = /^(?:gb|iso-2022|utf)/;

/** By names of the Encoding Standard. What a stranger writes is looked up before: Node.js takes long to refuse a name. */
const decoders = new Map<string, CharsetDecoder | undefined>();

/** What was asked for last: each word of a header is decoded in several steps. */
let last: { charset?: string; decoder?: CharsetDecoder } = {};

const utf16BigEndian = new TextDecoder('utf-16be');

/** An escape sequence (ISO 2022). */
const ESCAPE = '\\x1b[ -/]+[0-~]';
const REPEATED_ESCAPE = new RegExp(`${ESCAPE}(?=${ESCAPE})`, 'g');

/** @returns undefined for ASCII, an unknown charset, or none */
export function decoderFor(charset: string | undefined): CharsetDecoder | undefined {
	if (charset !== last.charset) last = { charset, decoder: knownDecoder(charset) };
	return last.decoder;
}

function knownDecoder(charset: string | undefined): CharsetDecoder | undefined {
	const standard = standardNameOf(nameOf(charset));
	if (standard === undefined) return undefined;
	if (!decoders.has(standard)) decoders.set(standard, newDecoder(standard));
	return decoders.get(standard);
}

/** Whether a charset is named that cannot be decoded. */
export function isUnknown(charset: string | undefined): boolean {
	return !ASCII_LABELS.has(plainLabel(charset)) && decoderFor(charset) === undefined;
}

/** The letters and digits of a charset's name that say which one it is. */
export function nameOf(charset: string | undefined): string {
	return plainLabel(charset)
		.replace(/:.*|[^a-z\d]+/g, '')
		.replace(PREFIXES, '');
}

function standardNameOf(name: string): string | undefined {
	const listed = standardNames.get(name);
	if (listed !== undefined) return listed;
	for (const [pattern, standard] of RULES) {
		if (pattern.test(name)) return name.replace(pattern, standard);
	}
	return undefined;
}

/** A decoder of the same charset for one long text, which it gets in pieces. */
export function streamDecoder(decoder: CharsetDecoder): CharsetDecoder {
	return newDecoder(decoder.encoding) ?? decoder;
}

/** Node's decoder where that does what the Encoding Standard says. */
function newDecoder(standard: string): CharsetDecoder | undefined {
	const known = nodeDecoder(standard);
	if (known === undefined) return tableDecoderFor(standard);
	const { encoding } = known;
	if (isTwoByte(encoding)) return new TwoByteDecoder(encoding);
	return DECODED_BY_NODE.test(encoding) ? known : correctedDecoder(known);
}

function nodeDecoder(label: string): CharsetDecoder | undefined {
	try {
		return new TextDecoder(label);
	} catch {
		return undefined;
	}
}

/** The name of a charset as decoders know it; `''` for none. */
export function plainLabel(charset = ''): string {
	return charset.trim().toLowerCase();
}

/**
 * Decodes bytes. A byte order mark decides between the two kinds of UTF-16.
 *
 * @param options see {@link CharsetDecoder}
 */
export function decodeWith(
	decoder: CharsetDecoder,
	bytes: Buffer,
	options?: { stream: boolean },
): string {
	if (decoder.encoding === 'iso-2022-jp') {
		return decoder.decode(withoutRepeatedEscapes(bytes), options);
	}
	const isBigEndian = decoder.encoding === 'utf-16le' && bytes[0] === 0xfe && bytes[1] === 0xff;
	return (isBigEndian ? utf16BigEndian : decoder).decode(bytes, options);
}

/** Node decodes an escape sequence as U+FFFD if another follows, as between two encoded words (ISO 2022). */
function withoutRepeatedEscapes(bytes: Buffer): Buffer {
	return Buffer.from(bytes.toString('latin1').replace(REPEATED_ESCAPE, ''), 'latin1');
}

/** Whether any byte can be part of any character. */
export function isWide({ encoding }: CharsetDecoder): boolean {
	return encoding.startsWith('utf-16');
}

export function isUnicode(decoder: CharsetDecoder): boolean {
	return decoder.encoding === 'utf-8' || isWide(decoder);
}

import { LINE_FEED, type Pace, restoreWindows1252, SPACE } from '../../basics';
import {
	decoderFor,
	decodeWith,
	isUnicode,
	isUnknown,
	isWide,
	nameOf,
	plainLabel,
	streamDecoder,
} from './decoders';
import { decodeUtf8, lossyUtf8, toBytes } from './rawBytes';
import { decodeBody, type TransferEncoding } from './transferEncoding';

/** Decoding this much takes a few milliseconds. */
const BYTES_BETWEEN_PAUSES = 64 * 1024;

/** Charsets that are not decoded, but whose names (see `nameOf`) say that ASCII characters mean something else in them. */
const OTHER_THAN_ASCII = /utf(?:7|16|32)|ucs|^2022|^hz/;

/** Without any of them, text in those is ASCII. A NUL stands for the wide ones. */
const ESCAPES = '\0\x1b+~';

/** In UTF-8, the control characters that stand for some of Windows-1252 begin with it. */
const FIRST_BYTE_OF_CONTROLS = 0xc2;

const DEFAULT_CHARSET = 'windows-1252';

/** Characters that were decoded before, because they are not ASCII. */
const DECODED = /[\u0080-\uffff]+/g;

const ESC = '\x1b';

/** An escape that starts two-byte or half-width characters (RFC 1468). */
const JAPANESE_ESCAPE = new RegExp(`${ESC}(?:\\$[@B(]|\\([IJ])`);

const TO_ASCII = `${ESC}(B`;

/** Where browsers look for a charset in HTML (Encoding Standard; HTML, 13.2.3.2). */
const BYTES_WITH_CHARSET = 1024;

const HTML_COMMENT = /<!--.*?(?:-->|$)/gs;

const META_TAG = /<meta\s[^>]*/gi;

const CHARSET_OF_META = /charset\s*=[\s"']*([^\s"'/>;]+)/i;

/**
 * Decodes text. Without a charset, or with ASCII or an unknown one, valid UTF-8 is decoded as UTF-8 and other text as
 * Windows-1252, as in mail programs.
 *
 * @param charset such as `iso-8859-1`, in any case
 */
export function decodeCharset(bytes: Buffer, charset: string | undefined): string {
	const decoder = decoderFor(charset);
	const text = decoder === undefined ? decodeUtf8(bytes) : decodeWith(decoder, bytes);
	if (text === undefined) return decodeCharset(bytes, DEFAULT_CHARSET);
	const isUtf8 = decoder === undefined || decoder.encoding === 'utf-8';
	return isUtf8 && !bytes.includes(FIRST_BYTE_OF_CONTROLS) ? text : restoreWindows1252(text);
}

/** Bytes of a text in which is looked whether it is mostly UTF-8. */
const BYTES_OF_SAMPLE = 100_000;

/**
 * The charset of 8-bit text without transfer encoding, which is not UTF-8 as a whole. Where UTF-8 is expected, some wrong bytes
 * cost only their own characters; but if most are wrong, it was written in another charset.
 *
 * @returns undefined if nothing says it
 */
export function eightBitCharset(bytes: Buffer, named: string | undefined): string | undefined {
	const decoder = decoderFor(named);
	// Its characters have seven bits, so it is none of it.
	if (decoder?.encoding === 'iso-2022-jp') return undefined;
	if (decoder !== undefined && decoder.encoding !== 'utf-8') return named;
	const sample = lossyUtf8.decode(bytes.subarray(0, BYTES_OF_SAMPLE));
	const wrong = sample.match(/\ufffd/g) ?? [];
	const all = sample.match(/[^\0-\x7f]/gu) ?? [];
	if (wrong.length <= all.length / 2) return 'utf-8';
	return decoder === undefined ? named : undefined;
}

/** The value of a header field with bytes that are not UTF-8, as older programs write it. */
export function decodeEightBit(value: string, named: string | undefined): string {
	const bytes = toBytes(value);
	return decodeCharset(bytes, eightBitCharset(bytes, named));
}

/** A charset in which a header may be written: one in which ASCII characters mean themselves. Undefined for others. */
export function charsetOfFields(named: string | undefined): string | undefined {
	return isReadable(named) ? named : undefined;
}

export interface DecodedText {
	text: string;
	/** The charset that was used: of the header, or of the content; undefined for UTF-8 and Windows-1252 by default. */
	charset: string | undefined;
	/** Whether the charset is unknown, so that other characters than ASCII may be wrong. */
	isGuessed?: boolean;
}

/**
 * Decodes the text of a part like {@link decodeCharset}, with pauses. If the header names no charset, and the text is not UTF-8,
 * the charset that only its content names is used: by a `meta` element of HTML, or by the escapes of ISO-2022-JP.
 */
export async function decodeLongText(
	bytes: Buffer,
	charset: string | undefined,
	isHtml: boolean,
	pace: Pace,
): Promise<DecodedText> {
	if (plainLabel(charset) !== '') {
		const text = await decodeInPieces(bytes, charset, pace);
		return { text, charset, isGuessed: isGuessed(bytes, charset) };
	}
	const text = decodeUtf8(bytes);
	if (text === undefined) {
		const named = isHtml ? charsetOfHtml(bytes) : undefined;
		return { text: await decodeInPieces(bytes, named ?? DEFAULT_CHARSET, pace), charset: named };
	}
	const named = charsetByEscapes(text);
	if (named === undefined) return { text: restoreWindows1252(text), charset: undefined };
	return { text: await decodeInPieces(bytes, named, pace), charset: named };
}

/** Whether bytes in an unknown charset were decoded as something that may be wrong; UTF-8 is no accident. */
export function isGuessed(bytes: Buffer, charset: string | undefined): boolean {
	if (!isUnknown(charset)) return false;
	if (decodeUtf8(bytes) === undefined) return true;
	return !containsAscii(charset) && [...ESCAPES].some((escape) => bytes.includes(escape));
}

async function decodeInPieces(
	bytes: Buffer,
	charset: string | undefined,
	pace: Pace,
): Promise<string> {
	const decoder = decoderFor(charset);
	if (decoder === undefined || isUnicode(decoder)) {
		if (pace.spend(bytes.length / BYTES_BETWEEN_PAUSES)) await pace.pause();
		return decodeCharset(bytes, charset);
	}
	const stream = streamDecoder(decoder);
	const pieces: string[] = [];
	let start = 0;
	while (start < bytes.length) {
		const end = endOfChunk(bytes, start);
		if (pace.spend((end - start) / BYTES_BETWEEN_PAUSES)) await pace.pause();
		const isLast = end === bytes.length;
		const text = decodeWith(stream, bytes.subarray(start, end), { stream: !isLast });
		pieces.push(restoreWindows1252(text));
		start = end;
	}
	return pieces.join('');
}

/** The charset that a `meta` element at the beginning of HTML names. It cannot be UTF-16, in which nobody could read it. */
function charsetOfHtml(bytes: Buffer): string | undefined {
	const start = bytes.toString('latin1', 0, BYTES_WITH_CHARSET).replace(HTML_COMMENT, '');
	const tags = start.match(META_TAG) ?? [];
	const [, named] = CHARSET_OF_META.exec(tags.join('>')) ?? [];
	const decoder = decoderFor(named);
	if (decoder === undefined) return undefined;
	return isUnicode(decoder) ? 'utf-8' : decoder.encoding;
}

/** ISO-2022-JP for text that contains its escapes, and nothing that cannot be part of it. */
export function charsetByEscapes(text: string): string | undefined {
	if (!text.includes(ESC) || !JAPANESE_ESCAPE.test(text)) return undefined;
	return text.search(DECODED) < 0 ? 'iso-2022-jp' : undefined;
}

/** Whether text without transfer encoding is readable as it is. */
export function isReadable(charset: string | undefined): boolean {
	return containsAscii(charset) && decoderFor(charset)?.encoding !== 'iso-2022-jp';
}

/**
 * Whether ASCII characters mean themselves in a charset. ISO-2022-JP counts, because only its escapes change them; so do most
 * unknown names, because text in them is decoded as UTF-8 or Windows-1252.
 */
export function containsAscii(charset: string | undefined): boolean {
	const decoder = decoderFor(charset);
	return decoder === undefined ? !OTHER_THAN_ASCII.test(nameOf(charset)) : !isWide(decoder);
}

/** Whether a text in another charset than UTF-8 contains non-ASCII characters that are already decoded. */
export function isMixed(text: string, charset: string | undefined): boolean {
	const decoder = decoderFor(charset);
	const isOther = decoder === undefined || !isUnicode(decoder);
	return isOther && text.search(DECODED) >= 0;
}

/**
 * Decodes only the ASCII characters. Others were already decoded as UTF-8, whatever charset the part names. A NUL stands for
 * them meanwhile, so that the decoder is called once.
 */
export function decodeMixed(
	text: string,
	encoding: TransferEncoding,
	charset: string | undefined,
): string {
	const decoded = text.match(DECODED) ?? [];
	if (decoded.length === 0) return decodeCharset(decodeBody(text, encoding), charset);
	const isJapanese = decoderFor(charset)?.encoding === 'iso-2022-jp';
	const placeholder = isJapanese ? `${TO_ASCII}\0` : '\0';
	const ownPlaceholder = encoding === 'quoted-printable' ? /\0|=00/g : /\0/g;
	const written = text.replace(ownPlaceholder, ' ').replace(DECODED, placeholder);
	const between = decodeCharset(decodeBody(written, encoding), charset).split('\0');
	return between.map((ascii, index) => ascii + (decoded[index] ?? '')).join('');
}

/** Ends after a space or line break if there is one, because no escape sequences meet there. */
function endOfChunk(bytes: Buffer, start: number): number {
	const limit = start + BYTES_BETWEEN_PAUSES;
	if (limit >= bytes.length) return bytes.length;
	let end = limit;
	while (end > start && bytes[end - 1] !== SPACE && bytes[end - 1] !== LINE_FEED) end--;
	return end > start ? end : limit;
}

import { BoundedMap } from '../../basics';
import type { CharsetDecoder } from './charsetTables/charsetDecoder';
import { correctedDecoder, tableDecoderFor } from './charsetTables/singleByte';
import { isTwoByte, TwoByteDecoder } from './charsetTables/twoByte';

/**
 * Names of charsets that other programs write, and that are none of the names in the Encoding Standard: of IANA's list, and of
 * Microsoft's code pages.
 */
const OTHER_LABELS: ReadonlyMap<string, string> = new Map([
	['=utf-8', 'utf-8'],
	['cp20866', 'koi8-r'],
	['cp28591', 'iso-8859-1'],
	['cp28592', 'iso-8859-2'],
	['cp50220', 'iso-2022-jp'],
	['cp50221', 'iso-2022-jp'],
	['cp65001', 'utf-8'],
	['cp874', 'windows-874'],
	['cp932', 'shift_jis'],
	['cp936', 'gbk'],
	['cp949', 'euc-kr'],
	['cp950', 'big5'],
	['eucjp', 'euc-jp'],
	['euckr', 'euc-kr'],
	['gb-2312', 'gbk'],
	['iso-2022-jp-1', 'iso-2022-jp'],
	['iso-2022-jp-2', 'iso-2022-jp'],
	['iso-2022-jp-3', 'iso-2022-jp'],
	['iso-2022-jp-ms', 'iso-2022-jp'],
	['latin-1', 'iso-8859-1'],
	['latin-9', 'iso-8859-15'],
	['mac-roman', 'macintosh'],
	['ms932', 'shift_jis'],
	['ms936', 'gbk'],
	['ms949', 'euc-kr'],
	['ms950', 'big5'],
	['tis620', 'windows-874'],
	['uhc', 'euc-kr'],
	['utf16', 'utf-16'],
	['utf_8', 'utf-8'],
	['win-1251', 'windows-1251'],
	['windows-932', 'shift_jis'],
	['windows-936', 'gbk'],
	['windows-949', 'euc-kr'],
	['windows-950', 'big5'],
]);

/** Text in these is UTF-8 or Windows-1252, as in text without a charset. */
const ASCII_LABELS: ReadonlySet<string> = new Set(['', 'ansi_x3.4-1968', 'ascii', 'us-ascii']);

/** Labels that were asked for, the unknown ones as well: finding one out takes long. Strangers write others by the thousand. */
const MAX_LABELS = 300;

/** No label is longer. */
const MAX_LABEL = 40;

const DECODED_BY_NODE: ReadonlySet<string> = new Set([
	'gb18030',
	'iso-2022-jp',
	'utf-16be',
	'utf-16le',
	'utf-8',
]);

const decoders = new BoundedMap<string, CharsetDecoder | undefined>(MAX_LABELS);

const utf16BigEndian = new TextDecoder('utf-16be');

/** An escape sequence (ISO 2022). */
const ESCAPE = '\\x1b[ -/]+[0-~]';
const REPEATED_ESCAPE = new RegExp(`${ESCAPE}(?=${ESCAPE})`, 'g');

/** @returns undefined for ASCII, an unknown charset, or none */
export function decoderFor(charset: string | undefined): CharsetDecoder | undefined {
	const label = plainLabel(charset);
	if (ASCII_LABELS.has(label) || label.length > MAX_LABEL) return undefined;
	if (decoders.has(label)) return decoders.get(label);
	const decoder = newDecoder(OTHER_LABELS.get(label) ?? label);
	decoders.set(label, decoder);
	return decoder;
}

/** Whether a charset is named that cannot be decoded. */
export function isUnknown(charset: string | undefined): boolean {
	return !ASCII_LABELS.has(plainLabel(charset)) && decoderFor(charset) === undefined;
}

/** A decoder of the same charset for one long text, which it gets in pieces. */
export function streamDecoder(decoder: CharsetDecoder): CharsetDecoder {
	return newDecoder(decoder.encoding) ?? decoder;
}

/** Node's decoder where that does what the Encoding Standard says. */
function newDecoder(label: string): CharsetDecoder | undefined {
	const known = nodeDecoder(label);
	if (known === undefined) return tableDecoderFor(label);
	const { encoding } = known;
	if (isTwoByte(encoding)) return new TwoByteDecoder(encoding);
	// The standard decodes both alike. Node 20 does not.
	if (encoding === 'gbk') return new TextDecoder('gb18030');
	return DECODED_BY_NODE.has(encoding) ? known : correctedDecoder(known);
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

import { decodeWords } from 'postal-mime';

import type { Pace } from '../lib/pause';
import { restoreWindows1252 } from '../lib/windows1252';

// Far more names than there are charsets: an email makes up as many as it likes.
const MOST_NAMES = 1000;

// Decoding this much takes 25 ms in ISO-2022-JP, the slowest; others get their turn after it.
const BYTES_BETWEEN_PAUSES = 256 * 1024;

const SPACE = 0x20;
const LINE_FEED = 0x0a;

const UTF_7 = /^(?:x-)?(?:unicode-\d-\d-)?utf-?7$/;

type Decoder = InstanceType<typeof TextDecoder>;

const decoders = new Map<string, Decoder | undefined>([['utf-8', new TextDecoder()]]);

/** Tells whether it is UTF-8: throws for what is not. */
const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes text in a charset as emails name it. One that is unknown is read as Windows-1252, as mail programs do, and so is
 * text that names none and is no UTF-8.
 *
 * @param charset such as `iso-8859-1`, in any case
 */
export function decodeCharset(bytes: Buffer, charset: string | undefined): string {
	return decode(bytes, labelOf(bytes, charset));
}

function decode(bytes: Buffer, label: string): string {
	if (isUtf7(label)) return decodeUtf7(bytes);
	return restoreWindows1252(decoderFor(label)?.decode(bytes) ?? decodeByOtherName(bytes, label));
}

/**
 * As {@link decodeCharset}, for a text of any length: with pauses, so that n8n can answer others meanwhile.
 *
 * @param charset as for {@link decodeCharset}
 */
export async function decodeLongText(
	bytes: Buffer,
	charset: string | undefined,
	pace: Pace,
): Promise<string> {
	const label = labelOf(bytes, charset);
	const pieces: string[] = [];
	const piece = isQuick(label) ? bytes.length : BYTES_BETWEEN_PAUSES;
	for (let start = 0, end = 0; start < bytes.length; start = end) {
		end = endOfPiece(bytes, start, start + piece);
		if (pace.isDue((end - start) / BYTES_BETWEEN_PAUSES)) await pace.pause();
		pieces.push(decode(bytes.subarray(start, end), label));
	}
	return pieces.join('');
}

/** These Node decodes in a few milliseconds, whatever the text is like. */
function isQuick(label: string): boolean {
	return decoderFor(label)?.encoding.startsWith('utf-') ?? false;
}

/** Behind a blank or a line break, which are part of no other character in all charsets that are cut. */
function endOfPiece(bytes: Buffer, start: number, limit: number): number {
	if (limit >= bytes.length) return bytes.length;
	let end = limit;
	while (end > start && bytes[end - 1] !== SPACE && bytes[end - 1] !== LINE_FEED) end--;
	return end > start ? end : limit;
}

function labelOf(bytes: Buffer, charset: string | undefined): string {
	return charset?.trim().toLowerCase() || (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

function isUtf8(bytes: Buffer): boolean {
	try {
		strictDecoder.decode(bytes);
		return true;
	} catch {
		return false;
	}
}

/** Its words stand each for itself: where one ends, the base64 in it ends, too. */
export function isUtf7(charset: string): boolean {
	return UTF_7.test(charset);
}

/** @returns undefined where Node does not know the charset by that name */
function decoderFor(label: string): Decoder | undefined {
	if (decoders.has(label) || decoders.size >= MOST_NAMES) return decoders.get(label);
	const decoder = createDecoder(label);
	decoders.set(label, decoder);
	return decoder;
}

function createDecoder(label: string): Decoder | undefined {
	try {
		return new TextDecoder(label);
	} catch {
		return undefined;
	}
}

/** The MIME library has a table of the names in use, such as `cp932`. It is reached by an encoded word (RFC 2047). */
function decodeByOtherName(bytes: Buffer, label: string): string {
	const charset = label.replace(/[?*\s]/g, '') || 'windows-1252';
	return decodeWords(`=?${charset}?B?${bytes.toString('base64')}?=`);
}

const PLUS = 0x2b;
const MINUS = 0x2d;

/** The value of each character that is a digit of base64, by its code; other characters have none. */
const BASE64_DIGITS = new Map(
	[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map(
		(character, digit) => [character.charCodeAt(0), digit] as const,
	),
);

/** RFC 2152: `+` begins UTF-16 in base64, which ends with whatever is no digit of it; `-` after it is dropped. */
function decodeUtf7(bytes: Buffer): string {
	const units = new Uint16Array(bytes.length);
	let written = 0;
	let read = 0;
	while (read < bytes.length) {
		const byte = bytes[read++] as number;
		if (byte !== PLUS) {
			units[written++] = byte;
			continue;
		}
		const start = read;
		let bits = 0;
		let bitCount = 0;
		let digit = BASE64_DIGITS.get(bytes[read] ?? 0);
		for (; digit !== undefined; digit = BASE64_DIGITS.get(bytes[++read] ?? 0)) {
			bits = ((bits << 6) | digit) & 0x3fffff;
			bitCount += 6;
			if (bitCount >= 16) units[written++] = (bits >> (bitCount -= 16)) & 0xffff;
		}
		if (read === start) units[written++] = PLUS;
		if (bytes[read] === MINUS) read++;
	}
	return textOf(units.subarray(0, written));
}

function textOf(units: Uint16Array): string {
	return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}

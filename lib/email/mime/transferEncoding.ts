import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB } from '../../basics';
import { toBytes } from './rawBytes';

export type TransferEncoding = 'base64' | 'quoted-printable' | 'uuencode' | 'none';

const EQUALS = 0x3d;

/** Bytes that are moved faster by one call than one by one. */
const LONG_RUN = 24;

/** The value of a byte that is not a digit. */
const NO_DIGIT = -1;

const UU_DIGIT_BITS = 0x3f;

const HEX_DIGITS = digitValues('0123456789abcdef0123456789ABCDEF', 16);
const BASE64_DIGITS = digitValues(
	'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
);

/** Decodes a body to the bytes that were sent (RFC 2045, 6). */
export function decodeBody(text: string, encoding: TransferEncoding): Buffer {
	switch (encoding) {
		case 'base64':
			return isOrdinaryBase64(text) ? Buffer.from(text, 'base64') : decodeLooseBase64(text);
		case 'uuencode':
			return decodeUuencode(text);
		case 'quoted-printable':
			return decodeQuotedPrintable(toBytes(text), false);
		case 'none':
			return toBytes(text);
	}
}

/**
 * Decodes the lines of a text. In quoted-printable, the line breaks between its lines become LF on the way; encoded ones stay,
 * because they can be part of a character in UTF-16.
 */
export function decodeLines(text: string, encoding: 'none' | 'quoted-printable'): Buffer {
	const bytes = toBytes(text);
	return encoding === 'quoted-printable' ? decodeQuotedPrintable(bytes, true) : bytes;
}

/** For each byte, its value in an alphabet. */
function digitValues(alphabet: string, values = alphabet.length): Int8Array {
	const digits = new Int8Array(256).fill(NO_DIGIT);
	for (const [index, character] of [...alphabet].entries()) {
		digits[character.charCodeAt(0)] = index % values;
	}
	return digits;
}

/**
 * Whether Node's decoder reads this base64 like a mail program. Node stops at the first padding and accepts `-` and `_` as
 * digits; mail programs continue and skip them.
 */
function isOrdinaryBase64(text: string): boolean {
	if (text.includes('-') || text.includes('_')) return false;
	const padding = text.indexOf('=');
	return padding < 0 || /^[=\s]*$/.test(text.slice(padding));
}

/** Skips characters that are not digits (RFC 2045, 6.8). Another text may follow the padding. */
function decodeLooseBase64(text: string): Buffer {
	const bytes = Buffer.allocUnsafe(Math.ceil((text.length * 3) / 4));
	let written = 0;
	let bits = 0;
	let bitCount = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		const digit = code < BASE64_DIGITS.length ? (BASE64_DIGITS[code] as number) : NO_DIGIT;
		if (code === EQUALS) bitCount = 0;
		if (digit === NO_DIGIT) continue;
		bits = ((bits << 6) | digit) & 0xffff;
		bitCount += 6;
		if (bitCount >= 8) {
			bitCount -= 8;
			bytes[written++] = (bits >> bitCount) & 0xff;
		}
	}
	return bytes.subarray(0, written);
}

/**
 * Decodes quoted-printable in place (RFC 2045, 6.7).
 *
 * @param isText whether line breaks become LF, also those whose carriage return a gateway doubled
 */
function decodeQuotedPrintable(bytes: Buffer, isText: boolean): Buffer {
	let written = 0;
	let read = 0;
	while (read < bytes.length) {
		const start = read;
		read = endOfPlainRun(bytes, start, isText);
		written = moveBytes(bytes, written, start, read);
		if (bytes[read] === EQUALS) {
			read++;
			const value = encodedByte(bytes, read);
			if (value !== NO_DIGIT) {
				bytes[written++] = value;
				read += 2;
				continue;
			}
			const next = endOfSoftBreak(bytes, read, isText);
			if (next === undefined) bytes[written++] = EQUALS;
			else read = next;
		} else if (read < bytes.length) {
			const returns = read;
			read = skipAll(bytes, returns, CARRIAGE_RETURN);
			if (bytes[read] !== LINE_FEED) written = moveBytes(bytes, written, returns, read);
		}
	}
	return bytes.subarray(0, written);
}

/** The end of the bytes that stand for themselves. */
function endOfPlainRun(bytes: Buffer, start: number, isText: boolean): number {
	const other = isText ? CARRIAGE_RETURN : EQUALS;
	let end = start;
	while (end < bytes.length && bytes[end] !== EQUALS && bytes[end] !== other) end++;
	return end;
}

/** @returns the end of the bytes that are written so far */
function moveBytes(bytes: Buffer, target: number, start: number, end: number): number {
	const length = end - start;
	if (length < LONG_RUN) {
		for (let index = 0; index < length; index++)
			bytes[target + index] = bytes[start + index] as number;
	} else {
		bytes.copyWithin(target, start, end);
	}
	return target + length;
}

/** The byte that the two hexadecimal digits at a position stand for, or `NO_DIGIT`. */
function encodedByte(bytes: Buffer, position: number): number {
	const high = hexDigit(bytes, position);
	if (high === NO_DIGIT) return NO_DIGIT;
	const low = hexDigit(bytes, position + 1);
	return low === NO_DIGIT ? NO_DIGIT : high * 16 + low;
}

function hexDigit(bytes: Buffer, position: number): number {
	if (position >= bytes.length) return NO_DIGIT;
	return HEX_DIGITS[bytes[position] as number] as number;
}

/** The start of the next line if the rest of this one is whitespace. */
function endOfSoftBreak(bytes: Buffer, start: number, isText: boolean): number | undefined {
	let end = start;
	while (bytes[end] === SPACE || bytes[end] === TAB) end++;
	if (isText) end = skipAll(bytes, end, CARRIAGE_RETURN);
	else if (bytes[end] === CARRIAGE_RETURN) end++;
	if (end >= bytes.length) return end;
	return bytes[end] === LINE_FEED ? end + 1 : undefined;
}

function skipAll(bytes: Buffer, start: number, byte: number): number {
	let end = start;
	while (bytes[end] === byte) end++;
	return end;
}

const LAST_LINE = Buffer.from('end');

/** Decodes the lines between `begin` and `end`. Only the lowest six bits of each character count. */
function decodeUuencode(text: string): Buffer {
	const begin = `\n${text}`.indexOf('\nbegin ');
	const lines = begin < 0 ? text : text.slice(text.indexOf('\n', begin) + 1);
	const source = Buffer.from(lines, 'latin1');
	const bytes = Buffer.allocUnsafe(Math.ceil((source.length * 3) / 4) + 3);
	let written = 0;
	let start = 0;
	while (start < source.length) {
		const next = endOfByteLine(source, start);
		let end = next;
		while (end > start && (source[end - 1] as number) <= SPACE) end--;
		if (isLastLine(source, start, end)) break;
		if (end > start) written = decodeUuLine(source, { start, end }, bytes, written);
		start = next + 1;
	}
	return bytes.subarray(0, written);
}

function endOfByteLine(source: Buffer, start: number): number {
	let end = start;
	while (end < source.length && source[end] !== LINE_FEED) end++;
	return end;
}

function isLastLine(source: Buffer, start: number, end: number): boolean {
	return end - start === LAST_LINE.length && source.subarray(start, end).equals(LAST_LINE);
}

/**
 * Decodes a line: a character for the number of bytes, then four characters for every three bytes.
 *
 * @returns the end of the bytes that are written so far
 */
function decodeUuLine(
	source: Buffer,
	line: { start: number; end: number },
	bytes: Buffer,
	writtenBefore: number,
): number {
	const { start, end: lineEnd } = line;
	const maxLength = Math.ceil(((lineEnd - start - 1) * 3) / 4);
	const end = writtenBefore + Math.min(uuDigit(source, start, lineEnd), maxLength);
	let written = writtenBefore;
	for (let at = start + 1; written < end; at += 4) {
		const bits =
			(uuDigit(source, at, lineEnd) << 18) |
			(uuDigit(source, at + 1, lineEnd) << 12) |
			(uuDigit(source, at + 2, lineEnd) << 6) |
			uuDigit(source, at + 3, lineEnd);
		for (let shift = 16; shift >= 0 && written < end; shift -= 8) {
			bytes[written++] = (bits >> shift) & 0xff;
		}
	}
	return written;
}

/** The digit at a position; 0 after the end of the line. */
function uuDigit(source: Buffer, at: number, lineEnd: number): number {
	if (at >= lineEnd) return 0;
	return ((source[at] as number) - SPACE) & UU_DIGIT_BITS;
}

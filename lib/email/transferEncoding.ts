export type TransferEncoding = 'base64' | 'quoted-printable' | 'uuencode' | 'none';

const EQUALS = 0x3d;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

const NO_DIGIT = -1;

const digitsOf = (alphabet: string, values = alphabet.length) => {
	const digits = new Int8Array(256).fill(NO_DIGIT);
	for (const [index, character] of [...alphabet].entries())
		digits[character.charCodeAt(0)] = index % values;
	return digits;
};

const HEX_DIGITS = digitsOf('0123456789abcdef0123456789ABCDEF', 16);
const BASE64_DIGITS = digitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

/** Decodes a body, read as UTF-8, to the bytes that were sent (RFC 2045, 6). */
export function decodeBody(text: string, encoding: TransferEncoding): Buffer {
	if (encoding === 'base64') {
		return isOrdinaryBase64(text) ? Buffer.from(text, 'base64') : decodeLooseBase64(text);
	}
	if (encoding === 'uuencode') return decodeUuencode(text);
	const bytes = Buffer.from(text, 'utf8');
	return encoding === 'quoted-printable' ? decodeQuotedPrintable(bytes) : bytes;
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

function decodeQuotedPrintable(bytes: Buffer): Buffer {
	let written = 0;
	let read = 0;
	while (read < bytes.length) {
		const byte = bytes[read++] as number;
		const high = byte === EQUALS ? hexDigit(bytes, read) : NO_DIGIT;
		const low = high === NO_DIGIT ? NO_DIGIT : hexDigit(bytes, read + 1);
		const lineEnd = byte === EQUALS && low === NO_DIGIT ? endOfLine(bytes, read) : -1;
		if (lineEnd >= 0) {
			read = lineEnd;
		} else if (low !== NO_DIGIT) {
			bytes[written++] = high * 16 + low;
			read += 2;
		} else {
			bytes[written++] = byte;
		}
	}
	return bytes.subarray(0, written);
}

function hexDigit(bytes: Buffer, position: number): number {
	return position < bytes.length ? (HEX_DIGITS[bytes[position] as number] as number) : NO_DIGIT;
}

/** The start of the next line if the rest of this one is whitespace, otherwise -1. */
function endOfLine(bytes: Buffer, start: number): number {
	let end = start;
	while (bytes[end] === SPACE || bytes[end] === TAB) end++;
	if (bytes[end] === CARRIAGE_RETURN) end++;
	if (end >= bytes.length) return end;
	return bytes[end] === LINE_FEED ? end + 1 : -1;
}

/** Lines between `begin` and `end`: a character for the number of bytes, then four characters for every three bytes. */
function decodeUuencode(text: string): Buffer {
	const begin = `\n${text}`.indexOf('\nbegin ');
	const lines = begin < 0 ? text : text.slice(text.indexOf('\n', begin) + 1);
	const bytes = Buffer.allocUnsafe(Math.ceil((lines.length * 3) / 4) + 3);
	let written = 0;
	for (let start = 0; start < lines.length;) {
		const lineBreak = lines.indexOf('\n', start);
		const next = lineBreak < 0 ? lines.length : lineBreak + 1;
		const line = lines.slice(start, next).trimEnd();
		if (line === 'end') break;
		const end = written + Math.min(uuDigit(line, 0), Math.ceil(((line.length - 1) * 3) / 4));
		for (let at = 1; written < end; at += 4) {
			const bits =
				(uuDigit(line, at) << 18) |
				(uuDigit(line, at + 1) << 12) |
				(uuDigit(line, at + 2) << 6) |
				uuDigit(line, at + 3);
			for (let shift = 16; shift >= 0 && written < end; shift -= 8) {
				bytes[written++] = (bits >> shift) & 0xff;
			}
		}
		start = next;
	}
	return bytes.subarray(0, written);
}

function uuDigit(text: string, position: number): number {
	return position < text.length ? (text.charCodeAt(position) - SPACE) & 0x3f : 0;
}

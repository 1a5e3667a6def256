import type { TransferEncoding } from './partHeader';

const EQUALS = 0x3d;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/** The value of each hexadecimal digit by its character code; other characters have none. */
const HEX_DIGITS = Array.from({ length: 256 }, (_, code) => {
	const digit = String.fromCharCode(code);
	return /[0-9a-f]/i.test(digit) ? parseInt(digit, 16) : -1;
});

/** Decodes a body to exactly the bytes that were sent (RFC 2045, 6). `text` is UTF-8 as it came over the wire. */
export function decodeBody(text: string, encoding: TransferEncoding): Buffer {
	if (encoding === 'base64') return Buffer.from(text, 'base64');
	const bytes = Buffer.from(text, 'utf8');
	return encoding === 'quoted-printable' ? decodeQuotedPrintable(bytes) : bytes;
}

/**
 * Whether Node's own decoder reads this base64 as a mail program would. It stops at the first padding, and takes
 * `-` and `_` for digits, where a mail program reads on and skips them.
 */
export function isOrdinaryBase64(text: string): boolean {
	if (text.includes('-') || text.includes('_')) return false;
	const padding = text.indexOf('=');
	return padding < 0 || /^[=\s]*$/.test(text.slice(padding));
}

/** Base64 in one line, without what mail programs skip (RFC 2045, 6.8). */
export function withoutJunk(text: string): string {
	return text.replace(/[^A-Za-z0-9+/=]+/g, '');
}

/** In place: what is decoded is never longer than what it was written as. */
function decodeQuotedPrintable(bytes: Buffer): Buffer {
	let written = 0;
	let read = 0;
	while (read < bytes.length) {
		const byte = bytes[read++] as number;
		const high = byte === EQUALS ? hexDigit(bytes, read) : -1;
		const low = high < 0 ? -1 : hexDigit(bytes, read + 1);
		const lineEnd = byte === EQUALS && low < 0 ? endOfLine(bytes, read) : -1;
		if (lineEnd >= 0) {
			read = lineEnd;
		} else if (low >= 0) {
			bytes[written++] = high * 16 + low;
			read += 2;
		} else {
			bytes[written++] = byte;
		}
	}
	return bytes.subarray(0, written);
}

function hexDigit(bytes: Buffer, position: number): number {
	return position < bytes.length ? (HEX_DIGITS[bytes[position] as number] as number) : -1;
}

/** Where the next line begins if nothing but blanks is left of this one, -1 otherwise. */
function endOfLine(bytes: Buffer, start: number): number {
	let end = start;
	while (bytes[end] === SPACE || bytes[end] === TAB) end++;
	if (bytes[end] === CARRIAGE_RETURN) end++;
	if (end >= bytes.length) return end;
	return bytes[end] === LINE_FEED ? end + 1 : -1;
}

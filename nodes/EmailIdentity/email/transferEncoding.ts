import type { TransferEncoding } from './partHeader';

const EQUALS = 0x3d;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

const HEX_DIGITS = Array.from({ length: 128 }, (_, code) => {
	const digit = String.fromCharCode(code);
	return /[0-9a-f]/i.test(digit) ? parseInt(digit, 16) : NaN;
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

/** In place: what is decoded is never longer than what it was written as. */
function decodeQuotedPrintable(bytes: Buffer): Buffer {
	let written = 0;
	for (let read = 0; read < bytes.length;) {
		const byte = bytes[read] as number;
		const escape = byte === EQUALS ? readEscape(bytes, read + 1) : undefined;
		if (escape?.byte !== undefined) bytes[written++] = escape.byte;
		else if (!escape) bytes[written++] = byte;
		read = escape?.end ?? read + 1;
	}
	return bytes.subarray(0, written);
}

/** What follows an equals sign: two digits, or the end of a line that goes on. Otherwise it is just a sign. */
function readEscape(bytes: Buffer, start: number): { byte?: number; end: number } | undefined {
	const byte = hexDigit(bytes[start]) * 16 + hexDigit(bytes[start + 1]);
	if (!Number.isNaN(byte)) return { byte, end: start + 2 };
	let end = start;
	while (bytes[end] === SPACE || bytes[end] === TAB) end++;
	if (bytes[end] === CARRIAGE_RETURN) end++;
	if (end >= bytes.length) return { end };
	return bytes[end] === LINE_FEED ? { end: end + 1 } : undefined;
}

function hexDigit(character: number | undefined): number {
	return character === undefined ? NaN : (HEX_DIGITS[character] ?? NaN);
}

/**
 * The text of a raw email is UTF-8, as services hand it over. The text of an email whose bytes are not UTF-8 has ASCII
 * characters, and a lone surrogate from U+DC80 to U+DCFF for each other byte, as in Python (PEP 383). So each part and each
 * header field can be decoded by its own charset.
 */
const BYTE_MARK = 0xdc00;

const FIRST_OTHER_THAN_ASCII = 0x80;

const ONLY_ASCII_AND_BYTES = /^[\0-\x7f\udc80-\udcff]*$/;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

export const lossyUtf8 = new TextDecoder('utf-8');

/** In the time in which Node.js makes an error, so many are checked in another way. A header can have thousands of such texts. */
const SHORT = 1000;

/** Checks and decodes bytes. @returns undefined if they are not UTF-8 */
export function decodeUtf8(bytes: Buffer): string | undefined {
	if (bytes.length < SHORT) {
		const text = lossyUtf8.decode(bytes);
		const isLossy =
			text.includes('\ufffd') && !Buffer.from(text).equals(withoutByteOrderMark(bytes));
		return isLossy ? undefined : text;
	}
	try {
		return strictUtf8.decode(bytes);
	} catch {
		return undefined;
	}
}

/** The text of an email in a file, without a byte order mark. {@link toBytes} returns all other bytes. */
export function decodeRawEmail(bytes: Buffer): string {
	return decodeUtf8(bytes) ?? toRawText(withoutByteOrderMark(bytes));
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
	const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
	return hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** Bytes as text that is not decoded yet. */
export function toRawText(bytes: Buffer): string {
	const units = new Uint16Array(bytes.length);
	for (let index = 0; index < bytes.length; index++) {
		const byte = bytes[index] as number;
		units[index] = byte < FIRST_OTHER_THAN_ASCII ? byte : BYTE_MARK | byte;
	}
	return Buffer.from(units.buffer).toString('utf16le');
}

/** Whether a text contains bytes that are not decoded yet. */
export function isRaw(text: string): boolean {
	return !text.isWellFormed() && ONLY_ASCII_AND_BYTES.test(text);
}

/** The bytes that a text of a raw email was read from. */
export function toBytes(text: string): Buffer {
	// `latin1` writes the lower half of each UTF-16 code unit, which is the byte.
	return Buffer.from(text, isRaw(text) ? 'latin1' : 'utf8');
}

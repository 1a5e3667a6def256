import { ownCopy, type Pace, restoreWindows1252, trimEndOf, trimOf } from '../../basics';
import { decodeEightBit } from './charsets';
import { decodeWords } from './encodedWords';
import { decodeUtf8, isRaw, toBytes } from './rawBytes';

/** A header field of an email or part (RFC 5322, 2.2), unfolded, with encoded words not yet decoded. */
export interface HeaderField {
	name: string;
	value: string;
}

export interface WrittenField extends HeaderField {
	/** As in the email, but with CRLF line breaks, and without the last one. */
	text: string;
}

/** Decoding so many header fields, or characters of them, takes a few milliseconds. */
const HEADERS_BETWEEN_PAUSES = 2000;
const CHARACTERS_BETWEEN_PAUSES = 200_000;

// RFC 5322, 2.2. Other lines, such as the `From ` line of a mailbox file, have no such name.
const HEADER_NAME = /^[!-9;-~]+$/;

// An encoded word can hide line breaks, which would start a new header if the value is used in one.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Unfolds a header (RFC 5322, 2.2.3): a line that begins with a blank continues the line before it. A line without a colon is a
 * field without a value.
 *
 * @param charset of 8-bit text that is not UTF-8
 */
export function readHeaderFields(header: string, charset?: string): WrittenField[] {
	return decodeFields(readWrittenFields(header), charset);
}

export function readWrittenFields(header: string): WrittenField[] {
	const fields: string[][] = [];
	// A slice would keep the whole email in memory for as long as a workflow keeps one value.
	for (const written of ownCopy(header).split('\n')) {
		// Some gateways double the carriage return of a line break.
		const line = trimEndOf(written, (character) => character === '\r');
		const field = isSpaceOrTab(line.charAt(0)) ? fields.at(-1) : undefined;
		if (field) field.push(line);
		else if (line !== '') fields.push([line]);
	}
	return fields.map(readFieldLines);
}

function readFieldLines(lines: string[]): WrittenField {
	const unfolded = lines.join('');
	const text = lines.join('\r\n');
	const colon = unfolded.indexOf(':');
	if (colon < 0) return { name: trimOf(unfolded, isSpaceOrTab).toLowerCase(), value: '', text };
	const name = trimOf(unfolded.slice(0, colon), isSpaceOrTab).toLowerCase();
	const written = trimOf(unfolded.slice(colon + 1).replace(/\r+/g, ' '), isSpaceOrTab);
	// RFC 6532.
	const value = isRaw(written) ? (decodeUtf8(toBytes(written)) ?? written) : written;
	return { name, value, text };
}

/** @param charset of 8-bit text that is not UTF-8 */
export function decodeFields(
	fields: readonly WrittenField[],
	charset: string | undefined,
): WrittenField[] {
	return fields.map((field) => {
		if (!isRaw(field.value)) return field;
		return { ...field, value: decodeEightBit(field.value, charset) };
	});
}

/** If a field is repeated, the first one counts, as in mail programs. */
export function firstValue(fields: readonly HeaderField[], name: string): string | undefined {
	return fields.find((field) => field.name === name)?.value;
}

/** All values of each header, decoded, in order, with pauses. Repeated headers, such as `received`, keep all their values. */
export async function collectHeaders(
	fields: readonly HeaderField[],
	pace: Pace,
): Promise<Record<string, string[]>> {
	const headers: Record<string, string[]> = {};
	for (const { name, value } of fields) {
		const share = 1 / HEADERS_BETWEEN_PAUSES + value.length / CHARACTERS_BETWEEN_PAUSES;
		if (pace.spend(share)) await pace.pause();
		if (!HEADER_NAME.test(name) || name === '__proto__') continue;
		const line = oneLine(decodeWords(value));
		const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
		if (known === undefined) headers[name] = [line];
		else known.push(line);
	}
	return headers;
}

/** A value without control characters and surrounding blanks. */
export function oneLine(value: string): string {
	return restoreWindows1252(value).replace(CONTROL_CHARACTERS, ' ').trim();
}

/** Other whitespace, such as a no-break space, is not removed: a name that contains it is not a valid name. */
export const isSpaceOrTab = (character: string): boolean => character === ' ' || character === '\t';

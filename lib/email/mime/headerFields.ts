import { type Pace, restoreWindows1252 } from '../../basics';
import { decodeWords } from './encodedWords';
import type { HeaderField } from './splitEmail';

/** Decoding so many header fields, or characters of them, takes a few milliseconds. */
const HEADERS_BETWEEN_PAUSES = 2000;
const CHARACTERS_BETWEEN_PAUSES = 200_000;

// RFC 5322, 2.2. Other lines, such as the `From ` line of a mailbox file, have no such name.
const HEADER_NAME = /^[!-9;-~]+$/;

// An encoded word can hide line breaks, which would start a new header if the value is used in one.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;

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
		if (pace.isDue(share)) await pace.pause();
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

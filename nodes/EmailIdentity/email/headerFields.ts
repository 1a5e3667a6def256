import { restoreWindows1252 } from '../lib/windows1252';
import { decodeWords } from './encodedWords';

/** One header field of an email or of a part (RFC 5322, 2.2): unfolded, its encoded words still encoded. */
export interface HeaderField {
	/** Lower case. */
	name: string;
	value: string;
}

/** Some senders put line breaks or a byte order mark before the first header, where they would end the headers. */
export const BEFORE_THE_HEADERS = /^[\uFEFF\s]+/;

// RFC 5322, 2.2. A line that is no header, such as the `From ` line of a mailbox file, has no such name.
const HEADER_NAME = /^[!-9;-~]+$/;

// An encoded word may hide line breaks, which would start a new header wherever the value is used again.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;

const SPACE = 0x20;
const TAB = 0x09;

/**
 * Reads a header: a line that begins with a blank or a tab continues the one before, and a name on its own is a field
 * without a value.
 *
 * @param text the header with its line breaks, without the blank line after it
 */
export function readHeaderFields(text: string): HeaderField[] {
	const lines: string[] = [];
	let start = 0;
	while (start < text.length) {
		const lineBreak = text.indexOf('\n', start);
		const line = text.slice(start, lineBreak < 0 ? text.length : lineBreak);
		start = lineBreak < 0 ? text.length : lineBreak + 1;
		if (lines.length > 0 && isBlank(line.charCodeAt(0))) {
			lines[lines.length - 1] += withoutReturns(line);
		} else {
			lines.push(withoutReturns(line));
		}
	}
	return lines.map(readField);
}

function readField(line: string): HeaderField {
	const colon = line.indexOf(':');
	const name = trimBlanks(colon < 0 ? line : line.slice(0, colon)).toLowerCase();
	return { name, value: colon < 0 ? '' : trimBlanks(line.slice(colon + 1).replace(/\r+/g, ' ')) };
}

/** Carriage returns that some gateways double belong to the line break. */
function withoutReturns(line: string): string {
	let end = line.length;
	while (end > 0 && line[end - 1] === '\r') end--;
	return line.slice(0, end);
}

/** Other blanks, such as a no-break space, must not make a name of what is none. */
function trimBlanks(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && isBlank(text.charCodeAt(start))) start++;
	while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
	return text.slice(start, end);
}

function isBlank(code: number): boolean {
	return code === SPACE || code === TAB;
}

/** The first of several counts, as in mail programs; undefined when there is none. */
export function firstValue(fields: HeaderField[], name: string): string | undefined {
	return fields.find((field) => field.name === name)?.value;
}

/** All values of each header in their order, decoded: what is repeated, such as `received`, is never collapsed. */
export function collectHeaders(fields: HeaderField[]): Record<string, string[]> {
	const values = new Map<string, string[]>();
	for (const { name, value } of fields) {
		if (!HEADER_NAME.test(name) || name === '__proto__') continue;
		const line = oneLine(decodeWords(value));
		const known = values.get(name);
		if (known) known.push(line);
		else values.set(name, [line]);
	}
	return Object.fromEntries(values);
}

/** A header's value on one line, without surrounding blanks. */
export function oneLine(value: string): string {
	return restoreWindows1252(value).replace(CONTROL_CHARACTERS, ' ').trim();
}

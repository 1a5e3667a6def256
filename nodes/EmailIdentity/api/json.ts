import type { Entry } from './types';

/** Whether a value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Entry {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The name of a field without what services write otherwise: upper and lower case, underscores and other punctuation. */
export function plainName(name: string): string {
	return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** What services send is nested some ten deep. A million brackets within each other take half a second to parse. */
export const DEEPEST_JSON = 1000;

const QUOTE = 34;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Parses JSON text; a byte order mark in front of it is forgiven (RFC 8259, section 8.1).
 *
 * @returns undefined when it is no JSON, or nested deeper than {@link DEEPEST_JSON}
 */
export function parseJson(text: string): { value: unknown } | undefined {
	const json = text.replace(/^\uFEFF/, '');
	if (isTooDeep(json)) return undefined;
	try {
		return { value: JSON.parse(json) };
	} catch {
		return undefined;
	}
}

/** Jumps over strings: nearly all of a delivery is one. */
function isTooDeep(json: string): boolean {
	let depth = 0;
	for (let at = 0; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (code === QUOTE) at = endOfString(json, at);
		else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
		else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
		if (depth > DEEPEST_JSON) return true;
	}
	return false;
}

/** Where the string that begins here has its other quotation mark, or the text ends. */
function endOfString(json: string, start: number): number {
	let end = json.indexOf('"', start + 1);
	while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
	return end < 0 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
	let backslashes = 0;
	while (json[at - backslashes - 1] === '\\') backslashes++;
	return backslashes % 2 === 1;
}

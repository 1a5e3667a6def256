import type { Entry } from './types';

export function isObject(value: unknown): value is Entry {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Services nest some ten levels deep. A million nested brackets take half a second to parse. */
export const MAX_JSON_DEPTH = 1000;

/** Objects and lists. 100,000 identities with their DNS records have half as many; more would block n8n for seconds. */
export const MAX_JSON_OBJECTS = 1_000_000;

const QUOTE = 34;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Ignores a byte order mark (RFC 8259, section 8.1). @returns undefined if it is not JSON or exceeds the limits */
export function parseJson(text: string): { value: unknown } | undefined {
	const json = text.replace(/^\uFEFF/, '');
	if (isTooMuch(json)) return undefined;
	try {
		return { value: JSON.parse(json) };
	} catch {
		return undefined;
	}
}

/** Skips strings because nearly all of a delivery is one. */
function isTooMuch(json: string): boolean {
	let depth = 0;
	let opened = 0;
	for (let at = 0; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (code === QUOTE) at = endOfString(json, at);
		else if (code === OPEN_LIST || code === OPEN_OBJECT) {
			depth++;
			opened++;
		} else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
		if (depth > MAX_JSON_DEPTH || opened > MAX_JSON_OBJECTS) return true;
	}
	return false;
}

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

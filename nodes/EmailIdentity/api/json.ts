import { SERVICE_LIMITS, type ServiceLimits } from './limits';
import type { Entry } from './types';

export function isObject(value: unknown): value is Entry {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const QUOTE = 34;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Ignores a byte order mark (RFC 8259, section 8.1). @returns undefined if it is not JSON or exceeds the limits */
export function parseJson(text: string, limits = SERVICE_LIMITS): { value: unknown } | undefined {
	const json = text.replace(/^\uFEFF/, '');
	if (isTooMuch(json, limits)) return undefined;
	try {
		return { value: JSON.parse(json) };
	} catch {
		return undefined;
	}
}

/** Skips strings because nearly all of a delivery is one. */
function isTooMuch(json: string, { nesting, objects }: ServiceLimits): boolean {
	let depth = 0;
	let opened = 0;
	for (let at = 0; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (code === QUOTE) at = endOfString(json, at);
		else if (code === OPEN_LIST || code === OPEN_OBJECT) {
			depth++;
			opened++;
		} else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
		if (depth > nesting || opened > objects) return true;
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

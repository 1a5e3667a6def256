import type { IDataObject } from 'n8n-workflow';

/** How much of what a service sends is read. A larger response is an error; the rest of a message's field is left out. */
export const SERVICE_LIMITS = {
	/** Bytes: a list of 100,000 identities with all their DNS records, or a raw email of 50 MB, which JSON doubles. */
	response: 128 * 1024 * 1024,
	/** Services nest some ten levels deep. A million nested brackets take half a second to parse. */
	nesting: 1000,
	/** Objects and lists. 100,000 identities have half as many; more would block n8n for seconds. */
	objects: 1_000_000,
	/** Characters of an explanation. A longer body explains nothing, and would take long to parse. */
	explanation: 200_000,
	/** More headers, recipients, files or labels than mail servers allow. */
	entriesOfField: 10_000,
};

/** One resource as the service sent it, without its envelope. */
export type Entry = IDataObject;

export function isObject(value: unknown): value is Entry {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
function isTooMuch(json: string, { nesting, objects }: typeof SERVICE_LIMITS): boolean {
	let depth = 0;
	let opened = 0;
	for (let at = 0; at < json.length; at++) {
		const character = json[at];
		if (character === '"') {
			at = endOfString(json, at);
		} else if (character === '[' || character === '{') {
			depth++;
			opened++;
		} else if (character === ']' || character === '}') {
			depth--;
		}
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

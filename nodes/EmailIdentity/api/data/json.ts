import type { IDataObject } from 'n8n-workflow';

/** How much of a service's data is read. A larger response is an error; the rest of a message's field is left out. */
export interface ServiceLimits {
	/** Bytes of a response. */
	response: number;
	/** Levels of objects and lists within each other. */
	nesting: number;
	/** Objects and lists of a response. */
	objects: number;
	/** Characters of the body of a failed request. A longer body explains nothing. */
	explanation: number;
	/** Characters of a field of a message, such as its subject or all headers as JSON text; not of its text or HTML. */
	field: number;
	/** Headers, recipients, files or labels of a message. */
	entriesOfField: number;
}

export const SERVICE_LIMITS: ServiceLimits = {
	// A list of 100,000 identities with all their DNS records, or a raw email of 50 MB, which JSON doubles.
	response: 128 * 1024 * 1024,
	// Services nest some ten levels deep. A million nested brackets take half a second to parse.
	nesting: 1000,
	// 100,000 identities have half as many; more would block n8n for seconds.
	objects: 1_000_000,
	// A longer body would take long to parse.
	explanation: 200_000,
	// As much as is read of a raw email's header.
	field: 500_000,
	// More than mail servers allow.
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

/** The beginning of an object's JSON text, with the members that end within so many characters. */
export function beginningOfObject(json: string, length: number): string {
	if (json.length <= length) return json;
	const beginning = json.slice(0, length);
	let endOfMember = 0;
	followStructure(beginning, (character, depth, at) => {
		if (character === ',' && depth === 1) endOfMember = at;
		return true;
	});
	return `${beginning.slice(0, endOfMember)}}`;
}

function isTooMuch(json: string, { nesting, objects }: ServiceLimits): boolean {
	let opened = 0;
	return !followStructure(json, (character, depth) => {
		if (character === ',') return true;
		opened++;
		return depth <= nesting && opened <= objects;
	});
}

/** Gets a comma or the beginning of an object or a list, and how many are open after it. @returns whether to go on */
type Follow = (character: '[' | '{' | ',', depth: number, at: number) => boolean;

/**
 * Follows the objects and lists of a JSON text. Strings are skipped, because nearly all of a delivery is one.
 *
 * @returns whether it was followed to its end
 */
function followStructure(json: string, follow: Follow): boolean {
	let depth = 0;
	for (let at = 0; at < json.length; at++) {
		const character = json[at];
		switch (character) {
			case '"':
				at = endOfString(json, at);
				break;
			case '[':
			case '{':
				depth++;
				if (!follow(character, depth, at)) return false;
				break;
			case ',':
				if (!follow(character, depth, at)) return false;
				break;
			case ']':
			case '}':
				depth--;
		}
	}
	return true;
}

/** @returns the position of the closing quotation mark, or the end of the text */
function endOfString(json: string, start: number): number {
	let end = json.indexOf('"', start + 1);
	while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
	if (end < 0) return json.length;
	return end;
}

function isEscaped(json: string, at: number): boolean {
	let backslashes = 0;
	while (json[at - backslashes - 1] === '\\') backslashes++;
	return backslashes % 2 === 1;
}

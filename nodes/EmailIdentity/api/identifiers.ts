import { parseUrl } from '../lib/hosts';

const UUID_ONLY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID (RFC 9562, any version, either case). */
export function isUuid(text: string): boolean {
	return UUID_ONLY.test(text);
}

/** Whether two IDs are the same: UUIDs may be in either case (RFC 9562, section 4). Null is no ID. */
export function isSameId(one: string, other: string | null): boolean {
	return one.toLowerCase() === other?.toLowerCase();
}

/**
 * Finds the ID in what a user entered: the ID itself, or a web address whose last path segment is the ID. The service may
 * use anything for an ID (contract, section 4: a string).
 *
 * @param entered blanks around it are forgiven; a UUID may be in either case (RFC 9562, section 4)
 * @returns undefined when nothing was entered, or an address without a path
 */
export function readId(entered: unknown): string | undefined {
	if (typeof entered !== 'string' && typeof entered !== 'number') return undefined;
	const text = String(entered).trim();
	const id = /^https?:\/\//i.test(text) ? lastSegment(text) : text;
	return isUuid(id) ? id.toLowerCase() : id || undefined;
}

function lastSegment(address: string): string {
	const segment = parseUrl(address)?.pathname.split('/').filter(Boolean).at(-1) ?? '';
	try {
		return decodeURIComponent(segment);
	} catch {
		// A percent sign that escapes nothing is part of the ID.
		return segment;
	}
}

/**
 * Escapes an ID for use as one path segment (RFC 3986, section 3.3).
 *
 * @returns undefined for what no path segment can carry: nothing, and the dot segments, which every URL
 * parser removes, escaped or not
 */
export function toPathSegment(id: string): string | undefined {
	if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) return undefined;
	return encodeURIComponent(id);
}

import type { Entry } from './types';

/** Whether a value is a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Entry {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses JSON text; a byte order mark in front of it is forgiven (RFC 8259, section 8.1).
 *
 * @returns undefined when it is no JSON
 */
export function parseJson(text: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
	} catch {
		return undefined;
	}
}

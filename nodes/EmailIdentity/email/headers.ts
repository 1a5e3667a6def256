import { oneLine } from './oneLine';

// RFC 5322, 2.2. A line that is no header, such as the `From ` line of a mailbox file, has no such name.
const HEADER_NAME = /^[!-9;-~]+$/;

/** All values of each header in their order: what is repeated, such as `received`, is never collapsed. */
export function collectHeaders(
	headers: Array<{ key: string; value: string }>,
	decodeWords: (value: string) => string,
): Record<string, string[]> {
	const values = new Map<string, string[]>();
	for (const { key, value } of headers) {
		if (!HEADER_NAME.test(key) || key === '__proto__') continue;
		const line = oneLine(decodeWords(value));
		const known = values.get(key);
		if (known) known.push(line);
		else values.set(key, [line]);
	}
	return Object.fromEntries(values);
}

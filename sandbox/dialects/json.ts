import type { Dialect } from './dialect';

/** A value that some deployments send as JSON text: `null` is the text `null` then. */
export function presentJson(value: unknown, { jsonFields }: Dialect): unknown {
	return jsonFields === 'text' ? JSON.stringify(value) : value;
}

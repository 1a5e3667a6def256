import { automaticOf, type Automatic } from './automatic';
import { readDeliveredTo } from './deliveredTo';
import type { HeaderField } from './headerFields';

/** What an email's header says of how it came about. */
export interface EmailOrigin {
	/** What kind of automatic mail it is; null for what a person wrote, or where nothing tells. */
	automatic: Automatic | null;
	/** The address that it was delivered to, as the servers on its way wrote it down; null where nothing tells. */
	deliveredTo(): string | null;
	/**
	 * The value of a field, not decoded; `''` where there is none. Of a repeated field the topmost counts: servers write on
	 * top of what came, so it is the one of the last server that writes it.
	 *
	 * @param name in lower case
	 */
	topmost(name: string): string;
}

/** @param header all fields of an email, from the top down */
export function originOf(header: HeaderField[]): EmailOrigin {
	const values = new Map<string, string>();
	for (const { name, value } of header) {
		if (!values.has(name)) values.set(name, value);
	}
	return {
		automatic: automaticOf(values),
		deliveredTo: () => readDeliveredTo(header),
		topmost: (name) => values.get(name) ?? '',
	};
}

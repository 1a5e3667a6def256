import type { Dialect } from './dialect';

const envelopes: Record<Dialect['envelope'], (content: unknown) => unknown> = {
	bare: (content) => content,
	data: (data) => ({ data }),
	success: (data) => ({ success: true, data }),
};

/** A successful answer's body around one resource. */
export function wrapEntry(entry: unknown, dialect: Dialect): unknown {
	return envelopes[dialect.envelope](entry);
}

/** A successful answer's body around a list of `identities` or `webhooks`. */
export function wrapList(entries: unknown[], resource: string, dialect: Dialect): unknown {
	if (dialect.listKey === 'none') return wrapEntry(entries, dialect);
	const key = dialect.listKey === 'resource' ? resource : dialect.listKey;
	return wrapEntry({ [key]: entries }, dialect);
}

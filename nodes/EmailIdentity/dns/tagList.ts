/** A list of tags, as the records of DKIM and DMARC are (RFC 6376, section 3.2; RFC 7489, section 6.4). */
export interface TagList {
	/** By name, in the order in which they stand; blanks around values are gone. */
	tags: ReadonlyMap<string, string>;
	/** Why receivers do not take it, in a few words; null where they do. */
	flaw: string | null;
}

const TAG_NAME = /^[a-z]\w*$/i;

/**
 * Reads `tag=value; tag=value`. A flaw ends the reading.
 *
 * @param text of a record
 */
export function readTagList(text: string): TagList {
	const tags = new Map<string, string>();
	const specs = text.split(';');
	if (specs.at(-1)?.trim() === '') specs.pop();
	for (const spec of specs) {
		const equals = spec.indexOf('=');
		const name = spec.slice(0, Math.max(0, equals)).trim();
		if (!TAG_NAME.test(name)) return { tags, flaw: `"${shown(spec)}" is no tag with a value` };
		if (tags.has(name)) return { tags, flaw: `the tag ${name} is there twice` };
		tags.set(name, spec.slice(equals + 1).trim());
	}
	return { tags, flaw: null };
}

const shown = (spec: string): string => spec.trim().slice(0, 40);

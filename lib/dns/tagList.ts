import { trimOf } from '../basics';

/** The tag list of a DKIM or DMARC record, or of a signature (RFC 6376, section 3.2; RFC 9989, section 4.7). */
export interface TagList {
	/** By name, trimmed; the first of duplicates. */
	tags: ReadonlyMap<string, string>;
	/** Why strict receivers reject it, in a few words; null if valid. */
	flaw: string | null;
}

const TAG_NAME = /^[a-z]\w*$/i;

export function readTagList(text: string): TagList {
	const tags = new Map<string, string>();
	let flaw: string | null = null;
	const specs = text.split(';').map(trimBlanks);
	if (specs.at(-1) === '') specs.pop();
	for (const spec of specs) {
		const equals = spec.indexOf('=');
		const name = trimBlanks(spec.slice(0, Math.max(0, equals)));
		const value = trimBlanks(spec.slice(equals + 1));
		if (!TAG_NAME.test(name)) flaw ??= `"${spec}" is not a tag with a value`;
		else if (tags.has(name)) flaw ??= `the tag ${name} appears twice`;
		else tags.set(name, value);
	}
	return { tags, flaw };
}

/** Other whitespace, such as a form feed, belongs to the name or value. */
function trimBlanks(text: string): string {
	return trimOf(text, (character) => ' \t\r\n'.includes(character));
}

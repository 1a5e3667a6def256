/** What separates the entries of a filter. Blanks do not: names and subjects hold them. */
const SEPARATORS: ReadonlySet<string> = new Set([',', ';', '\n', '\r']);

/** One of several things that a filter lists. */
export interface FilterEntry {
	/** Without the quotation marks and the sign before it. */
	text: string;
	/** Whether it was in quotation marks, and so is meant word for word. */
	isQuoted: boolean;
	/** Whether a `-` stands before it. */
	isExcluded: boolean;
}

/** Takes apart what is written in a filter; what stands in quotation marks keeps its commas. */
export function filterEntries(list: string | undefined): FilterEntry[] {
	const parts = [''];
	let isQuoted = false;
	for (const character of list ?? '') {
		if (character === '"') isQuoted = !isQuoted;
		if (SEPARATORS.has(character) && !isQuoted) parts.push('');
		else parts.push(`${parts.pop() ?? ''}${character}`);
	}
	return parts.map((part) => part.trim()).flatMap((part) => (part === '' ? [] : [toEntry(part)]));
}

/** Whether a quotation mark was opened and not closed: what follows it is one entry, which nobody meant. */
export function hasOpenQuotation(list: string | undefined): boolean {
	return (list ?? '').split('"').length % 2 === 0;
}

function toEntry(part: string): FilterEntry {
	const isExcluded = part.startsWith('-');
	const rest = isExcluded ? part.slice(1).trim() : part;
	const isQuoted = rest.length > 1 && rest.startsWith('"') && rest.endsWith('"');
	return { text: isQuoted ? rest.slice(1, -1) : rest, isQuoted, isExcluded };
}

import { normalized } from '../../../../lib/basics';

/** An entry of a filter. */
export interface FilterEntry {
	/** Without quotation marks. */
	text: string;
	/** A quoted entry matches word for word. */
	isQuoted: boolean;
}

/** Separated by commas, semicolons and line ends outside quotation marks, but not by spaces, which names contain. */
const ENTRY = /(?:"[^"]*"?|[^",;\r\n])+/g;

/** @param list an expression may give anything */
export function filterEntries(list: unknown): FilterEntry[] {
	const entries: FilterEntry[] = [];
	for (const [part] of String(list ?? '').matchAll(ENTRY)) {
		const written = part.trim();
		if (written === '') continue;
		const entry = toEntry(written);
		// An empty pair of quotation marks would match everything.
		if (entry.text.trim() !== '') entries.push(entry);
	}
	return entries;
}

export function hasOpenQuotation(list: unknown): boolean {
	return String(list).split('"').length % 2 === 0;
}

function toEntry(written: string): FilterEntry {
	const isQuoted = written.length > 1 && written.startsWith('"') && written.endsWith('"');
	return { text: isQuoted ? written.slice(1, -1) : written, isQuoted };
}

/** Whether an entry starts with a `-`, by which other programs exclude what follows. */
export function meansExclusion({ text, isQuoted }: FilterEntry): boolean {
	return !isQuoted && text.startsWith('-');
}

export type Matcher = (text: string) => boolean;

/** `*` matches anything. Takes linear time, which a regular expression might not. */
export function wildcardMatcher(pattern: string): Matcher {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return (text) => text === pattern;
	return (text) => {
		if (!text.startsWith(first)) return false;
		let position = first.length;
		for (const part of rest) {
			const found = text.indexOf(part, position);
			if (found === -1) return false;
			position = found + part.length;
		}
		return text.length - last.length >= position && text.endsWith(last);
	};
}

/**
 * A letter that nobody writes (private use). A pattern that matches a text with this letter matches it with anything in its
 * place, because only a `*` of the pattern can have matched it.
 */
export const ANY_TEXT = '\uf8ff';

/** Letters that look the same become the same, in lower case. */
export function comparableText(text: string): string {
	return normalized(text).toLowerCase();
}

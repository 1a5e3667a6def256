import { normalized } from '../../lib/text';

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

/** Tells whether a text is what a pattern asks for. */
export type Matcher = (text: string) => boolean;

/**
 * Compares texts with a pattern in which `*` stands for anything.
 *
 * Finds the parts between the stars from left to right: linear in the text, where a regular expression could run away.
 */
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

/** Letters that look the same count as the same, in either case. */
export function foldCase(text: string): string {
	return normalized(text).toLowerCase();
}

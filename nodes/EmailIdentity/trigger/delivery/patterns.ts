import {
	extensionOf,
	fileKinds,
	type FileKinds,
	isExtension,
	isPicture,
	type ListedFile,
	usualSpelling,
} from '../../../../lib/email';
import { normalized } from '../../../../lib/basics';

/** Separated by commas, semicolons and line ends, but not in quotation marks; names and subjects hold blanks. */
const ENTRY = /(?:"[^"]*"?|[^",;\r\n])+/g;

export interface FilterEntry {
	/** Without quotation marks and the `-` before it. */
	text: string;
	/** It is meant word for word. */
	isQuoted: boolean;
	isExcluded: boolean;
}

/** @param list an expression may give anything */
export function filterEntries(list: unknown): FilterEntry[] {
	const parts = [...String(list ?? '').matchAll(ENTRY)].map(([part]) => part.trim());
	const entries = parts.filter((part) => part !== '').map(toEntry);
	// An empty pair of quotation marks would match everything.
	return entries.filter(({ text, isExcluded }) => isExcluded || text.trim() !== '');
}

/** Whether a quotation mark was opened and not closed: what follows it is one entry, which nobody meant. */
export function hasOpenQuotation(list: unknown): boolean {
	return String(list).split('"').length % 2 === 0;
}

function toEntry(part: string): FilterEntry {
	const isExcluded = part.startsWith('-');
	const rest = isExcluded ? part.slice(1).trim() : part;
	const isQuoted = rest.length > 1 && rest.startsWith('"') && rest.endsWith('"');
	return { text: isQuoted ? rest.slice(1, -1) : rest, isQuoted, isExcluded };
}

export type Matcher = (text: string) => boolean;

/** In a pattern `*` stands for anything. Linear in the text, where a regular expression could run away. */
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

const FILE_FORMS =
	'Enter an extension (*.pdf), a type (image/*), a name (invoice.pdf) or part of a name (invoice*)';

/** RFC 2045, 5.1, with stars. */
const FILE_TYPE = /^(?:\*|[a-z]+)\/[\w.+*-]+$/;

interface FilePattern {
	of: keyof FileKinds;
	matches: Matcher;
	/** Whether it says what kind of file it is for: only such a one is for pictures within the text. */
	namesKind: boolean;
}

/**
 * Compares files with a list as people write it, by name and type together (see `fileKinds`):
 *
 * | written | what matches |
 * | --- | --- |
 * | `*.pdf`, `.pdf`, `pdf` | files with this ending, and those of its type whose name says nothing |
 * | `image/*`, `application/pdf` | files of this type, and those whose ending stands for it |
 * | `invoice*`, `*2026*.pdf`, `invoice.pdf` | files with such a name |
 * | `invoice` | files with this in their name |
 *
 * Pictures within the text match only what names their kind: `image/*`, `*.png`, not `*` or `logo*`.
 */
export function attachmentMatcher(list: string): (file: ListedFile) => boolean {
	const patterns = filterEntries(list).map(toFilePattern);
	return (file) => {
		const kinds = fileKinds(file);
		const isInText = isPicture(file);
		return patterns.some(
			({ of, matches, namesKind }) => (namesKind || !isInText) && kinds[of].some(matches),
		);
	};
}

/** Why no file can ever match an entry, in words that follow it, with the right forms. */
export function attachmentProblem({ text, isExcluded }: FilterEntry): string | undefined {
	if (isExcluded)
		return `starts with a -, but this filter cannot exclude attachments. ${FILE_FORMS}`;
	const isType = text.includes('/');
	return isType && !FILE_TYPE.test(foldCase(text))
		? `is neither a file type nor a file name. ${FILE_FORMS}`
		: undefined;
}

function toFilePattern({ text: written, isQuoted }: FilterEntry): FilePattern {
	const text = foldCase(written);
	if (text.includes('/')) return { of: 'types', matches: wildcardMatcher(text), namesKind: true };
	// Endings are written with and without what belongs before them.
	const ending = text.startsWith('.') ? text : isExtension(text) ? `.${text}` : undefined;
	const name = ending === undefined || isQuoted ? text : `*${ending}`;
	const namesKind = extensionOf(name) !== '';
	const pattern = namesKind || name.includes('*') ? usualSpelling(name) : `*${name}*`;
	return { of: 'names', matches: wildcardMatcher(pattern), namesKind };
}

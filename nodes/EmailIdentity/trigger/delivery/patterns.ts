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

/** Separated by commas, semicolons and line ends outside quotation marks, but not by spaces, which names contain. */
const ENTRY = /(?:"[^"]*"?|[^",;\r\n])+/g;

export interface FilterEntry {
	/** Without quotation marks and the `-` before it. */
	text: string;
	/** Matches word for word. */
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

/** Letters that look the same become the same, in lower case. */
export function comparableText(text: string): string {
	return normalized(text).toLowerCase();
}

const FILE_FORMS =
	'Enter an extension (*.pdf), a type (image/*), a name (invoice.pdf) or part of a name (invoice*)';

/** RFC 2045, 5.1, with stars. */
const FILE_TYPE = /^(?:\*|[a-z]+)\/[\w.+*-]+$/;

interface FilePattern {
	of: keyof FileKinds;
	matches: Matcher;
	namesKind: boolean;
}

/**
 * Compares files with a list, by name and type (see `fileKinds`):
 *
 * | entry | matches |
 * | --- | --- |
 * | `*.pdf`, `.pdf`, `pdf` | files with this ending, and those of its type whose name says nothing |
 * | `image/*`, `application/pdf` | files of this type, and those whose ending stands for it |
 * | `invoice*`, `*2026*.pdf`, `invoice.pdf` | files with such a name |
 * | `invoice` | files with this in their name |
 *
 * Images within the text match only patterns that name their kind: `image/*`, `*.png`, not `*` or `logo*`.
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

/** Why no file can ever match an entry, in words that follow it. */
export function attachmentProblem({ text, isExcluded }: FilterEntry): string | undefined {
	if (isExcluded)
		return `starts with a -, but this filter cannot exclude attachments. ${FILE_FORMS}`;
	const isType = text.includes('/');
	return isType && !FILE_TYPE.test(comparableText(text))
		? `is neither a file type nor a file name. ${FILE_FORMS}`
		: undefined;
}

function toFilePattern({ text: written, isQuoted }: FilterEntry): FilePattern {
	const text = comparableText(written);
	if (text.includes('/')) return { of: 'types', matches: wildcardMatcher(text), namesKind: true };
	// Extensions are written with or without the star and the dot.
	const ending = text.startsWith('.') ? text : isExtension(text) ? `.${text}` : undefined;
	const name = ending === undefined || isQuoted ? text : `*${ending}`;
	const namesKind = extensionOf(name) !== '';
	const pattern = namesKind || name.includes('*') ? usualSpelling(name) : `*${name}*`;
	return { of: 'names', matches: wildcardMatcher(pattern), namesKind };
}

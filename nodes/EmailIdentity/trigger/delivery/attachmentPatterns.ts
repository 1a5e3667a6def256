import {
	extensionOf,
	fileKinds,
	isExtension,
	isPicture,
	usualSpelling,
	type FileKinds,
	type ListedFile,
} from '../../email';
import {
	filterEntries,
	foldCase,
	wildcardMatcher,
	type FilterEntry,
	type Matcher,
} from './patterns';

/** Right forms, for whoever wrote something else. */
const FORMS =
	'Write an ending (*.pdf), a type (image/*), a name (invoice.pdf) or part of one (invoice*)';

/** RFC 2045, 5.1, with stars. */
const TYPE = /^(?:\*|[a-z]+)\/[\w.+*-]+$/;

/** Attachments have these in their names no more (see `fileNames.ts`), and nobody sees why. */
const IN_NO_NAME = /[\\:?<>|"]/;

interface FilePattern {
	/** Compared with names, or with types. */
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
 *
 * @returns tells whether a file is one that is listed; undefined where nothing is listed
 */
export function attachmentMatcher(
	list: string | undefined,
): ((file: ListedFile) => boolean) | undefined {
	const patterns = filterEntries(list).map(toPattern);
	if (patterns.length === 0) return undefined;
	return (file) => {
		const kinds = fileKinds(file);
		const isInText = isPicture(file);
		return patterns.some(
			({ of, matches, namesKind }) => (namesKind || !isInText) && kinds[of].some(matches),
		);
	};
}

/** Why no file can ever match what is listed, as a sentence with the right forms; undefined where all of it can. */
export function attachmentProblem(list: string | undefined): string | undefined {
	for (const { text, isExcluded } of filterEntries(list)) {
		const shown = `"${text.slice(0, 100)}"`;
		if (isExcluded) return `${shown} has a - before it, and nothing can be excluded here. ${FORMS}`;
		if (text.includes('/') && !TYPE.test(foldCase(text))) {
			return `${shown} is neither a type nor the name of a file. ${FORMS}`;
		}
		const forbidden = IN_NO_NAME.exec(text)?.[0];
		if (forbidden !== undefined) return `no file has ${forbidden} in its name. ${FORMS}`;
		if (/^[\s.]*$/.test(text)) return `${shown} is no name of a file. ${FORMS}`;
	}
	return undefined;
}

function toPattern({ text: written, isQuoted }: FilterEntry): FilePattern {
	const text = foldCase(written);
	if (text.includes('/')) return { of: 'types', matches: wildcardMatcher(text), namesKind: true };
	const name = isQuoted ? text : asPattern(text);
	const namesKind = extensionOf(name) !== '';
	const pattern = namesKind || name.includes('*') ? usualSpelling(name) : `*${name}*`;
	return { of: 'names', matches: wildcardMatcher(pattern), namesKind };
}

/** Endings are written with and without what belongs before them. */
function asPattern(text: string): string {
	if (text.startsWith('.')) return `*${text}`;
	return isExtension(text) ? `*.${text}` : text;
}

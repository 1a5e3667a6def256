import {
	extensionOf,
	fileKinds,
	isExtension,
	usualSpelling,
	type ListedFile,
} from '../../../../lib/email';
import {
	comparableText,
	filterEntries,
	meansExclusion,
	wildcardMatcher,
	type FilterEntry,
	type Matcher,
} from './entries';

const FILE_FORMS =
	'Enter an extension (*.pdf), a type (image/*), a name (invoice.pdf) or part of a name (invoice*)';

/** RFC 2045, 5.1, with stars. */
const FILE_TYPE = /^(?:\*|[a-z]+)\/[\w.+*-]+$/;

/** An entry for files. */
interface FilePattern {
	/** Compared with the names or the types of a file. */
	of: 'names' | 'types';
	matches: Matcher;
	/** Whether it names a kind of file, so that it also matches images within the text. */
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
		const candidates = file.inline ? patterns.filter(({ namesKind }) => namesKind) : patterns;
		return candidates.some(({ of, matches }) => kinds[of].some(matches));
	};
}

/** Why no file can ever match an entry, in words that follow it. */
export function attachmentProblem(entry: FilterEntry): string | undefined {
	const { text } = entry;
	if (meansExclusion(entry)) {
		return `starts with a -, but this filter cannot exclude attachments. ${FILE_FORMS}`;
	}
	const isType = text.includes('/');
	if (!isType || FILE_TYPE.test(comparableText(text))) return undefined;
	return `is neither a file type nor a file name. ${FILE_FORMS}`;
}

function toFilePattern(entry: FilterEntry): FilePattern {
	const text = comparableText(entry.text);
	if (text.includes('/')) return { of: 'types', matches: wildcardMatcher(text), namesKind: true };
	const name = entry.isQuoted ? text : withStar(text);
	const namesKind = extensionOf(name) !== '';
	const isWholeName = namesKind || name.includes('*');
	const pattern = isWholeName ? usualSpelling(name) : `*${name}*`;
	return { of: 'names', matches: wildcardMatcher(pattern), namesKind };
}

/** Extensions are written with or without the star and the dot. */
function withStar(text: string): string {
	if (text.startsWith('.')) return `*${text}`;
	return isExtension(text) ? `*.${text}` : text;
}

import {
	ANY_TEXT,
	comparableText,
	filterEntries,
	wildcardMatcher,
	type FilterEntry,
} from './entries';

/** The subject contains one of the texts, and none that has a `-` in front. `*` matches anything, except in quotation marks. */
export function matchesSubject(list: string, subject: string): boolean {
	const { wanted, excluded } = splitEntries(list);
	const text = comparableText(subject);
	const hasWanted = wanted.length === 0 || wanted.some((entry) => hasText(text, entry));
	return hasWanted && !excluded.some((entry) => hasText(text, entry));
}

/** Why an entry can never match, in words that follow it. */
export function subjectProblem(entry: FilterEntry, list: string): string | undefined {
	if (entry.isExcluded) {
		if (entry.text !== '') return undefined;
		return 'has no text after the -. Enter the text to exclude, such as -newsletter';
	}
	const everySubject = entry.isQuoted ? entry.text : entry.text.replaceAll('*', ANY_TEXT);
	const excluding = splitEntries(list).excluded.find((other) =>
		hasText(comparableText(everySubject), other),
	);
	if (excluding === undefined) return undefined;
	return `is also excluded, by "-${excluding.text}". Remove one of them`;
}

function splitEntries(list: string): { wanted: FilterEntry[]; excluded: FilterEntry[] } {
	const entries = filterEntries(list);
	return {
		wanted: entries.filter(({ isExcluded }) => !isExcluded),
		excluded: entries.filter(({ isExcluded }) => isExcluded),
	};
}

function hasText(subject: string, { text, isQuoted }: FilterEntry): boolean {
	const written = comparableText(text);
	if (isQuoted) return subject.includes(written);
	return wildcardMatcher(`*${written}*`)(subject);
}

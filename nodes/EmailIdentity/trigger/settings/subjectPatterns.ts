import {
	ANY_TEXT,
	comparableText,
	filterEntries,
	meansExclusion,
	wildcardMatcher,
	type FilterEntry,
} from './entries';

/** Whether a subject contains at least one of the texts. `*` matches anything, except in quotation marks. */
export function matchesSubject(list: string, subject: string): boolean {
	const text = comparableText(subject);
	return filterEntries(list).some((entry) => hasText(text, entry));
}

/** Why an entry can never match, in words that follow it. */
export function subjectProblem(entry: FilterEntry, excluded = ''): string | undefined {
	if (meansExclusion(entry)) {
		return "starts with a -. Texts to exclude belong in 'Subject Excludes', without it; a text that has it belongs in quotation marks";
	}
	const everySubject = entry.isQuoted ? entry.text : entry.text.replaceAll('*', ANY_TEXT);
	const excluding = filterEntries(excluded).find((other) =>
		hasText(comparableText(everySubject), other),
	);
	if (excluding === undefined) return undefined;
	return `is also excluded, by "${excluding.text}" in 'Subject Excludes'. Remove one of them`;
}

function hasText(subject: string, { text, isQuoted }: FilterEntry): boolean {
	const written = comparableText(text);
	if (isQuoted) return subject.includes(written);
	return wildcardMatcher(`*${written}*`)(subject);
}

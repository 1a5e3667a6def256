import { filterEntries, type FilterEntry } from './filterEntries';
import { foldCase, wildcardMatcher, type Matcher } from './wildcards';

/**
 * Looks for what is listed in a subject: one of the texts has to be there, and none of those with a `-` before them.
 * `*` stands for anything, except in quotation marks.
 *
 * @returns undefined where nothing is listed
 */
export function matchesSubject(list: string | undefined, subject: string): boolean | undefined {
	const entries = filterEntries(list);
	if (entries.length === 0) return undefined;
	const folded = foldCase(subject);
	const isThere = (entry: FilterEntry) => matcherOf(entry)(folded);
	const wanted = entries.filter(({ isExcluded }) => !isExcluded);
	const excluded = entries.filter(({ isExcluded }) => isExcluded);
	return (wanted.length === 0 || wanted.some(isThere)) && !excluded.some(isThere);
}

/** Why no subject can ever match; undefined where one can. */
export function subjectProblem(list: string | undefined): string | undefined {
	const entries = filterEntries(list);
	if (entries.some(({ text, isExcluded }) => isExcluded && text === '')) {
		return 'there is nothing after a -. Write what subjects must not contain behind it, such as -newsletter';
	}
	const wanted = entries.filter(({ isExcluded }) => !isExcluded);
	const excluded = entries.filter(({ isExcluded }) => isExcluded).map(matcherOf);
	const never = wanted.filter(({ text }) => excluded.some((matches) => matches(foldCase(text))));
	if (wanted.length === 0 || never.length < wanted.length) return undefined;
	return `"${never[0]?.text.slice(0, 100)}" is also excluded by what has a - before it. Take one of them out`;
}

function matcherOf({ text, isQuoted }: FilterEntry): Matcher {
	const wanted = foldCase(text);
	return isQuoted ? (subject) => subject.includes(wanted) : wildcardMatcher(`*${wanted}*`);
}

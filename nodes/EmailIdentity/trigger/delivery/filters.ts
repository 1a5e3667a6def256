import type { EmailAddress, OpenedEmail } from '../../email';
import type { Filters } from '../options';

/** What the filters look at. */
interface FilteredEmail extends Pick<
	OpenedEmail,
	'from' | 'to' | 'cc' | 'subject' | 'hasAttachments'
> {
	/** The address that it was delivered to, where that is told: recipients in Bcc stand nowhere else. */
	recipient: string | null;
}

/** So many addresses of an email are compared with domains and stars. No email that was meant for people has more. */
const MOST_MATCHED = 2000;

/** Tells whether an email passes one filter; undefined when that filter is not set. */
type Check = (filters: Filters, email: FilteredEmail) => boolean | undefined;

/** By the filter's label in the editor. */
const CHECKS = {
	From: ({ from }, email) => matchesAny(from, email.from === null ? [] : [email.from]),
	To: ({ to }, { recipient, ...email }) =>
		matchesAny(to, [{ address: recipient ?? '' }, ...email.to, ...email.cc]),
	'Subject Contains': ({ subject }, email) =>
		subject ? fold(email.subject).includes(fold(subject)) : undefined,
	'Has Attachments': ({ hasAttachments }, email) =>
		hasAttachments === undefined ? undefined : email.hasAttachments === hasAttachments,
} satisfies Record<string, Check>;

export type FilterLabel = keyof typeof CHECKS;

export const FILTER_LABELS = Object.keys(CHECKS) as FilterLabel[];

const NO_EMAIL: FilteredEmail = {
	from: null,
	to: [],
	cc: [],
	subject: '',
	hasAttachments: false,
	recipient: null,
};

/** Whether any filter is set: without one, an email need not be looked at. */
export function isFiltering(filters: Filters): boolean {
	return FILTER_LABELS.some((label) => CHECKS[label](filters, NO_EMAIL) !== undefined);
}

/** The first filter that holds an email back; undefined when it passes all that are set. */
export function failedFilter(filters: Filters, email: FilteredEmail): FilterLabel | undefined {
	return FILTER_LABELS.find((label) => CHECKS[label](filters, email) === false);
}

function matchesAny(
	patterns: string | undefined,
	addresses: Array<Pick<EmailAddress, 'address'>>,
): boolean | undefined {
	const wanted = fold(patterns ?? '')
		.split(/[\s,;]+/)
		.map((pattern) => pattern.replace(/^<|>$/g, ''))
		.filter((pattern) => pattern !== '');
	if (wanted.length === 0) return undefined;
	// What is an address without stars is looked up: many of them, and many recipients, take no longer than reading them.
	const exact = new Set(wanted.filter((pattern) => /^[^*@]+@[^*]+$/.test(pattern)));
	const matchers = wanted.filter((pattern) => !exact.has(pattern)).map(addressMatcher);
	const distinct = [...new Set(addresses.map(({ address }) => fold(address.trim())))];
	return (
		distinct.some((address) => exact.has(address)) ||
		distinct.slice(0, MOST_MATCHED).some((address) => matchers.some((matches) => matches(address)))
	);
}

type Matcher = (text: string) => boolean;

/** `a@b.c` is an address, `b.c` and `@b.c` a domain; `*` stands for anything. */
function addressMatcher(pattern: string): Matcher {
	const matches = matcher(pattern.startsWith('@') ? pattern.slice(1) : pattern);
	const matchesDomain: Matcher = (address) => matches(address.slice(address.lastIndexOf('@') + 1));
	if (pattern.startsWith('@')) return matchesDomain;
	if (pattern.includes('@')) return matches;
	return pattern.includes('*')
		? (address) => matchesDomain(address) || matches(address)
		: matchesDomain;
}

/** Finds the parts between the stars from left to right: linear, where a regular expression could run away. */
function matcher(pattern: string): Matcher {
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
function fold(text: string): string {
	return text.normalize('NFC').toLowerCase();
}

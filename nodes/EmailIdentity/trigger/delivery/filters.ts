import type { EmailAddress, OpenedEmail } from '../../email';
import type { Filters } from '../options';

/** What the filters look at. */
type FilteredEmail = Pick<OpenedEmail, 'from' | 'to' | 'cc' | 'subject' | 'hasAttachments'>;

/** Each tells whether an email passes one filter; undefined when that filter is not set. */
const CHECKS: Array<(filters: Filters, email: FilteredEmail) => boolean | undefined> = [
	({ from }, email) => matchesAny(from, email.from === null ? [] : [email.from]),
	({ to }, email) => matchesAny(to, [...email.to, ...email.cc]),
	({ subject }, email) => (subject ? fold(email.subject).includes(fold(subject)) : undefined),
	({ hasAttachments }, email) =>
		hasAttachments === undefined ? undefined : email.hasAttachments === hasAttachments,
];

const NO_EMAIL: FilteredEmail = {
	from: null,
	to: [],
	cc: [],
	subject: '',
	hasAttachments: false,
};

/** Whether any filter is set: without one, an email need not be looked at. */
export function isFiltering(filters: Filters): boolean {
	return CHECKS.some((check) => check(filters, NO_EMAIL) !== undefined);
}

/** Whether an email passes all filters that are set. */
export function passesFilters(filters: Filters, email: FilteredEmail): boolean {
	return CHECKS.every((check) => check(filters, email) !== false);
}

function matchesAny(patterns: string | undefined, addresses: EmailAddress[]): boolean | undefined {
	const wanted = fold(patterns ?? '')
		.split(/[\s,;]+/)
		.map((pattern) => pattern.replace(/^<|>$/g, ''))
		.filter((pattern) => pattern !== '');
	if (wanted.length === 0) return undefined;
	// What is an address without stars is looked up: many of them, and many recipients, take no longer than reading them.
	const exact = new Set(wanted.filter((pattern) => /^[^*@]+@[^*]+$/.test(pattern)));
	const domainsAndStars = wanted.filter((pattern) => !exact.has(pattern));
	const distinct = new Set(addresses.map(({ address }) => fold(address.trim())));
	return [...distinct].some(
		(address) =>
			exact.has(address) || domainsAndStars.some((pattern) => matchesAddress(pattern, address)),
	);
}

/** `a@b.c` is an address, `b.c` and `@b.c` a domain; `*` stands for anything. */
function matchesAddress(pattern: string, address: string): boolean {
	const domain = address.slice(address.lastIndexOf('@') + 1);
	if (pattern.startsWith('@')) return matchesPattern(pattern.slice(1), domain);
	if (pattern.includes('@')) return matchesPattern(pattern, address);
	return (
		matchesPattern(pattern, domain) || (pattern.includes('*') && matchesPattern(pattern, address))
	);
}

/** Finds the parts between the stars from left to right: linear, where a regular expression could run away. */
function matchesPattern(pattern: string, text: string): boolean {
	const [first = '', ...rest] = pattern.split('*');
	const last = rest.pop();
	if (last === undefined) return text === pattern;
	if (!text.startsWith(first)) return false;
	let position = first.length;
	for (const part of rest) {
		const found = text.indexOf(part, position);
		if (found === -1) return false;
		position = found + part.length;
	}
	return text.length - last.length >= position && text.endsWith(last);
}

/** Letters that look the same count as the same, in either case. */
function fold(text: string): string {
	return text.normalize('NFC').toLowerCase();
}

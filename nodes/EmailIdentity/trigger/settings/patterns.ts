import {
	type EmailAddress,
	extensionOf,
	fileKinds,
	isExtension,
	type ListedFile,
	usualSpelling,
} from '../../../../lib/email';
import { asciiDomain, identityKey, normalized, splitAddress } from '../../../../lib/basics';

/** Separated by commas, semicolons and line ends outside quotation marks, but not by spaces, which names contain. */
const ENTRY = /(?:"[^"]*"?|[^",;\r\n])+/g;

export type FilterEntry = ReturnType<typeof toEntry>;

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

/** `text` is without quotation marks and the `-` before it. A quoted one matches word for word. */
function toEntry(part: string) {
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
		return patterns.some(
			({ of, matches, namesKind }) => (namesKind || !file.inline) && kinds[of].some(matches),
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

function toFilePattern({ text: written, isQuoted }: FilterEntry) {
	const text = comparableText(written);
	if (text.includes('/'))
		return { of: 'types', matches: wildcardMatcher(text), namesKind: true } as const;
	// Extensions are written with or without the star and the dot.
	const ending = text.startsWith('.') ? text : isExtension(text) ? `.${text}` : undefined;
	const name = ending === undefined || isQuoted ? text : `*${ending}`;
	const namesKind = extensionOf(name) !== '';
	const pattern = namesKind || name.includes('*') ? usualSpelling(name) : `*${name}*`;
	return { of: 'names', matches: wildcardMatcher(pattern), namesKind } as const;
}

/** No email for people has more mailboxes. */
const MAX_MATCHED = 2000;

const ADDRESS_FORMS =
	'an address (ada@example.com), a domain (example.com) or a pattern (*@example.com)';

const ADDRESS_IN_BRACKETS = /<([^<>]*)>$/;

/** A part of a domain, or of a pattern for one. */
const DOMAIN_LABEL = '[\\p{L}\\p{M}\\p{N}*_-]+';

/** Without a mailbox, it is for the domain. */
const ADDRESS_PATTERN = new RegExp(
	`^([^\\s"(),:;<>@[\\\\\\]]*)@(${DOMAIN_LABEL}(?:\\.${DOMAIN_LABEL})*)$`,
	'u',
);

const DOMAIN_PATTERN = new RegExp(
	`^(?:${DOMAIN_LABEL}\\.)+(?:[\\p{L}\\p{M}*]{2,}|\\*|xn--[a-z0-9-]+)$`,
	'u',
);

interface MailboxParts {
	address: string[];
	domain: string[];
	/** The display name and the local part, which names many robots. */
	name: string[];
}

interface AddressPattern {
	of: ReadonlyArray<keyof MailboxParts>;
	matches: Matcher;
	/** Why it can never match. */
	problem?: string;
}

/**
 * Compares mailboxes with a list:
 *
 * | entry | matches |
 * | --- | --- |
 * | `ada@example.com`, `Ada <ada@example.com>` | the address |
 * | `example.com`, `@example.com` | addresses in this domain, not in those below it |
 * | `*.example.com`, `*@example.*`, `ada*` | addresses by the pattern; without an @, names too |
 * | `Zoë Sender`, `"Sender, Zoë"` | display names and local parts that contain it |
 *
 * Entries with an @ match only addresses, because anyone can write an address into a display name. If the domain must be
 * proved, entries for names match nothing, and look-alike letters differ.
 */
export function matchesAnyAddress(
	list: string,
	mailboxes: Array<EmailAddress | null>,
	isProofRequired = false,
): boolean {
	const patterns = filterEntries(list).map((entry) => toPattern(entry, isProofRequired));
	const partsOf = isProofRequired ? provedParts : writtenParts;
	return mailboxes
		.slice(0, MAX_MATCHED)
		.flatMap((mailbox) => (mailbox === null ? [] : [partsOf(mailbox)]))
		.some((parts) =>
			patterns.some(({ of, matches }) => of.some((part) => parts[part].some(matches))),
		);
}

/** With the domain in ASCII, as in the DNS. */
export function addressToProve(from: EmailAddress | null): string | null {
	const { mailbox, domain } = splitAddress(from?.address ?? '');
	const inAscii = asciiDomain(domain);
	if (mailbox === '' || inAscii === null) return null;
	// Only ASCII: other characters can become ASCII letters in lower case.
	return `${mailbox.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${inAscii}`;
}

export const addressProblem = (entry: FilterEntry, isProofRequired = false): string | undefined =>
	toPattern(entry, isProofRequired).problem;

function toPattern(
	{ text: written, isQuoted, isExcluded }: FilterEntry,
	isProofRequired: boolean,
): AddressPattern {
	if (isExcluded) return impossible("starts with a -. Use the filter 'From Excludes' instead");
	const text = oneBlank(comparableText(ADDRESS_IN_BRACKETS.exec(written)?.[1] ?? written));
	const [, mailbox, domain = toDomain(isQuoted ? '' : text)] = ADDRESS_PATTERN.exec(text) ?? [];
	if (mailbox) return patternFor(`${mailbox}@${inAscii(domain ?? '')}`, 'address');
	if (domain !== undefined) return patternFor(inAscii(domain), 'domain');
	if (text === '' || text.includes('@') || text.includes('://')) {
		return impossible(
			`is neither an address nor a name. Enter ${ADDRESS_FORMS}, or part of a name (Ada Lovelace)`,
		);
	}
	if (isProofRequired) {
		return impossible(
			`is a name, and names can be forged. With 'Sender Check' set to Require, enter ${ADDRESS_FORMS}`,
		);
	}
	if (text.includes('*') && !isQuoted) return patternFor(text, 'address', 'domain', 'name');
	return patternFor(`*${text}*`, 'name');
}

const patternFor = (text: string, ...of: Array<keyof MailboxParts>): AddressPattern => ({
	of,
	matches: wildcardMatcher(text),
});

const impossible = (problem: string): AddressPattern => ({ of: [], matches: () => false, problem });

/** `.example.com` stands for subdomains; a final dot has no meaning (RFC 1034, 3.1). */
function toDomain(text: string): string | undefined {
	const domain = (text.startsWith('.') ? `*${text}` : text).replace(/\.$/, '');
	return DOMAIN_PATTERN.test(domain) ? domain : undefined;
}

/** Also with the domain as in the DNS, so that invisible letters, other dots and a final dot make no difference. */
function writtenParts({ name, address }: EmailAddress): MailboxParts {
	const text = comparableText(address.trim());
	const { mailbox, domain } = splitAddress(text);
	const inAscii = identityKey(text).replace(/\.$/, '');
	return {
		address: [text, inAscii],
		domain: [domain, splitAddress(inAscii).domain],
		name: [oneBlank(comparableText(name)), mailbox],
	};
}

function provedParts(from: EmailAddress): MailboxParts {
	const address = [addressToProve(from)].filter((known) => known !== null);
	return { address, domain: address.map((one) => splitAddress(one).domain), name: [] };
}

function oneBlank(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** Label by label, because some may contain stars. A single label is not a domain. */
function inAscii(domain: string): string {
	const toAscii = (label: string) => asciiDomain(`${label}.example`)?.replace(/\.example$/, '');
	return domain
		.split('.')
		.map((label) => toAscii(label) ?? label)
		.join('.');
}

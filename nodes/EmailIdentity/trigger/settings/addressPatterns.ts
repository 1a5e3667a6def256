import { identityKey, splitAddress } from '../../../../lib/basics';
import { asciiDomain } from '../../../../lib/dns';
import type { EmailAddress } from '../../../../lib/email';
import {
	ANY_TEXT,
	comparableText,
	filterEntries,
	meansExclusion,
	wildcardMatcher,
	type FilterEntry,
	type Matcher,
} from './entries';

/** No email for people has more mailboxes. A stranger can write 50,000 into To, and each is compared with each entry of a filter. */
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

/** The parts of a mailbox that entries are compared with, each in the ways in which it can be written. */
interface MailboxParts {
	address: string[];
	domain: string[];
	/** The display name and the local part, which names many robots. */
	name: string[];
}

/** An entry for mailboxes. */
interface AddressPattern {
	/** The parts that it is compared with. */
	of: ReadonlyArray<keyof MailboxParts>;
	/** With stars; domains in ASCII, as in the DNS. */
	text: string;
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
	const patterns = filterEntries(list).map((entry) => toAddressPattern(entry, isProofRequired));
	for (const mailbox of mailboxes.slice(0, MAX_MATCHED)) {
		if (mailbox === null) continue;
		const parts = isProofRequired ? provedParts(mailbox) : writtenParts(mailbox);
		for (const { of, matches } of patterns) {
			if (of.some((part) => parts[part].some(matches))) return true;
		}
	}
	return false;
}

/** With the domain in ASCII, as in the DNS. */
export function addressToProve(from: EmailAddress | null): string | null {
	const { mailbox, domain } = splitAddress(from?.address ?? '');
	const inAscii = asciiDomain(domain);
	if (mailbox === '' || inAscii === null) return null;
	// Only ASCII: other characters can become ASCII letters in lower case.
	const inLowerCase = mailbox.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
	return `${inLowerCase}@${inAscii}`;
}

/** Why an entry can never match, in words that follow it. */
export function addressProblem(entry: FilterEntry, isProofRequired = false): string | undefined {
	return toAddressPattern(entry, isProofRequired).problem;
}

/** The entry of a list that matches every mailbox that an entry matches; undefined if there is none. */
export function coveringEntry(entry: FilterEntry, list: string): string | undefined {
	const { of, text } = toAddressPattern(entry, false);
	const widest = text.replaceAll('*', ANY_TEXT);
	const mailboxes: Record<keyof MailboxParts, EmailAddress> = {
		address: { name: '', address: widest },
		domain: { name: '', address: `${ANY_TEXT}@${widest}` },
		name: { name: widest, address: '' },
	};
	for (const other of filterEntries(list)) {
		const written = other.isQuoted ? `"${other.text}"` : other.text;
		const isCovering = of.every((part) => matchesAnyAddress(written, [mailboxes[part]]));
		if (isCovering) return written;
	}
	return undefined;
}

/** The addresses in a list, without names, domains and patterns. */
export function plainAddressesIn(list: string): string[] {
	const patterns = filterEntries(list).map((entry) => toAddressPattern(entry, false));
	const addresses = patterns.filter(({ of, text }) => of[0] === 'address' && !text.includes('*'));
	return addresses.map(({ text }) => text);
}

function toAddressPattern(entry: FilterEntry, isProofRequired: boolean): AddressPattern {
	if (meansExclusion(entry))
		return impossible("starts with a -. Use the filter 'From Excludes' instead");
	const written = ADDRESS_IN_BRACKETS.exec(entry.text)?.[1] ?? entry.text;
	const text = oneBlank(comparableText(written));

	const address = ADDRESS_PATTERN.exec(text);
	if (address) {
		const [, mailbox = '', domain = ''] = address;
		if (mailbox === '') return patternFor(inAscii(domain), 'domain');
		return patternFor(`${mailbox}@${inAscii(domain)}`, 'address');
	}
	const domain = entry.isQuoted ? undefined : toDomain(text);
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
	const isPattern = text.includes('*') && !entry.isQuoted;
	if (isPattern) return patternFor(text, 'address', 'domain', 'name');
	return patternFor(`*${text}*`, 'name');
}

function patternFor(text: string, ...of: Array<keyof MailboxParts>): AddressPattern {
	return { of, text, matches: wildcardMatcher(text) };
}

function impossible(problem: string): AddressPattern {
	return { of: [], text: '', matches: () => false, problem };
}

/** `.example.com` stands for subdomains; a final dot has no meaning (RFC 1034, 3.1). */
function toDomain(text: string): string | undefined {
	const withStar = text.startsWith('.') ? `*${text}` : text;
	const domain = withStar.replace(/\.$/, '');
	return DOMAIN_PATTERN.test(domain) ? domain : undefined;
}

/** Also with the domain as in the DNS, so that invisible letters, other dots and a final dot make no difference. */
function writtenParts({ name, address }: EmailAddress): MailboxParts {
	const text = comparableText(address.trim());
	const { mailbox, domain } = splitAddress(text);
	const asInDns = identityKey(text).replace(/\.$/, '');
	return {
		address: [text, asInDns],
		domain: [domain, splitAddress(asInDns).domain],
		name: [oneBlank(comparableText(name)), mailbox],
	};
}

/** Names prove nothing. */
function provedParts(from: EmailAddress): MailboxParts {
	const address = addressToProve(from);
	if (address === null) return { address: [], domain: [], name: [] };
	return { address: [address], domain: [splitAddress(address).domain], name: [] };
}

function oneBlank(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** Label by label, because some may contain stars. A single label is not a domain. */
function inAscii(domain: string): string {
	const labels: string[] = [];
	for (const label of domain.split('.')) {
		const ascii = asciiDomain(`${label}.example`);
		labels.push(ascii?.replace(/\.example$/, '') ?? label);
	}
	return labels.join('.');
}

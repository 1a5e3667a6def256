import type { EmailAddress } from '../../../../lib/email';
import { asciiDomain, identityKey, splitAddress } from '../../../../lib/basics';
import {
	filterEntries,
	foldCase,
	wildcardMatcher,
	type FilterEntry,
	type Matcher,
} from './patterns';

/** No email that was meant for people has more mailboxes. */
const MAX_MATCHED = 2000;

const ADDRESS_FORMS =
	'an address (ada@example.com), a domain (example.com) or a pattern (*@example.com)';

const ADDRESS_IN_BRACKETS = /<([^<>]*)>$/;

/** A part of a domain, or of a pattern for one. */
const LABEL = '[\\p{L}\\p{M}\\p{N}*_-]+';

/** Without a mailbox, it is for the domain. */
const ADDRESS = new RegExp(`^([^\\s"(),:;<>@[\\\\\\]]*)@(${LABEL}(?:\\.${LABEL})*)$`, 'u');

const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?:[\\p{L}\\p{M}*]{2,}|\\*|xn--[a-z0-9-]+)$`, 'u');

/** In each spelling. */
interface MailboxParts {
	address: string[];
	domain: string[];
	/** The display name, and what stands before the @, by which many robots are known. */
	name: string[];
}

interface AddressPattern {
	of: ReadonlyArray<keyof MailboxParts>;
	matches: Matcher;
	/** Why it can never match. */
	problem?: string;
}

/**
 * Compares mailboxes with a list as people write it:
 *
 * | written | what matches |
 * | --- | --- |
 * | `ada@example.com`, `Ada <ada@example.com>` | the address |
 * | `example.com`, `@example.com` | addresses in this domain, not in those below it |
 * | `*.example.com`, `*@example.*`, `ada*` | addresses by the pattern; without an @, names too |
 * | `Zoë Sender`, `"Sender, Zoë"` | a display name that holds it, or what stands before the @ |
 *
 * What has an @ is for addresses alone: anybody can write one into a display name.
 *
 * @param isProofRequired whether the domain has to be proved. Then entries for names match nothing, and letters that only look
 * like others are others.
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

/** @returns with its domain in ASCII, as the DNS knows it; null for what is no address */
export function addressToProve(from: EmailAddress | null): string | null {
	const { mailbox, domain } = splitAddress(from?.address ?? '');
	const inAscii = asciiDomain(domain);
	if (mailbox === '' || inAscii === null) return null;
	// Of what is not ASCII the case is left alone: some signs become ASCII letters with it.
	return `${mailbox.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${inAscii}`;
}

/** Why an entry can never match, in words that follow it, with the right forms. */
export const addressProblem = (entry: FilterEntry, isProofRequired = false): string | undefined =>
	toPattern(entry, isProofRequired).problem;

function toPattern(
	{ text: written, isQuoted, isExcluded }: FilterEntry,
	isProofRequired: boolean,
): AddressPattern {
	if (isExcluded) return impossible('starts with a -. Use the filter Exclude From instead');
	const text = oneBlank(foldCase(ADDRESS_IN_BRACKETS.exec(written)?.[1] ?? written));
	const [, mailbox, domain = toDomain(isQuoted ? '' : text)] = ADDRESS.exec(text) ?? [];
	if (mailbox) return patternFor(`${mailbox}@${inAscii(domain ?? '')}`, 'address');
	if (domain !== undefined) return patternFor(inAscii(domain), 'domain');
	if (text === '' || text.includes('@') || text.includes('://')) {
		return impossible(
			`is neither an address nor a name. Enter ${ADDRESS_FORMS}, or part of a name (Ada Lovelace)`,
		);
	}
	if (isProofRequired) {
		return impossible(
			`is a name, and names can be forged. With Sender Check set to Require, enter ${ADDRESS_FORMS}`,
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

/** `.example.com` is what is below it; a dot at the end says nothing (RFC 1034, 3.1). */
function toDomain(text: string): string | undefined {
	const domain = (text.startsWith('.') ? `*${text}` : text).replace(/\.$/, '');
	return DOMAIN.test(domain) ? domain : undefined;
}

/** Also with the domain as the DNS knows it: invisible letters, other dots and a dot at its end make it no other one. */
function writtenParts({ name, address }: EmailAddress): MailboxParts {
	const text = foldCase(address.trim());
	const { mailbox, domain } = splitAddress(text);
	const inAscii = identityKey(text).replace(/\.$/, '');
	return {
		address: [text, inAscii],
		domain: [domain, splitAddress(inAscii).domain],
		name: [oneBlank(foldCase(name)), mailbox],
	};
}

function provedParts(from: EmailAddress): MailboxParts {
	const address = [addressToProve(from)].filter((known) => known !== null);
	return { address, domain: address.map((one) => splitAddress(one).domain), name: [] };
}

function oneBlank(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** Label by label, because some may hold stars. A label alone is no domain. */
function inAscii(domain: string): string {
	const toAscii = (label: string) => asciiDomain(`${label}.example`)?.replace(/\.example$/, '');
	return domain
		.split('.')
		.map((label) => toAscii(label) ?? label)
		.join('.');
}

import type { EmailAddress } from '../../email';
import { asciiDomain, toAsciiHost } from '../../lib/hosts';
import {
	filterEntries,
	foldCase,
	wildcardMatcher,
	type FilterEntry,
	type Matcher,
} from './patterns';

/** No email that was meant for people has more mailboxes, and no name is longer. */
const MAX_MATCHED = 2000;
const MAX_NAME_LENGTH = 1000;

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
 * @param isProofRequired whether the domain has to be proved. Then what is listed for names counts for nothing, and letters
 * that only look like others are others.
 */
export function matchesAnyAddress(
	list: string,
	mailboxes: Array<EmailAddress | null>,
	isProofRequired = false,
): boolean {
	const listed = filterEntries(list).map(toPattern);
	const patterns = isProofRequired ? listed.filter(isForAddressesOnly) : listed;
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
	const { mailbox, domain } = takeApart(from?.address ?? '');
	const inAscii = asciiDomain(domain);
	if (mailbox === '' || inAscii === null) return null;
	// Of what is not ASCII the case is left alone: some signs become ASCII letters with it.
	return `${mailbox.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${inAscii}`;
}

/** Why something in a list can never match, as a sentence with the right forms. */
export function addressProblem(list: string, isProofRequired = false): string | undefined {
	for (const entry of filterEntries(list)) {
		const pattern = toPattern(entry);
		if (pattern.problem !== undefined) return `"${entry.text.slice(0, 100)}" ${pattern.problem}`;
		if (isProofRequired && !isForAddressesOnly(pattern)) {
			return `"${entry.text.slice(0, 100)}" is a name, and names can be forged. With Sender Check set to Require, enter ${ADDRESS_FORMS}`;
		}
	}
	return undefined;
}

const isForAddressesOnly = ({ of }: AddressPattern): boolean => !of.includes('name');

function toPattern({ text: written, isQuoted, isExcluded }: FilterEntry): AddressPattern {
	if (isExcluded) return impossible('starts with a -. Use the filter Exclude From instead');
	const text = oneBlank(foldCase(ADDRESS_IN_BRACKETS.exec(written)?.[1] ?? written));
	const [, mailbox, domain = toDomain(isQuoted ? '' : text)] = ADDRESS.exec(text) ?? [];
	if (mailbox) return patternFor(`${mailbox}@${inAscii(domain ?? '')}`, 'address');
	if (domain !== undefined) return patternFor(inAscii(domain), 'domain');
	if (text.includes('@') || text.includes('://')) {
		return impossible(
			`is neither an address nor a name. Enter ${ADDRESS_FORMS}, or part of a name (Ada Lovelace)`,
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
	const { mailbox, domain } = takeApart(text);
	const ascii = /^[ -~]*$/.test(domain) ? domain : (toAsciiHost(domain) ?? domain);
	const host = ascii.replace(/\.$/, '');
	const names = [name, takeApart(address).mailbox].filter((given) => given !== '');
	return {
		address: [text, `${mailbox}@${host}`],
		domain: [domain, host],
		name: names.map((given) => oneBlank(foldCase(given.slice(0, MAX_NAME_LENGTH)))),
	};
}

function provedParts(from: EmailAddress): MailboxParts {
	const address = addressToProve(from);
	if (address === null) return { address: [], domain: [], name: [] };
	return { address: [address], domain: [takeApart(address).domain], name: [] };
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

function takeApart(address: string): { mailbox: string; domain: string } {
	const at = address.lastIndexOf('@');
	return { mailbox: address.slice(0, Math.max(0, at)), domain: address.slice(at + 1) };
}

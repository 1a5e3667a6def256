import { isExtension, type EmailAddress } from '../../email';
import { asciiDomain, toAsciiHost } from '../../lib/hosts';
import {
	filterEntries,
	foldCase,
	wildcardMatcher,
	type FilterEntry,
	type Matcher,
} from './patterns';

/** So many addresses of an email are compared one by one. No email that was meant for people has more. */
const MAX_MATCHED = 2000;

/** So much of a name is compared. No name of a person or a firm is longer. */
const MAX_NAME_LENGTH = 1000;

/** Right forms, for error messages. */
const ADDRESS_FORMS =
	'an address (ada@example.com), a domain (example.com) or a pattern (*@example.com)';

/** Extensions of files that are also top-level domains. */
const DOMAINS_TOO: ReadonlySet<string> = new Set(['md', 'mov', 'zip']);

const ADDRESS_IN_BRACKETS = /<([^<>]*)>$/;

/** A part of a domain, or of a pattern for one. */
const LABEL = /^[\p{L}\p{M}\p{N}*_-]+$/u;

const TOP_LEVEL = /^(?:[\p{L}\p{M}*]{2,}|\*|xn--[a-z0-9-]+)$/u;

const HOLDS_A_WORD = /[\p{L}\p{N}\p{So}*]/u;

const MAILBOX = /^[^\s"(),:;<>@[\\\]]+$/;

interface AddressPattern {
	kind: 'address' | 'domain' | 'name' | 'pattern' | 'impossible';
	/** What is compared, its domain in ASCII (IDNA) where it can be; the problem of one that can never match. */
	text: string;
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
 * @returns whether one of the mailboxes is one that is listed; undefined where nothing is listed
 */
export function matchesAnyAddress(
	list: string | undefined,
	mailboxes: EmailAddress[],
): boolean | undefined {
	const patterns = filterEntries(list).map(toPattern);
	if (patterns.length === 0) return undefined;
	const addresses = new Set(mailboxes.flatMap(({ address }) => spellingsOf(address)));
	if (includesAddress(patterns, [...addresses])) return true;
	// What has an @ is for addresses alone: anybody can write one into a display name.
	const names = [
		...textsOf(patterns, 'name').map((text) => `*${text}*`),
		...textsOf(patterns, 'pattern').filter((text) => !text.includes('@')),
	].map(wildcardMatcher);
	if (names.length === 0) return false;
	const given = new Set(mailboxes.slice(0, MAX_MATCHED).flatMap(namesOf));
	return matchAny(names, [...given]);
}

/**
 * Compares an address whose domain has to be proved with such a list. What is in there for names counts for nothing, and
 * letters that only look like others are others.
 *
 * @param address see `addressToProve`
 * @returns whether it is listed; undefined where nothing is
 */
export function matchesProvedAddress(
	list: string | undefined,
	address: string | null,
): boolean | undefined {
	const patterns = filterEntries(list).map(toPattern);
	if (patterns.length === 0) return undefined;
	return address !== null && includesAddress(patterns.filter(isForAddressesOnly), [address]);
}

/**
 * The address of From, of which the domain has to be proved.
 *
 * @returns with its domain in ASCII, as the DNS knows it; null for what is no address
 */
export function addressToProve(from: EmailAddress | null): string | null {
	const { mailbox, domain } = takeApart(from?.address ?? '');
	const inAscii = asciiDomain(domain);
	if (mailbox === '' || inAscii === null) return null;
	// Of what is not ASCII the case is left alone: some signs become ASCII letters with it.
	return `${mailbox.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${inAscii}`;
}

/**
 * Why something in a list can never match, as a sentence with the right forms.
 *
 * @param isProofRequired whether names cannot match, because the domain of the sender has to be proved
 */
export function addressProblem(
	list: string | undefined,
	isProofRequired = false,
): string | undefined {
	for (const entry of filterEntries(list)) {
		const pattern = toPattern(entry);
		if (pattern.kind === 'impossible') return pattern.text;
		if (isProofRequired && !isForAddressesOnly(pattern)) {
			return `"${entry.text.slice(0, 100)}" is a name, and names can be forged. With Sender Check set to Require, enter ${ADDRESS_FORMS}`;
		}
	}
	return undefined;
}

const isForAddressesOnly = ({ kind, text }: AddressPattern): boolean =>
	kind === 'domain' || kind === 'address' || (kind === 'pattern' && text.includes('@'));

/** Addresses without stars are looked up: many of them, and many recipients, take no longer than reading them. */
function includesAddress(patterns: AddressPattern[], addresses: string[]): boolean {
	const exact = new Set(textsOf(patterns, 'address'));
	if (addresses.some((address) => exact.has(address))) return true;
	const domains = textsOf(patterns, 'domain').map(wildcardMatcher);
	const whole = textsOf(patterns, 'pattern').map(wildcardMatcher);
	const compared = addresses.slice(0, MAX_MATCHED);
	return (
		matchAny(whole, compared) ||
		matchAny(
			[...domains, ...whole],
			compared.map((address) => takeApart(address).domain),
		)
	);
}

function toPattern({ text: written, isQuoted, isExcluded }: FilterEntry): AddressPattern {
	if (isExcluded)
		return impossible(written, 'starts with a -. Use the filter Exclude From instead');
	const bracketed = ADDRESS_IN_BRACKETS.exec(written)?.[1];
	const text = oneBlank(foldCase(bracketed ?? written));
	if (text.includes('@')) return toAddress(text) ?? malformed(written);
	if (text.includes('://') || !HOLDS_A_WORD.test(text)) return malformed(written);
	if (isQuoted) return { kind: 'name', text };
	const domain = toDomain(text);
	if (domain === undefined) return { kind: text.includes('*') ? 'pattern' : 'name', text };
	const last = domain.slice(domain.lastIndexOf('.') + 1);
	if (isExtension(last) && !DOMAINS_TOO.has(last)) {
		return impossible(written, 'is a file name. Use the filter Attachments instead');
	}
	return { kind: 'domain', text: labelsInAscii(domain) };
}

/** `.example.com` is what is below it; a dot at the end says nothing (RFC 1034, 3.1). */
function toDomain(text: string): string | undefined {
	const domain = (text.startsWith('.') ? `*${text}` : text).replace(/\.$/, '');
	const labels = domain.split('.');
	const isDomain = labels.length > 1 && labels.every((label) => LABEL.test(label));
	return isDomain && TOP_LEVEL.test(labels.at(-1) ?? '') ? domain : undefined;
}

function toAddress(text: string): AddressPattern | undefined {
	const { mailbox, domain } = takeApart(text);
	const isLiteral = /^\[[^[\]]+\]$/.test(domain);
	if (!isLiteral && !domain.split('.').every((label) => LABEL.test(label))) return undefined;
	const inAscii = labelsInAscii(domain);
	if (mailbox === '') return { kind: 'domain', text: inAscii };
	if (!MAILBOX.test(mailbox)) return undefined;
	return { kind: text.includes('*') ? 'pattern' : 'address', text: `${mailbox}@${inAscii}` };
}

function malformed(written: string): AddressPattern {
	const forms = `Enter ${ADDRESS_FORMS}, or part of a name (Ada Lovelace)`;
	return impossible(written, `is neither an address nor a name. ${forms}`);
}

function impossible(written: string, what: string): AddressPattern {
	return { kind: 'impossible', text: `"${written.slice(0, 100)}" ${what}` };
}

function textsOf(patterns: AddressPattern[], kind: AddressPattern['kind']): string[] {
	return patterns.flatMap((pattern) => (pattern.kind === kind ? [pattern.text] : []));
}

/** Also with the domain as the DNS knows it: invisible letters, other dots and a dot at its end make it no other one. */
function spellingsOf(address: string): string[] {
	const text = foldCase(address.trim());
	const { mailbox, domain } = takeApart(text);
	const inAscii = /^[ -~]*$/.test(domain) ? domain : (toAsciiHost(domain) ?? domain);
	return [text, text.includes('@') ? `${mailbox}@${inAscii.replace(/\.$/, '')}` : text];
}

function matchAny(matchers: Matcher[], texts: string[]): boolean {
	return texts.some((text) => matchers.some((matches) => matches(text)));
}

/** The display name, and what stands before the @, by which many robots are known. */
function namesOf({ name, address }: EmailAddress): string[] {
	return [name, takeApart(address).mailbox]
		.filter((text) => text !== '')
		.map((text) => oneBlank(foldCase(text.slice(0, MAX_NAME_LENGTH))));
}

function oneBlank(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** A label alone is no domain. */
const ANY_TOP_LEVEL = '.example';

/** One by one, as some may hold stars. */
function labelsInAscii(domain: string): string {
	const inAscii = (label: string) =>
		asciiDomain(label + ANY_TOP_LEVEL)?.slice(0, -ANY_TOP_LEVEL.length);
	return domain
		.split('.')
		.map((label) => inAscii(label) ?? label)
		.join('.');
}

function takeApart(address: string): { mailbox: string; domain: string } {
	const at = address.lastIndexOf('@');
	return { mailbox: address.slice(0, Math.max(0, at)), domain: address.slice(at + 1) };
}

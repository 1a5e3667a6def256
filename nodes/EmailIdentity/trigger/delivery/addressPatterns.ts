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
const FORMS =
	'Write an address (ada@example.com), a domain (example.com), a pattern (*@example.com) or part of a name (Ada Lovelace)';

/** Extensions of files that are also top-level domains. */
const DOMAINS_TOO: ReadonlySet<string> = new Set(['md', 'mov', 'zip']);

const ADDRESS_IN_BRACKETS = /<([^<>]*)>$/;

/** A part of a domain, or of a pattern for one. */
const LABEL = /^[\p{L}\p{M}\p{N}*_-]+$/u;

const TOP_LEVEL = /^(?:[\p{L}\p{M}*]{2,}|\*|xn--[a-z0-9-]+)$/u;

const HOLDS_A_WORD = /[\p{L}\p{N}\p{So}*]/u;

const MAILBOX = /^[^\s"(),:;<>@[\\\]]+$/;

/** The forms in which senders and recipients are written in a filter. */
export type AddressPattern =
	| { kind: 'address' | 'domain' | 'name' | 'pattern'; text: string }
	| { kind: 'impossible'; problem: string };

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
	const wanted = filterEntries(list).map(toPattern);
	if (wanted.length === 0) return undefined;
	// What is an address without stars is looked up: many of them, and many recipients, take no longer than reading them.
	const exact = new Set(textsOf(wanted, 'address'));
	const addresses = new Set(
		mailboxes.flatMap(({ address }) => spellingsOf(foldCase(address.trim()))),
	);
	if ([...addresses].some((address) => exact.has(address))) return true;
	const domains = textsOf(wanted, 'domain').map(wildcardMatcher);
	const patterns = textsOf(wanted, 'pattern').map(wildcardMatcher);
	// What has an @ is for addresses alone: anybody can write one into a display name.
	const names = [
		...textsOf(wanted, 'name').map((text) => wildcardMatcher(`*${text}*`)),
		...textsOf(wanted, 'pattern')
			.filter((text) => !text.includes('@'))
			.map(wildcardMatcher),
	];
	const compared = [...addresses].slice(0, MAX_MATCHED);
	if (matchAny([...domains, ...patterns], compared.map(domainOf))) return true;
	if (matchAny(patterns, compared)) return true;
	if (names.length === 0) return false;
	const given = new Set(mailboxes.slice(0, MAX_MATCHED).flatMap(namesOf));
	return matchAny(names, [...given]);
}

/** Why no mailbox can ever match what is listed, as a sentence with the right forms; undefined where all of it can. */
export function addressProblem(list: string | undefined): string | undefined {
	for (const entry of filterEntries(list)) {
		const pattern = toPattern(entry);
		if (pattern.kind === 'impossible') return pattern.problem;
	}
	return undefined;
}

/** What one entry stands for. */
export function toPattern({ text: written, isQuoted, isExcluded }: FilterEntry): AddressPattern {
	if (isExcluded) {
		return impossible(
			written,
			'has a - before it. To leave senders out, use the filter Exclude From',
		);
	}
	const bracketed = ADDRESS_IN_BRACKETS.exec(written)?.[1];
	const text = oneBlank(foldCase(bracketed ?? written));
	if (text.includes('://')) return impossible(written, 'is the address of a page');
	if (text.includes('@')) return toAddress(text, written);
	if (!HOLDS_A_WORD.test(text)) return impossible(written, 'is neither an address nor a name');
	if (isQuoted) return { kind: 'name', text };
	const domain = toDomain(text);
	const last = domain?.slice(domain.lastIndexOf('.') + 1) ?? '';
	if (isExtension(last) && !DOMAINS_TOO.has(last)) {
		return impossible(written, 'names a file, which is for the filter Attachments');
	}
	if (domain !== undefined) return { kind: 'domain', text: domain };
	return { kind: text.includes('*') ? 'pattern' : 'name', text };
}

/** `.example.com` is what is below it; a dot at the end says nothing (RFC 1034, 3.1). */
function toDomain(text: string): string | undefined {
	const domain = (text.startsWith('.') ? `*${text}` : text).replace(/\.$/, '');
	const labels = domain.split('.');
	const isDomain = labels.length > 1 && labels.every((label) => LABEL.test(label));
	return isDomain && TOP_LEVEL.test(labels.at(-1) ?? '') ? domain : undefined;
}

function toAddress(text: string, written: string): AddressPattern {
	const [mailbox = '', domain = '', ...more] = text.split('@');
	if (more.length > 0) return impossible(written, 'has more than one @');
	if (/\s/.test(text)) return impossible(written, 'is an address with a blank in it');
	const isLiteral = /^\[[^[\]]+\]$/.test(domain);
	if (!isLiteral && !domain.split('.').every((label) => LABEL.test(label))) {
		return impossible(written, domain === '' ? 'has nothing after the @' : 'has no such domain');
	}
	if (mailbox === '') return { kind: 'domain', text: domain };
	if (!MAILBOX.test(mailbox)) return impossible(written, 'is no address');
	return { kind: text.includes('*') ? 'pattern' : 'address', text };
}

function impossible(written: string, what: string): AddressPattern {
	return { kind: 'impossible', problem: `"${written.slice(0, 100)}" ${what}. ${FORMS}` };
}

function textsOf(patterns: AddressPattern[], kind: AddressPattern['kind']): string[] {
	return patterns.flatMap((pattern) =>
		pattern.kind === kind && 'text' in pattern ? spellingsOf(pattern.text) : [],
	);
}

/** Also with the domain as the DNS knows it: invisible letters, other dots and a dot at its end make it no other one. */
function spellingsOf(text: string): string[] {
	const { mailbox, domain } = takeApart(text);
	const plain = domain.includes('*') ? labelsInAscii(domain) : plainDomain(domain);
	return plain === domain ? [text] : [text, text.includes('@') ? `${mailbox}@${plain}` : plain];
}

function plainDomain(domain: string): string {
	const inAscii = /^[ -~]*$/.test(domain) ? domain : (toAsciiHost(domain) ?? domain);
	return inAscii.replace(/\.$/, '');
}

function matchAny(matchers: Matcher[], texts: string[]): boolean {
	return texts.some((text) => matchers.some((matches) => matches(text)));
}

function domainOf(address: string): string {
	return address.slice(address.lastIndexOf('@') + 1);
}

/** The display name, and what stands before the @, by which many robots are known. */
function namesOf({ name, address }: EmailAddress): string[] {
	const mailbox = address.slice(0, Math.max(0, address.lastIndexOf('@')));
	return [name, mailbox]
		.filter((text) => text !== '')
		.map((text) => oneBlank(foldCase(text.slice(0, MAX_NAME_LENGTH))));
}

function oneBlank(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

/** A label alone is no domain. */
const ANY_TOP_LEVEL = '.example';

/**
 * The address of From, of which the domain has to be proved.
 *
 * @returns with its domain in ASCII, as the DNS knows it; null for what is no address
 */
export function addressToProve(from: EmailAddress | null): string | null {
	const { mailbox, domain } = takeApart(from?.address ?? '');
	const inAscii = asciiDomain(domain);
	return mailbox === '' || inAscii === null ? null : `${mailbox}@${inAscii}`;
}

/**
 * Compares an address whose domain has to be proved with a list as `matchesAnyAddress` takes it. What is in there for names
 * counts for nothing, and letters that only look like others are others.
 *
 * @param address see `addressToProve`
 * @returns whether it is listed; undefined where nothing is
 */
export function matchesProvedAddress(
	list: string | undefined,
	address: string | null,
): boolean | undefined {
	const wanted = filterEntries(list);
	if (wanted.length === 0) return undefined;
	const { mailbox, domain } = takeApart(address ?? '');
	// Of what is not ASCII the case is left alone: some signs become ASCII letters with it.
	const folded = mailbox.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
	return wanted.map(toProvable).some((pattern) => {
		if (pattern === undefined) return false;
		const compared = pattern.includes('@') ? `${folded}@${domain}` : domain;
		return wildcardMatcher(pattern)(compared);
	});
}

/** Why a list of senders whose domain has to be proved holds what can never match, with the right forms. */
export function provedAddressProblem(list: string | undefined): string | undefined {
	for (const entry of filterEntries(list)) {
		const pattern = toPattern(entry);
		if (pattern.kind === 'impossible') return pattern.problem;
		if (toProvable(entry) === undefined) return nameProblem(entry);
	}
	return undefined;
}

function nameProblem({ text }: FilterEntry): string {
	return `"${text.slice(0, 100)}" is a name, which can be forged and cannot be proved. With Sender Check set to Require, write an address (ada@example.com), a domain (example.com) or a pattern with an @ (*@example.com)`;
}

/** A pattern for addresses, or one without an @ for domains; undefined for what is compared with names, too. */
function toProvable(entry: FilterEntry): string | undefined {
	const pattern = toPattern(entry);
	if (pattern.kind === 'impossible' || pattern.kind === 'name') return undefined;
	if (pattern.kind === 'domain') return labelsInAscii(pattern.text);
	const { mailbox, domain } = takeApart(pattern.text);
	return pattern.text.includes('@') ? `${mailbox}@${labelsInAscii(domain)}` : undefined;
}

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

import { asciiDomain } from '../../lib/hosts';
import type { EmailAddress } from '../../email';
import { toPattern, type AddressPattern } from './addressPatterns';
import { filterEntries, type FilterEntry } from './filterEntries';
import { wildcardMatcher } from './wildcards';

/** A label alone is no domain. */
const TOP_LEVEL = '.example';

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
	return `"${text.slice(0, 100)}" is a name, which anybody can write and nobody can prove. With Only Authenticated Senders, write an address (ada@example.com), a domain (example.com) or a pattern with an @ (*@example.com)`;
}

/** A pattern for addresses, or one without an @ for domains; undefined for what is compared with names, too. */
function toProvable(entry: FilterEntry): string | undefined {
	const pattern: AddressPattern = toPattern(entry);
	if (pattern.kind === 'impossible' || pattern.kind === 'name') return undefined;
	if (pattern.kind === 'domain') return labelsInAscii(pattern.text);
	const { mailbox, domain } = takeApart(pattern.text);
	return pattern.text.includes('@') ? `${mailbox}@${labelsInAscii(domain)}` : undefined;
}

/** One by one, as some may hold stars. */
function labelsInAscii(domain: string): string {
	const inAscii = (label: string) => asciiDomain(label + TOP_LEVEL)?.slice(0, -TOP_LEVEL.length);
	return domain
		.split('.')
		.map((label) => inAscii(label) ?? label)
		.join('.');
}

function takeApart(address: string): { mailbox: string; domain: string } {
	const at = address.lastIndexOf('@');
	return { mailbox: address.slice(0, Math.max(0, at)), domain: address.slice(at + 1) };
}

import { isDnsName, toAsciiHost } from '../lib/hosts';

const ASCII = /^[\x21-\x7e]+$/;

/**
 * A name as the DNS is asked for it: in small letters, without the dot at its end.
 *
 * @param name ASCII (IDNA)
 * @returns undefined where no name of the DNS can be like this (RFC 1035, section 2.3.4): there is none
 */
export function toQuestionName(name: string): string | undefined {
	const asked = name.toLowerCase().replace(/\.$/, '');
	return isDnsName(asked) ? asked : undefined;
}

/**
 * A name as it stands in a record: in small letters, without the dot at its end, so that the root is an empty text.
 * Labels may hold any bytes; what is no printable ASCII is shown as `?`.
 */
export function toRecordName(name: string): string {
	return name
		.toLowerCase()
		.replace(/\.$/, '')
		.replace(/[^\x21-\x7e]/g, '?');
}

/**
 * A name as the DNS is asked for it.
 *
 * @param text as people and services write it
 * @returns undefined where it can be no name
 */
export function toDomainName(text: string): string | undefined {
	const written = text.trim();
	const name = ASCII.test(written) ? written : toAsciiHost(written);
	return name === undefined ? undefined : toQuestionName(name);
}

/**
 * The whole name of a record that a service names: providers write `@` or nothing for the domain itself, and leave out the
 * domain, or the part of it that a zone above it has.
 *
 * @param written such as `mail._domainkey`, `mail._domainkey.example.com` or `@`
 * @param domain the domain it is for, as the DNS is asked for it
 * @returns undefined where it can be no name
 */
export function toWholeName(written: string, domain: string): string | undefined {
	const text = written.trim();
	if (text === '' || text === '@') return domain;
	const name = toDomainName(text);
	if (name === undefined) return undefined;
	const zones = [domain, ...parentsOf(domain)];
	if (text.endsWith('.') || zones.some((zone) => isWithin(name, zone))) return name;
	// `mail._domainkey.news` for news.example.com: left out is what the zone example.com adds.
	const zone = zones.find((parent) => isWithin(name, domain.slice(0, -parent.length - 1)));
	return toDomainName(`${name}.${zone ?? domain}`);
}

/** The names above one, the nearest first, without the top-level domain. */
export function parentsOf(name: string): string[] {
	const labels = name.split('.');
	return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}

function isWithin(name: string, zone: string): boolean {
	return zone !== '' && (name === zone || name.endsWith(`.${zone}`));
}

let publicSuffixes: typeof import('tldts') | undefined;

/** The list is large, so it is loaded with the first question. */
export async function loadPublicSuffixes(): Promise<void> {
	publicSuffixes ??= await import('tldts');
}

/**
 * The domain that somebody registered, of which the others are subdomains (RFC 7489, 3.2), by the public suffix list.
 *
 * @returns null for a public suffix, such as `co.uk`, and for an address
 * @throws Error before `loadPublicSuffixes`
 */
export function organizationalDomain(domain: string): string | null {
	if (publicSuffixes === undefined) throw new Error('The public suffixes are not loaded');
	return publicSuffixes.getDomain(domain, { allowPrivateDomains: true });
}

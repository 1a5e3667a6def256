import { getDomain } from 'tldts';

/**
 * The domain that somebody registered, of which the others are subdomains (RFC 7489, 3.2), by the public suffix list.
 *
 * @returns null for a public suffix, such as `co.uk`, and for an address
 */
export function organizationalDomain(domain: string): string | null {
	return getDomain(domain, { allowPrivateDomains: true });
}

/**
 * Whether a signature's domain counts for the domain of From (identifier alignment, RFC 7489, 3.1.1).
 *
 * @param mode strict: the same; relaxed: of the same organization
 */
export function isAligned(signer: string, from: string, mode: 'relaxed' | 'strict'): boolean {
	const organization = organizationalDomain(from);
	if (organization === null) return false;
	return mode === 'strict' ? signer === from : organizationalDomain(signer) === organization;
}

import { hasProvider, isDomainIdentity, type Identity } from '../api/data/resources';
import { splitAddress } from '../../../lib/basics';

/**
 * How an identity receives and sends mail. Only domains, and addresses that the service itself receives for, are ever
 * verified. Every other address stays `unverified` and works.
 */
export type SetupName =
	| 'domain'
	/** Uses Google's API. It has neither a provider nor an SMTP account. */
	| 'gmail'
	/** Read by IMAP; sends through its SMTP account. */
	| 'mailAccount'
	/** The service itself receives for it; the account has no such domain. */
	| 'inbound'
	| 'addressOfDomain'
	/** The account cannot see the domain. */
	| 'addressOfUnseenDomain'
	/** Another provider reads it. */
	| 'provider'
	| 'unconnected';

export interface IdentitySetup {
	setup: SetupName;
	/** The domain identity, which may be the identity itself; undefined if the account cannot see it. */
	domain: Identity | undefined;
}

/** The domain identity of an address is found by its `domainIdentityId`, or else by its domain. */
export function setupLookup(
	identities: readonly Identity[],
): (identity: Identity) => IdentitySetup {
	const byId = new Map<string, Identity>();
	const byDomain = new Map<string, Identity>();
	for (const identity of identities) {
		byId.set(identity.id.toLowerCase(), identity);
		if (isDomainIdentity(identity)) byDomain.set(identityDomain(identity), identity);
	}

	function domainOf(identity: Identity): Identity | undefined {
		if (isDomainIdentity(identity)) return identity;
		const { domainIdentityId } = identity;
		if (domainIdentityId !== null) return byId.get(domainIdentityId.toLowerCase());
		return byDomain.get(identityDomain(identity));
	}

	return (identity) => {
		const domain = domainOf(identity);
		return { setup: setupOf(identity, domain), domain };
	};
}

function setupOf(identity: Identity, domain: Identity | undefined): SetupName {
	if (isDomainIdentity(identity)) return 'domain';
	if (hasProvider(identity, 'google')) return 'gmail';
	if (identity.smtpAccountId !== null) return 'mailAccount';
	if (hasProvider(identity, 'inbound')) return 'inbound';
	if (domain !== undefined) return 'addressOfDomain';
	if (identity.domainIdentityId !== null) return 'addressOfUnseenDomain';
	if (identity.providerId !== null) return 'provider';
	return 'unconnected';
}

/** The domain of an address, or the domain itself, in lower case. */
export function identityDomain({ value }: Identity): string {
	return splitAddress(value ?? '').domain.toLowerCase();
}

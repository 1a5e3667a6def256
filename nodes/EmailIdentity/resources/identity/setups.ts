import { isObject } from '../../api/json';
import type { Identity } from '../../api/types';
import { isDomain } from '../../shared/identityKinds';

/**
 * How an identity gets and sends its mail, as far as its fields tell. What its status means hangs on it: only a domain, and
 * an address that the service itself receives for, is ever verified; every other address stays `unverified` and works.
 */
export type Setup =
	/** A domain, with DNS records that prove who owns it. */
	| 'domain'
	/** An address that hangs on a domain identity which the account can see. */
	| 'addressOfDomain'
	/** An address that hangs on a domain identity which the account cannot see. */
	| 'addressOfUnseenDomain'
	/** An address that is read by IMAP and sends through its SMTP account. */
	| 'mailAccount'
	/** An address that is read and sent through Google's API: neither provider nor SMTP account is named. */
	| 'gmail'
	/** An address that the service itself receives for, without a domain of the account. */
	| 'inbound'
	/** An address that some other provider reads. */
	| 'provider'
	/** An address that nothing is known to read. */
	| 'unconnected';

/** Finds the domain identity that an address hangs on. */
export type DomainLookup = (identity: Identity) => Identity | undefined;

/** Tells the set-ups of addresses apart, the surest sign first. */
const SIGNS: ReadonlyArray<{
	setup: Setup;
	isSeen(identity: Identity, find: DomainLookup): boolean;
}> = [
	{ setup: 'gmail', isSeen: ({ meta }) => providerIn(meta) === 'google' },
	{ setup: 'mailAccount', isSeen: ({ smtpAccountId }) => smtpAccountId !== null },
	{ setup: 'inbound', isSeen: ({ meta }) => providerIn(meta) === 'inbound' },
	{ setup: 'addressOfDomain', isSeen: (identity, find) => find(identity) !== undefined },
	{ setup: 'addressOfUnseenDomain', isSeen: ({ domainIdentityId }) => domainIdentityId !== null },
	{ setup: 'provider', isSeen: ({ providerId }) => providerId !== null },
];

/**
 * The set-up of an identity.
 *
 * @param find the domain identity of an address, among those that the account can see
 */
export function setupOf(identity: Identity, find: DomainLookup): Setup {
	if (isDomain(identity)) return 'domain';
	return SIGNS.find(({ isSeen }) => isSeen(identity, find))?.setup ?? 'unconnected';
}

/**
 * Prepares the search for the domain identity of an address: the one that it names, or else the one with its domain.
 *
 * @param identities all of the account
 */
export function domainLookup(identities: readonly Identity[]): DomainLookup {
	const byId = new Map(identities.map((identity) => [identity.id.toLowerCase(), identity]));
	const domains = identities.filter(isDomain);
	const byName = new Map(domains.map((identity) => [domainOf(identity), identity]));
	return (identity) =>
		identity.domainIdentityId === null
			? byName.get(domainOf(identity))
			: byId.get(identity.domainIdentityId.toLowerCase());
}

/** Metadata may name the provider, as it does where no provider of the account's own is used. */
function providerIn(meta: unknown): string | undefined {
	if (!isObject(meta)) return undefined;
	if (isObject(meta.gmail)) return 'google';
	return typeof meta.provider === 'string' ? meta.provider.toLowerCase() : undefined;
}

/** The domain of an identity in lower case: what follows the `@` of an address, or the domain itself. */
export function domainOf({ value }: Identity): string {
	return (value ?? '').slice((value ?? '').lastIndexOf('@') + 1).toLowerCase();
}

import { isObject } from '../api/json';
import type { Identity } from '../api/resources';
import { splitAddress } from '../../../lib/basics';
import { isDomainIdentity } from '../shared/identities';

/**
 * How an identity receives and sends mail, by its fields. The first match counts. Only domains, and addresses that the
 * service itself receives for, are ever verified. Every other address stays `unverified` and works.
 */
const SETUPS = [
	['domain', isDomainIdentity],
	// Uses Google's API. It has neither a provider nor an SMTP account.
	['gmail', (identity) => hasProvider(identity, 'google')],
	// Read by IMAP; sends through its SMTP account.
	['mailAccount', ({ smtpAccountId }) => smtpAccountId !== null],
	// The service itself receives for it; the account has no such domain.
	['inbound', (identity) => hasProvider(identity, 'inbound')],
	['addressOfDomain', (_identity, domain) => domain !== undefined],
	// The account cannot see the domain.
	['addressOfUnseenDomain', ({ domainIdentityId }) => domainIdentityId !== null],
	// Another provider reads it.
	['provider', ({ providerId }) => providerId !== null],
	['unconnected', () => true],
] as const satisfies ReadonlyArray<[string, (identity: Identity, domain?: Identity) => boolean]>;

export type SetupName = (typeof SETUPS)[number][0];

export interface IdentitySetup {
	setup: SetupName;
	/** The domain identity, which may be the identity itself; undefined if the account cannot see it. */
	domain: Identity | undefined;
}

/** The domain identity of an address is found by its `domainIdentityId`, or else by its domain. */
export function setupLookup(
	identities: readonly Identity[],
): (identity: Identity) => IdentitySetup {
	const byId = new Map(identities.map((identity) => [identity.id.toLowerCase(), identity]));
	const domains = identities.filter(isDomainIdentity);
	const byName = new Map(domains.map((identity) => [identityDomain(identity), identity]));

	function domainOf(identity: Identity): Identity | undefined {
		if (isDomainIdentity(identity)) return identity;
		const { domainIdentityId } = identity;
		if (domainIdentityId !== null) return byId.get(domainIdentityId.toLowerCase());
		return byName.get(identityDomain(identity));
	}

	return (identity) => {
		const domain = domainOf(identity);
		const [setup] = SETUPS.find(([, matches]) => matches(identity, domain)) ?? ['unconnected'];
		return { setup, domain };
	};
}

/** The domain of an address, or the domain itself, in lower case. */
export const identityDomain = ({ value }: Identity): string =>
	splitAddress(value ?? '').domain.toLowerCase();

const hasProvider = ({ meta }: Identity, name: string): boolean =>
	isObject(meta) && String(meta.provider).toLowerCase() === name;

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

export type IdentitySetup = ReturnType<ReturnType<typeof setupLookup>>;

/** The domain identity of an address is found by its `domainIdentityId`, or else by its domain. */
export function setupLookup(identities: readonly Identity[]) {
	const byId = new Map(identities.map((identity) => [identity.id.toLowerCase(), identity]));
	const domains = identities.filter(isDomainIdentity);
	const byName = new Map(domains.map((identity) => [identityDomain(identity), identity]));
	return (identity: Identity) => {
		const { domainIdentityId } = identity;
		const found =
			domainIdentityId === null
				? byName.get(identityDomain(identity))
				: byId.get(domainIdentityId.toLowerCase());
		/** Which may be itself; undefined if the account cannot see it. */
		const domain = isDomainIdentity(identity) ? identity : found;
		const [setup] = SETUPS.find(([, matches]) => matches(identity, domain)) ?? ['unconnected'];
		return { setup, domain };
	};
}

/** The domain of an address, or the domain itself, in lower case. */
export const identityDomain = ({ value }: Identity): string =>
	splitAddress(value ?? '').domain.toLowerCase();

const hasProvider = ({ meta }: Identity, name: string): boolean =>
	isObject(meta) && String(meta.provider).toLowerCase() === name;

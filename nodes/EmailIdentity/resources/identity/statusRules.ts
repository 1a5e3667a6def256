import { isObject } from '../../api/json';
import type { Identity } from '../../api/resources';
import { isDomain } from '../../shared/identities';
import { inSentence, type AuditRule } from '../audit';

type DomainLookup = (identity: Identity) => Identity | undefined;

/**
 * How an identity receives and sends mail, by its fields. The first match counts. Only domains, and addresses that the
 * service itself receives for, are ever verified. Every other address stays `unverified` and works.
 */
const SETUPS = [
	['domain', isDomain],
	// Uses Google's API. It has neither a provider nor an SMTP account.
	['gmail', (identity) => hasProvider(identity, 'google')],
	// Read by IMAP; sends through its SMTP account.
	['mailAccount', ({ smtpAccountId }) => smtpAccountId !== null],
	// The service itself receives for it; the account has no such domain.
	['inbound', (identity) => hasProvider(identity, 'inbound')],
	['addressOfDomain', (identity, find) => find(identity) !== undefined],
	// The account cannot see the domain.
	['addressOfUnseenDomain', ({ domainIdentityId }) => domainIdentityId !== null],
	// Another provider reads it.
	['provider', ({ providerId }) => providerId !== null],
	['unconnected', () => true],
] as const satisfies ReadonlyArray<[string, (identity: Identity, find: DomainLookup) => boolean]>;

type Setup = (typeof SETUPS)[number][0];

export function setupOf(identity: Identity, find: DomainLookup): Setup {
	const [setup] = SETUPS.find(([, matches]) => matches(identity, find)) ?? ['unconnected'];
	return setup;
}

/** @returns a function that finds the domain identity of an address, by its `domainIdentityId` or else by its domain */
export function domainLookup(identities: readonly Identity[]): DomainLookup {
	const byId = new Map(identities.map((identity) => [identity.id.toLowerCase(), identity]));
	const domains = identities.filter(isDomain);
	const byName = new Map(domains.map((identity) => [domainOf(identity), identity]));
	return (identity) =>
		identity.domainIdentityId === null
			? byName.get(domainOf(identity))
			: byId.get(identity.domainIdentityId.toLowerCase());
}

/** The domain of an address, or the domain itself, in lower case. */
export function domainOf({ value }: Identity): string {
	return (value ?? '').slice((value ?? '').lastIndexOf('@') + 1).toLowerCase();
}

const hasProvider = ({ meta }: Identity, name: string): boolean =>
	isObject(meta) && String(meta.provider).toLowerCase() === name;

export interface AuditedIdentity extends Identity {
	setup: Setup;
	/** Its domain identity, which may be itself; undefined if the account cannot see it. */
	domain: Identity | undefined;
	/** Whole days since it was added or changed; null if unknown. */
	waitingDays: number | null;
	isStale: boolean;
}

/** In these set-ups, an unverified identity does not work. In all others, it does. */
const VERIFIED_SETUPS: readonly Setup[] = ['domain', 'inbound', 'unconnected'];

const isOneOf = ({ status }: Identity, ...statuses: string[]): boolean =>
	statuses.includes(status?.toLowerCase() ?? '');

const isVerified = (identity: Identity): boolean => isOneOf(identity, 'verified');

const isWaiting = (identity: Identity): boolean => isOneOf(identity, 'unverified', 'pending');

const isFailed = (identity: Identity): boolean => isOneOf(identity, 'failed');

const nameOf = ({ setup }: AuditedIdentity): string => (setup === 'domain' ? 'domain' : 'address');

function verificationAdvice(identity: AuditedIdentity): string {
	if (identity.setup !== 'domain') return 'Check the address in the service, or remove it there.';
	const enter = 'Add the DNS records that the service shows at your DNS provider';
	return isOneOf(identity, 'pending')
		? `${enter}. The service may need up to two days to see them.`
		: `${enter}, then start the verification in the service.`;
}

interface StatusRule extends AuditRule<AuditedIdentity> {
	/** The set-ups that it applies to; all if omitted. */
	setups?: readonly Setup[];
}

/** Problems that the service reports. */
const RULES: readonly StatusRule[] = [
	{
		code: 'verificationFailed',
		severity: 'error',
		applies: isFailed,
		message: ({ setup }) =>
			setup === 'domain'
				? 'The verification of the domain failed. Compare the DNS records at your DNS provider with those that the service shows, then start the verification in the service again.'
				: 'The verification of the address failed. Check the address in the service and start the verification there again.',
	},
	{
		code: 'notVerified',
		severity: 'warning',
		setups: VERIFIED_SETUPS,
		applies: (identity) => isWaiting(identity) && !identity.isStale,
		message: (identity) =>
			`The ${nameOf(identity)} is not verified yet (status ${inSentence(identity.status)}). ${verificationAdvice(identity)}`,
	},
	{
		code: 'stale',
		severity: 'error',
		setups: VERIFIED_SETUPS,
		applies: (identity) => isWaiting(identity) && identity.isStale,
		message: (identity) =>
			`The ${nameOf(identity)} has not been verified for ${identity.waitingDays} days (status ${inSentence(identity.status)}). ${verificationAdvice(identity)}`,
	},
	{
		code: 'statusUnknown',
		severity: 'warning',
		setups: VERIFIED_SETUPS,
		applies: (identity) => !isVerified(identity) && !isWaiting(identity) && !isFailed(identity),
		message: (identity) =>
			identity.status === null
				? `The service does not show whether the ${nameOf(identity)} is verified. Check it in the service.`
				: `The ${nameOf(identity)} has an unknown status: ${inSentence(identity.status)}. Check it in the service.`,
	},
	{
		code: 'domainWithoutDnsRecords',
		severity: 'error',
		setups: ['domain'],
		applies: (identity) =>
			(isWaiting(identity) || isFailed(identity)) &&
			[identity.dnsRecords ?? []].flat().length === 0,
		message: () =>
			'The service has no DNS records for the domain, so it cannot be verified. Remove the domain in the service and add it again.',
	},
	{
		code: 'domainNotVerified',
		severity: 'warning',
		setups: ['addressOfDomain'],
		applies: (identity) =>
			!isVerified(identity) && identity.domain !== undefined && !isVerified(identity.domain),
		message: ({ domain }) =>
			`Mail to and from the address may not arrive, because its domain ${inSentence(domain?.value ?? domain?.id ?? null)} is not verified. Verify the domain first.`,
	},
	{
		code: 'domainMissing',
		severity: 'warning',
		setups: ['addressOfUnseenDomain'],
		applies: ({ sharedWithWorkspace }) => sharedWithWorkspace === null,
		message: () =>
			'The domain that the address belongs to is not in this account. Add the domain in the service, or remove the address.',
	},
	{
		code: 'domainOfOthers',
		severity: 'info',
		setups: ['addressOfUnseenDomain'],
		// If identities are shared, the domain usually belongs to a colleague and is fine.
		applies: ({ sharedWithWorkspace }) => sharedWithWorkspace !== null,
		message: () =>
			'The domain that the address belongs to is not in this account and was not checked. Audit it with the API key of the account that owns it.',
	},
	{
		code: 'receivingOff',
		severity: 'info',
		setups: ['domain', 'addressOfDomain'],
		applies: ({ domain }) =>
			domain !== undefined && isVerified(domain) && domain.incomingDomain === false,
		message: (identity) =>
			`The ${nameOf(identity)} can send, but the service receives no mail for it. If it should start workflows, turn on receiving for the domain in the service.`,
	},
	{
		code: 'nothingConnected',
		severity: 'warning',
		setups: ['domain', 'unconnected'],
		applies: (identity) =>
			!isVerified(identity) && identity.providerId === null && identity.smtpAccountId === null,
		message: (identity) =>
			`The ${nameOf(identity)} cannot send or receive: it has neither a provider nor an SMTP account. Connect one in the service, or remove the ${nameOf(identity)} there.`,
	},
];

export const STATUS_RULES = RULES.map(({ setups, applies, ...rule }) => ({
	...rule,
	applies: (identity: AuditedIdentity) =>
		setups?.includes(identity.setup) !== false && applies(identity),
}));

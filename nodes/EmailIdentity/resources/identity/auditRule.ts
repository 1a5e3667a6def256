import { isObject } from '../../api/json';
import type { Identity } from '../../api/resources';
import type { DomainCheck } from '../../dns/audit';
import type { RecordDetail } from '../../dns/audit/required';
import { isDomain } from '../../shared/identities';

/** From harmless to broken. */
export const SEVERITIES = ['info', 'warning', 'error'] as const;

export type Severity = (typeof SEVERITIES)[number];

/**
 * How an identity gets and sends its mail, as far as its fields tell. It decides what the status means: only a domain, and
 * an address that the service itself receives for, is ever verified; every other address stays `unverified` and works.
 */
export type Setup =
	/** A domain, with DNS records that prove who owns it. */
	| 'domain'
	/** An address of a domain identity which the account can see. */
	| 'addressOfDomain'
	/** An address of a domain identity which the account cannot see. */
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

/** What the rules may look at besides the identity itself. */
export interface AuditContext {
	setup: Setup;
	/** The domain identity of an address; undefined when the account can see none. */
	domainIdentity: Identity | undefined;
	/** Since when the identity is as it is; undefined when the service does not say. */
	age: Age | undefined;
	/** For how many days an identity may wait for its verification. */
	staleAfterDays: number;
	/** What DNS says of it; undefined where it was not asked. */
	dns: DomainCheck | undefined;
}

export interface Age {
	/** `changed` only where the service was seen to change its time of the last change. */
	since: 'added' | 'changed';
	days: number;
}

/** Something that a rule found. */
export interface Occurrence {
	/** What is wrong, and what to do about it, for people who know neither DNS nor the API. */
	message: string;
	/** The DNS record that has to be changed. */
	record?: RecordDetail;
}

/** What can be wrong with an identity. */
export interface AuditRule {
	/** Stays as it is once released: workflows compare it. */
	code: string;
	severity: Severity;
	/** The set-ups in which it is a fault. */
	setups: readonly Setup[];
	find(identity: Identity, context: AuditContext): Occurrence[];
}

/** Finds the domain identity of an address. */
type DomainLookup = (identity: Identity) => Identity | undefined;

/** Tells the set-ups of addresses apart, the surest sign first. */
const SIGNS: ReadonlyArray<[Setup, (identity: Identity, find: DomainLookup) => boolean]> = [
	['gmail', ({ meta }) => providerIn(meta) === 'google'],
	['mailAccount', ({ smtpAccountId }) => smtpAccountId !== null],
	['inbound', ({ meta }) => providerIn(meta) === 'inbound'],
	['addressOfDomain', (identity, find) => find(identity) !== undefined],
	['addressOfUnseenDomain', ({ domainIdentityId }) => domainIdentityId !== null],
	['provider', ({ providerId }) => providerId !== null],
];

/** @param find among the identities that the account can see */
export function setupOf(identity: Identity, find: DomainLookup): Setup {
	if (isDomain(identity)) return 'domain';
	const [setup] = SIGNS.find(([, isSeen]) => isSeen(identity, find)) ?? [];
	return setup ?? 'unconnected';
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

/** Longer than an address can be (RFC 5321, section 4.5.3.1). */
const MAX_WORD = 320;

/** What a service or DNS calls something, for a sentence: on one line, of a bounded length. */
export function inSentence(word: string | null, maxLength = MAX_WORD): string {
	return (word ?? '').slice(0, maxLength).replace(/[\s\p{Cc}]+/gu, ' ');
}

import type { Identity } from '../../../../../nodes/EmailIdentity/api/resources';

/** The moment of the audit. */
export const NOW = Date.parse('2026-01-31T12:00:00.000Z');

const DAY = 24 * 60 * 60 * 1000;

export const daysAgo = (days: number): string => new Date(NOW - days * DAY).toISOString();

/** What a service writes when it adds an identity; `updatedAt` stays the same for ever. */
const added = (days: number): Pick<Identity, 'createdAt' | 'updatedAt'> => ({
	createdAt: daysAgo(days),
	updatedAt: daysAgo(days),
});

/** An identity as a running service stores it, before anything is connected or verified. */
const fresh = (fields: Partial<Identity>): Identity => ({
	id: 'identity',
	ownerId: 'me',
	kind: 'email',
	publicId: 'public',
	value: 'sales@example.test',
	displayName: null,
	status: 'unverified',
	sharedWithWorkspace: true,
	incomingDomain: false,
	domainIdentityId: null,
	dnsRecords: null,
	meta: null,
	providerId: null,
	smtpAccountId: null,
	...added(400),
	...fields,
});

/** A domain with DNS records, at a provider. */
export const domain = (fields: Partial<Identity> = {}): Identity =>
	fresh({
		id: 'domain',
		kind: 'domain',
		value: 'example.test',
		status: 'verified',
		incomingDomain: true,
		dnsRecords: [{ type: 'TXT', name: 'example.test', value: 'v=spf1 -all' }],
		meta: {},
		providerId: 'provider',
		...fields,
	});

/** An address that hangs on the domain: its status is never anything but `unverified`. */
export const addressOfDomain = (fields: Partial<Identity> = {}): Identity =>
	fresh({ id: 'address', domainIdentityId: 'domain', providerId: 'provider', meta: {}, ...fields });

/** An address that the service itself receives for. */
export const inbound = (fields: Partial<Identity> = {}): Identity =>
	fresh({
		id: 'address',
		status: 'verified',
		providerId: 'inbound',
		meta: { provider: 'inbound' },
		...fields,
	});

/** An address that is read by IMAP. */
export const mailAccount = (fields: Partial<Identity> = {}): Identity =>
	fresh({ id: 'address', smtpAccountId: 'smtp', meta: { dailyQuota: 400 }, ...fields });

/** An address in a Gmail account: neither provider nor SMTP account is named. */
export const gmail = (fields: Partial<Identity> = {}): Identity =>
	fresh({
		id: 'address',
		value: 'sales@gmail.example',
		meta: { provider: 'google', gmail: { googleAccountId: 'google' } },
		...fields,
	});

/** An address that some other provider reads, such as one with an API of its own. */
export const atProvider = (fields: Partial<Identity> = {}): Identity =>
	fresh({ id: 'address', providerId: 'provider', ...fields });

/** An address that nothing reads. */
export const unconnected = (fields: Partial<Identity> = {}): Identity =>
	fresh({ id: 'address', ...fields });

/** The service of the contract knows neither sharing nor display names. */
export const WITHOUT_SHARING = { sharedWithWorkspace: null, displayName: null } as const;

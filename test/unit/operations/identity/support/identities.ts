import type { Identity } from '../../../../../nodes/EmailIdentity/api/data/resources';

/** The time of the audit. */
export const NOW = Date.parse('2026-01-31T12:00:00.000Z');

const DAY = 24 * 60 * 60 * 1000;

export const daysAgo = (days: number): string => new Date(NOW - days * DAY).toISOString();

type Fields = Partial<Identity>;

/** As a service stores an identity with these fields before anything is connected or verified. */
const identityWith =
	(usual: Fields) =>
	(fields: Fields = {}): Identity => ({
		id: 'address',
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
		createdAt: daysAgo(400),
		// Services never change it.
		updatedAt: daysAgo(400),
		...usual,
		...fields,
	});

export const domain = identityWith({
	id: 'domain',
	kind: 'domain',
	value: 'example.test',
	status: 'verified',
	incomingDomain: true,
	dnsRecords: [{ type: 'TXT', name: 'example.test', value: 'v=spf1 -all' }],
	meta: {},
	providerId: 'provider',
});

export const addressOfDomain = identityWith({
	domainIdentityId: 'domain',
	providerId: 'provider',
	meta: {},
});

/** The service itself receives for it. */
export const inbound = identityWith({
	status: 'verified',
	providerId: 'inbound',
	meta: { provider: 'inbound' },
});

/** Read by IMAP. */
export const mailAccount = identityWith({ smtpAccountId: 'smtp', meta: { dailyQuota: 400 } });

export const gmail = identityWith({
	value: 'sales@gmail.example',
	meta: { provider: 'google', gmail: { googleAccountId: 'google' } },
});

/** Read by another provider. */
export const atProvider = identityWith({ providerId: 'provider' });

export const unconnected = identityWith({});

/** The contract has neither sharing nor display names. */
export const WITHOUT_SHARING = { sharedWithWorkspace: null, displayName: null } as const;

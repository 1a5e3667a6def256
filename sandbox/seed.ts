import { namedUuid, publicId } from './store';
import type { SandboxState, StoredAccount, StoredIdentity } from './types';

const account = (name: string): StoredAccount => ({
	name,
	userId: namedUuid(`user ${name}`),
	email: `${name}@accounts.example`,
	workspaceId: namedUuid(`workspace ${name}`),
	apiKey: `sandbox-${name}-${namedUuid(`key ${name}`)}`,
	scopes: [],
	expiresAt: null,
	isRevoked: false,
});

const day = 24 * 60 * 60 * 1000;
const daysAgo = (days: number): string => new Date(Date.now() - days * day).toISOString();

const provider = namedUuid('provider');
const smtpAccount = namedUuid('smtp account');

const domainRecords = (domain: string) => [
	{ type: 'TXT', name: domain, value: 'v=spf1 include:mail.example ~all', ttl: 3600 },
	{ type: 'MX', name: domain, value: '10 mx.mail.example', priority: 10, note: 'Receives' },
];

type Seed = Pick<StoredIdentity, 'kind' | 'value' | 'status'> & Partial<StoredIdentity>;

/** One of each kind of trouble that an audit can find, and some without any. */
const ownerSeeds: Seed[] = [
	{
		kind: 'domain',
		value: 'example.test',
		status: 'verified',
		incomingDomain: true,
		dnsRecords: domainRecords('example.test'),
		meta: { team: 'sales' },
		smtpAccountId: smtpAccount,
		displayName: 'Example',
		createdAt: '2025-11-15T10:47:23.60418Z',
	},
	{
		kind: 'email',
		value: 'sales@example.test',
		status: 'verified',
		domainIdentityId: namedUuid('identity example.test'),
		displayName: 'Sales',
	},
	{
		kind: 'email',
		value: 'support@example.test',
		status: 'pending',
		domainIdentityId: namedUuid('identity example.test'),
		createdAt: daysAgo(2),
	},
	{
		kind: 'domain',
		value: 'pending.test',
		status: 'pending',
		dnsRecords: domainRecords('pending.test'),
		createdAt: daysAgo(40),
	},
	{
		kind: 'email',
		value: 'info@pending.test',
		status: 'unverified',
		domainIdentityId: namedUuid('identity pending.test'),
		createdAt: daysAgo(40),
	},
	{ kind: 'domain', value: 'bare.test', status: 'unverified', providerId: null },
	{ kind: 'domain', value: 'failed.test', status: 'failed', dnsRecords: [] },
	{
		kind: 'email',
		value: 'orphan@gone.test',
		status: 'verified',
		domainIdentityId: namedUuid('identity gone.test'),
	},
	{ kind: 'email', value: 'alone@mailbox.test', status: 'verified', smtpAccountId: smtpAccount },
	{ kind: 'email', value: 'nothing@mailbox.test', status: 'unverified', providerId: null },
];

const otherSeeds: Seed[] = [
	{
		kind: 'domain',
		value: 'other.test',
		status: 'verified',
		incomingDomain: true,
		dnsRecords: domainRecords('other.test'),
	},
	{
		kind: 'email',
		value: 'person@other.test',
		status: 'verified',
		domainIdentityId: namedUuid('identity other.test'),
	},
];

const statuses = ['verified', 'pending', 'unverified', 'failed'];

function extraSeed(_: unknown, index: number): Seed {
	return {
		kind: 'email',
		value: `extra-${String(index + 1).padStart(5, '0')}@example.test`,
		status: statuses[index % statuses.length] ?? 'verified',
		domainIdentityId: namedUuid('identity example.test'),
	};
}

/**
 * Fills in what an identity was given without.
 *
 * @param given at least `value`, `ownerId` and `workspaceId`
 */
export function completeIdentity(
	given: Partial<StoredIdentity> & Pick<StoredIdentity, 'value' | 'ownerId' | 'workspaceId'>,
): StoredIdentity {
	const id = given.id ?? namedUuid(`identity ${given.value}`);
	const createdAt = given.createdAt ?? '2025-11-15T10:47:23.60418Z';
	return {
		id,
		kind: given.value.includes('@') ? 'email' : 'domain',
		publicId: publicId(id),
		displayName: null,
		incomingDomain: false,
		domainIdentityId: null,
		dnsRecords: null,
		meta: null,
		providerId: provider,
		smtpAccountId: null,
		status: 'verified',
		sharedWithWorkspace: false,
		members: [],
		createdAt,
		updatedAt: createdAt,
		...given,
	};
}

/** What a fresh sandbox remembers: two accounts and their identities. */
export function seedState(extraIdentities: number): SandboxState {
	const owner = account('owner');
	const other = account('other');
	const owned =
		({ userId: ownerId, workspaceId }: StoredAccount) =>
		(seed: Seed) =>
			completeIdentity({ ...seed, ownerId, workspaceId });
	return {
		accounts: [owner, other],
		identities: [
			...ownerSeeds.map(owned(owner)),
			...otherSeeds.map(owned(other)),
			...Array.from({ length: extraIdentities }, extraSeed).map(owned(owner)),
		],
		webhooks: [],
		messages: [],
	};
}

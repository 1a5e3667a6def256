import { namedUuid, publicId } from './ids';
import type { SandboxState, StoredAccount, StoredIdentity, StoredWebhook } from './types';

const DAY_MS = 24 * 60 * 60 * 1000;
const LONG_AGO = '2025-11-15T10:47:23.60418Z';

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

const smtpAccountId = namedUuid('smtp account');

const account = (name: string): StoredAccount => ({
	name,
	userId: namedUuid(`user ${name}`),
	email: `${name}@accounts.example`,
	workspaceId: namedUuid(`workspace ${name}`),
	apiKey: `sandbox-${name}-${namedUuid(`key ${name}`)}`,
});

const dnsRecords = (domain: string) => [
	{ type: 'TXT', name: domain, value: 'v=spf1 include:mail.example ~all', ttl: 3600 },
	{ type: 'MX', name: domain, value: '10 mx.mail.example', priority: 10, note: 'Receives' },
];

type Seed = Partial<StoredIdentity> & Pick<StoredIdentity, 'value'>;

const receiving = (value: string): Seed => ({
	value,
	incomingDomain: true,
	dnsRecords: dnsRecords(value),
});

const addressOf = (domain: string, name: string, more: Partial<Seed> = {}): Seed => ({
	value: `${name}@${domain}`,
	domainIdentityId: namedUuid(`identity ${domain}`),
	...more,
});

/** First those that work, then one for each problem that an audit can find. */
const OWNER_SEEDS: Seed[] = [
	{ ...receiving('example.test'), meta: { team: 'sales' }, displayName: 'Example', smtpAccountId },
	addressOf('example.test', 'sales', { displayName: 'Sales' }),
	{ value: 'alone@mailbox.test', smtpAccountId },
	addressOf('example.test', 'support', { status: 'pending', createdAt: daysAgo(2) }),
	{
		...receiving('pending.test'),
		incomingDomain: false,
		status: 'pending',
		createdAt: daysAgo(40),
	},
	addressOf('pending.test', 'info', { status: 'unverified', createdAt: daysAgo(40) }),
	{ value: 'bare.test', status: 'unverified', providerId: null },
	{ value: 'failed.test', status: 'failed', dnsRecords: [] },
	addressOf('gone.test', 'orphan'),
	{ value: 'nothing@mailbox.test', status: 'unverified', providerId: null },
];

const OTHER_SEEDS: Seed[] = [receiving('other.test'), addressOf('other.test', 'person')];

const STATUSES = ['verified', 'pending', 'unverified', 'failed'];

const extraSeed = (_: unknown, index: number): Seed =>
	addressOf('example.test', `extra-${String(index + 1).padStart(5, '0')}`, {
		status: STATUSES[index % STATUSES.length],
	});

/** Adds the missing fields of an identity. */
export function completeIdentity(
	given: Seed & Pick<StoredIdentity, 'ownerId' | 'workspaceId'>,
): StoredIdentity {
	const { id = namedUuid(`identity ${given.value}`), createdAt = LONG_AGO } = given;
	const { providerId = namedUuid('provider'), smtpAccountId = null } = given;
	const kind = given.value.includes('@') ? 'email' : 'domain';
	const hasFolders = kind === 'email' && (providerId !== null || smtpAccountId !== null);
	return {
		id,
		publicId: publicId(id),
		createdAt,
		updatedAt: createdAt,
		kind,
		status: 'verified',
		displayName: null,
		meta: null,
		incomingDomain: false,
		dnsRecords: null,
		domainIdentityId: null,
		providerId,
		smtpAccountId,
		sentFolder: hasFolders ? 'sent' : null,
		sharedWithWorkspace: false,
		...given,
	};
}

export function completeWebhook({
	identityId = null,
	description = null,
	events = ['message.received'],
	enabled = true,
	metaData = null,
	workspaceId = null,
	createdAt = new Date().toISOString(),
	updatedAt = createdAt,
	...given
}: Partial<StoredWebhook> & Pick<StoredWebhook, 'id' | 'url' | 'ownerId'>): StoredWebhook {
	return {
		...given,
		identityId,
		description,
		events,
		enabled,
		metaData,
		workspaceId,
		createdAt,
		updatedAt,
	};
}

/** A fresh sandbox has two accounts and their identities. */
export function seedState(extraIdentities: number): SandboxState {
	const [owner, other] = [account('owner'), account('other')];
	const owned =
		({ userId: ownerId, workspaceId }: StoredAccount) =>
		(seed: Seed) =>
			completeIdentity({ ...seed, ownerId, workspaceId });
	const extraSeeds = Array.from({ length: extraIdentities }, extraSeed);
	return {
		accounts: [owner, other],
		identities: [
			...OWNER_SEEDS.map(owned(owner)),
			...OTHER_SEEDS.map(owned(other)),
			...extraSeeds.map(owned(owner)),
		],
		webhooks: [],
		messages: [],
	};
}

import { readFlag } from './flags';
import { isObject, parseJson } from './json';
import { toIsoTime } from './timestamps';
import type { Entry, Identity, ListedDnsRecord, User, Webhook } from './types';

type Reader = (value: unknown) => unknown;

/** For each field of the stable output: the names it goes by on the wire, and how its value is read. */
type FieldTable<T> = Record<keyof T, { names: readonly string[]; read: Reader }>;

const text: Reader = (value) =>
	value === undefined || value === null || value === '' ? null : String(value);

/** JSON that some deployments send as text (contract, section 2.2: also the text `null`). */
const json: Reader = (value) => {
	if (typeof value !== 'string') return value ?? null;
	const parsed = parseJson(value);
	if (parsed) return parsed.value;
	return value.trim() === '' ? null : value;
};

const textList: Reader = (value) => {
	const list = json(value);
	if (Array.isArray(list)) return list.map(nameOf);
	return typeof list === 'string' ? [list] : [];
};

/** An entry of a list, which may be an object that has a name. */
function nameOf(entry: unknown): string {
	if (!isObject(entry)) return String(entry);
	const name = ['name', 'event', 'type', 'id'].map((key) => entry[key]).find(isPlain);
	return name === undefined ? JSON.stringify(entry) : String(name);
}

function isPlain(value: unknown): boolean {
	return typeof value === 'string' || typeof value === 'number';
}

/** What an entry is identified by: the first of these that it has. */
export const ID_NAMES = ['id', '_id'] as const;
export const USER_ID_NAMES = ['userId', 'user_id', 'id', '_id'] as const;

const USER: FieldTable<User> = {
	userId: { names: USER_ID_NAMES, read: text },
	email: { names: ['email'], read: text },
};

const IDENTITY: FieldTable<Identity> = {
	id: { names: ID_NAMES, read: text },
	value: { names: ['value'], read: text },
	kind: { names: ['kind'], read: text },
	status: { names: ['status'], read: text },
	displayName: { names: ['displayName', 'display_name'], read: text },
	sharedWithWorkspace: { names: ['sharedWithWorkspace', 'shared_with_workspace'], read: readFlag },
	ownerId: { names: ['ownerId', 'owner_id'], read: text },
	publicId: { names: ['publicId', 'public_id'], read: text },
	incomingDomain: { names: ['incomingDomain', 'incoming_domain'], read: readFlag },
	domainIdentityId: { names: ['domainIdentityId', 'domain_identity_id'], read: text },
	dnsRecords: { names: ['dnsRecords', 'dns_records'], read: json },
	meta: { names: ['meta', 'metaData', 'meta_data', 'metadata'], read: json },
	providerId: { names: ['providerId', 'provider_id'], read: text },
	smtpAccountId: { names: ['smtpAccountId', 'smtp_account_id'], read: text },
	createdAt: { names: ['createdAt', 'created_at'], read: toIsoTime },
	updatedAt: { names: ['updatedAt', 'updated_at'], read: toIsoTime },
};

const LISTED_DNS_RECORD: FieldTable<ListedDnsRecord> = {
	type: { names: ['type', 'recordType', 'record_type'], read: text },
	name: { names: ['name', 'host', 'hostname'], read: text },
	value: { names: ['value', 'data', 'content', 'target'], read: text },
	priority: { names: ['priority', 'preference'], read: text },
	note: { names: ['note', 'description', 'comment'], read: text },
};

const WEBHOOK: FieldTable<Webhook> = {
	id: { names: ID_NAMES, read: text },
	url: { names: ['url'], read: (value) => text(value) ?? '' },
	events: { names: ['events'], read: textList },
	enabled: {
		names: ['enabled', 'isEnabled', 'is_enabled', 'active', 'isActive', 'is_active', 'status'],
		read: readFlag,
	},
	identityId: { names: ['identityId', 'identity_id'], read: text },
	ownerId: { names: ['ownerId', 'owner_id'], read: text },
	workspaceId: { names: ['workspaceId', 'workspace_id'], read: text },
	description: { names: ['description'], read: text },
	createdAt: { names: ['createdAt', 'created_at'], read: toIsoTime },
	updatedAt: { names: ['updatedAt', 'updated_at'], read: toIsoTime },
};

/** The table is gone through once, not once an entry: a list can hold a hundred thousand. */
function shapeBy<T>(table: FieldTable<T>): (entry: Entry) => T {
	const fields = Object.entries<FieldTable<T>[keyof T]>(table).map(([field, { names, read }]) => ({
		field: field as keyof T,
		names,
		read,
	}));
	return (entry) => {
		const shape: Partial<Record<keyof T, unknown>> = {};
		for (const { field, names, read } of fields) shape[field] = read(firstOf(entry, names));
		return shape as T;
	};
}

/** What goes by the first of the names that holds something. */
function firstOf(entry: Entry, names: readonly string[]): unknown {
	for (const name of names) {
		const value = entry[name];
		if (value !== undefined && value !== null) return value;
	}
	return undefined;
}

/**
 * The stable shape of the user, whatever the deployment calls the fields.
 *
 * @param entry as the service sent it
 */
export const toUser = shapeBy(USER);

/** The stable shape of an identity: camelCase, ISO 8601 times, JSON parsed. */
export const toIdentity = shapeBy(IDENTITY);

/** The stable shape of a DNS record that a domain needs. */
export const toListedDnsRecord = shapeBy(LISTED_DNS_RECORD);

/** Whether a subscription says what it is restricted to, if only that it is not; some may leave that out. */
export function tellsIdentity(webhook: Entry): boolean {
	return WEBHOOK.identityId.names.some((name) => name in webhook);
}

/** The stable shape of a webhook subscription: camelCase, ISO 8601 times. */
export const toWebhook = shapeBy(WEBHOOK);

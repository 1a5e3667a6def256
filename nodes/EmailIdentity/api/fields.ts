import { parseJson } from './json';
import { toIsoTime } from './timestamps';
import type { Entry, Identity, User, Webhook } from './types';

type Reader = (value: unknown) => unknown;

/** For each field of the stable output: the names it goes by on the wire, and how its value is read. */
type FieldTable<T> = Record<keyof T, { names: readonly string[]; read: Reader }>;

const text: Reader = (value) =>
	value === undefined || value === null || value === '' ? null : String(value);

const flag: Reader = (value) => {
	if (typeof value === 'boolean') return value;
	if (value === 'true' || value === 1) return true;
	if (value === 'false' || value === 0) return false;
	return null;
};

/** JSON that some deployments send as text (contract, section 2.2: also the text `null`). */
const json: Reader = (value) => {
	if (typeof value !== 'string') return value ?? null;
	const parsed = parseJson(value);
	if (parsed) return parsed.value;
	return value.trim() === '' ? null : value;
};

const textList: Reader = (value) => {
	const list = json(value);
	if (Array.isArray(list)) return list.map(String);
	return typeof list === 'string' ? [list] : [];
};

const USER: FieldTable<User> = {
	userId: { names: ['userId', 'user_id', 'id'], read: text },
	email: { names: ['email'], read: text },
};

const IDENTITY: FieldTable<Identity> = {
	// What a person recognises comes first, as the editor shows the fields in this order.
	id: { names: ['id'], read: text },
	value: { names: ['value'], read: text },
	kind: { names: ['kind'], read: text },
	status: { names: ['status'], read: text },
	ownerId: { names: ['ownerId', 'owner_id'], read: text },
	publicId: { names: ['publicId', 'public_id'], read: text },
	incomingDomain: { names: ['incomingDomain', 'incoming_domain'], read: flag },
	domainIdentityId: { names: ['domainIdentityId', 'domain_identity_id'], read: text },
	dnsRecords: { names: ['dnsRecords', 'dns_records'], read: json },
	meta: { names: ['meta', 'metaData', 'meta_data', 'metadata'], read: json },
	providerId: { names: ['providerId', 'provider_id'], read: text },
	smtpAccountId: { names: ['smtpAccountId', 'smtp_account_id'], read: text },
	createdAt: { names: ['createdAt', 'created_at'], read: toIsoTime },
	updatedAt: { names: ['updatedAt', 'updated_at'], read: toIsoTime },
};

const WEBHOOK: FieldTable<Webhook> = {
	id: { names: ['id'], read: text },
	url: { names: ['url'], read: text },
	events: { names: ['events'], read: textList },
	// The contract's default on creation is true, so a deployment that leaves it out means that.
	enabled: { names: ['enabled'], read: (value) => flag(value) ?? true },
	identityId: { names: ['identityId', 'identity_id'], read: text },
	ownerId: { names: ['ownerId', 'owner_id'], read: text },
	description: { names: ['description'], read: text },
	createdAt: { names: ['createdAt', 'created_at'], read: toIsoTime },
	updatedAt: { names: ['updatedAt', 'updated_at'], read: toIsoTime },
};

/** The table is gone through once, not once an entry: a list can hold a hundred thousand. */
function shapeBy<T>(table: FieldTable<T>): (entry: Entry) => T {
	const fields = Object.entries(table) as Array<[keyof T, FieldTable<T>[keyof T]]>;
	return (entry) => {
		const shape: Partial<Record<keyof T, unknown>> = {};
		for (const [field, { names, read }] of fields) {
			const name = names.find((candidate) => entry[candidate] !== undefined);
			shape[field] = read(name === undefined ? undefined : entry[name]);
		}
		return shape as T;
	};
}

/**
 * The stable shape of the user, whatever the deployment calls the fields.
 *
 * @param entry as the service sent it
 */
export const toUser = shapeBy(USER);

/** The stable shape of an identity: camelCase, ISO 8601 times, JSON parsed. */
export const toIdentity = shapeBy(IDENTITY);

/** The stable shape of a webhook subscription: camelCase, ISO 8601 times. */
export const toWebhook = shapeBy(WEBHOOK);

import type { StoredAccount, StoredIdentity, StoredMessage, StoredWebhook } from '../types';
import type { Dialect } from './dialect';
import { presentNames } from './names';
import { presentTime } from './timestamps';

type Fields = Record<string, unknown>;

const presentJson = (value: unknown, dialect: Dialect): unknown =>
	dialect.jsonFields === 'text' ? JSON.stringify(value) : value;

export function presentUser(account: StoredAccount, dialect: Dialect): Fields {
	return {
		[dialect.userIdField]: account.userId,
		...(dialect.extraFields && { email: account.email }),
	};
}

export function presentIdentity(identity: StoredIdentity, dialect: Dialect): Fields {
	const { meta, displayName, dnsRecords, createdAt, updatedAt, ...rest } = identity;
	const emptyMeta = dialect.emptyMeta === 'null' ? null : {};
	return presentNames(
		{
			...rest,
			dnsRecords: presentJson(dnsRecords, dialect),
			[dialect.metaField]: presentJson(meta ?? emptyMeta, dialect),
			...(dialect.extraFields && { displayName, sharedWithWorkspace: false, workspaceId: null }),
			createdAt: presentTime(createdAt, dialect.timestamps),
			updatedAt: presentTime(updatedAt, dialect.timestamps),
		},
		dialect.fieldNames,
	);
}

export function presentWebhook(webhook: StoredWebhook, dialect: Dialect): Fields {
	const { metaData, workspaceId, createdAt, updatedAt, ...rest } = webhook;
	return presentNames(
		{
			...rest,
			...(dialect.extraFields && { metaData, workspaceId }),
			createdAt: presentTime(createdAt, dialect.timestamps),
			updatedAt: presentTime(updatedAt, dialect.timestamps),
		},
		dialect.webhookFieldNames,
	);
}

/** The `message` object of deliveries and of `GET /messages/{id}`. */
export function presentMessage({ fields }: StoredMessage, dialect: Dialect): Fields {
	return presentNames(
		{
			...fields,
			headersJson: presentJson(fields.headersJson, dialect),
			date: fields.date && presentTime(fields.date, dialect.timestamps),
			createdAt: presentTime(fields.createdAt, dialect.timestamps),
			updatedAt: presentTime(fields.updatedAt, dialect.timestamps),
		},
		dialect.fieldNames,
	);
}

/** What a subscription is sent for a received message (contract, section 6). */
export function presentEvent(message: StoredMessage, dialect: Dialect): Fields {
	return {
		event: 'message.received',
		data: { message: presentMessage(message, dialect), rawEmail: message.rawEmail },
	};
}

import { STATUS_CODES } from 'node:http';
import type { Dialect } from './dialects';
import type {
	Issue,
	MessageFields,
	StoredAccount,
	StoredIdentity,
	StoredMessage,
	StoredWebhook,
} from './types';

/** Renames the outermost fields (given in camelCase) as the dialect names them. */
function presentNames(
	fields: Record<string, unknown>,
	names: Dialect['fieldNames'],
): Record<string, unknown> {
	if (names === 'camel') return fields;
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			value,
		]),
	);
}

/** The fields without those named. */
function omit<Given extends object, Name extends keyof Given>(
	fields: Given,
	names: readonly Name[],
): Omit<Given, Name> {
	const kept = Object.entries(fields).filter(
		([name]) => !names.some((omitted) => omitted === name),
	);
	return Object.fromEntries(kept) as Omit<Given, Name>;
}

/** A value that some deployments send as JSON text: `null` is the text `null` then. */
function presentJson(value: unknown, { jsonFields }: Dialect): unknown {
	return jsonFields === 'text' ? JSON.stringify(value) : value;
}

/**
 * Writes a time as the dialect does.
 *
 * @param time ISO 8601 in UTC with up to six fractional digits
 */
function presentTime(time: string, timestamps: Dialect['timestamps']): string {
	if (timestamps === 'iso') return new Date(time).toISOString();
	// PostgreSQL's own text form: a space, no trailing zeros in the fraction, a short offset.
	return time
		.replace('T', ' ')
		.replace(/Z$/, '')
		.replace(/(\.\d*?)0+$/, '$1')
		.replace(/\.$/, '')
		.concat('+00');
}

/** When a resource was made and last changed, as the dialect tells it. */
function presentTimes(
	{ createdAt, updatedAt }: { createdAt: string; updatedAt: string },
	dialect: Pick<Dialect, 'timestamps' | 'updatedAt'>,
): { createdAt: string; updatedAt: string } {
	const changed = dialect.updatedAt === 'never' ? createdAt : updatedAt;
	return {
		createdAt: presentTime(createdAt, dialect.timestamps),
		updatedAt: presentTime(changed, dialect.timestamps),
	};
}

const envelopes: Record<Dialect['envelope'], (content: unknown) => unknown> = {
	bare: (content) => content,
	data: (data) => ({ data }),
	success: (data) => ({ success: true, data }),
};

/** A successful answer's body around one resource. */
export function wrapEntry(entry: unknown, dialect: Dialect): unknown {
	return envelopes[dialect.envelope](entry);
}

/** A successful answer's body around a list of `identities` or `webhooks`. */
export function wrapList(entries: unknown[], resource: string, dialect: Dialect): unknown {
	if (dialect.listKey === 'none') return wrapEntry(entries, dialect);
	const key = dialect.listKey === 'resource' ? resource : dialect.listKey;
	return wrapEntry({ [key]: entries }, dialect);
}

/** A failure before the dialect gave it a body. */
interface Failure {
	status: number;
	message: string;
	issues?: Issue[];
	/** What programs tell it by; failures without one carry no `data` in the observed body. */
	code?: string;
	/** Said beside the code. */
	details?: Record<string, unknown>;
	/** The address asked for, as the observed body repeats it. */
	url: string;
}

function observedBody({ status, message, issues, code, details, url }: Failure): unknown {
	const said = status === 500 ? 'Server Error' : message;
	const error = { code, message, ...(issues && { issues }), ...details };
	return {
		error: true,
		url,
		statusCode: status,
		statusMessage: said,
		message: said,
		...(code !== undefined && { data: { success: false, error } }),
	};
}

const bodies: Record<Dialect['errorBody'], (failure: Failure) => unknown> = {
	observed: observedBody,
	message: ({ message, issues }) => ({ message, ...(issues && { issues }) }),
	text: ({ message }) => message,
	empty: () => '',
};

/** The body of a failure: an object to be sent as JSON, or text. */
export function errorBody(failure: Failure, dialect: Dialect): unknown {
	return bodies[dialect.errorBody](failure);
}

/** What follows the status in the answer's first line: the message, where the error body repeats it too. */
export function errorReason({ status, message }: Failure, { errorBody: body }: Dialect): string {
	const reason = STATUS_CODES[status] ?? 'Error';
	if (body !== 'observed' || status === 500) return status === 500 ? 'Server Error' : reason;
	return message.replace(/[^\x20-\x7e]/g, '');
}

type Fields = Record<string, unknown>;

/** The answer of `GET /me` (contract, section 2.1). */
export function presentUser(account: StoredAccount, dialect: Dialect): Fields {
	return {
		[dialect.userIdField]: account.userId,
		...(dialect.extraFields && { email: account.email }),
	};
}

/** A stored subscription as answers carry it. */
export function presentWebhook(webhook: StoredWebhook, dialect: Dialect): Fields {
	const { metaData, workspaceId, ...rest } = webhook;
	return presentNames(
		{
			...rest,
			...(dialect.extraFields && { metaData, workspaceId }),
			...presentTimes(webhook, dialect),
		},
		dialect.webhookFieldNames,
	);
}

/** An address that the service does not receive for by itself: it hangs on a domain, or an account is read. */
const isBorrowed = ({ kind, domainIdentityId, providerId, smtpAccountId }: StoredIdentity) =>
	kind === 'email' && [domainIdentityId, providerId, smtpAccountId].some((id) => id !== null);

const statusRules: Record<Dialect['verifies'], (identity: StoredIdentity) => string> = {
	all: ({ status }) => status,
	ownAddresses: (identity) => (isBorrowed(identity) ? 'unverified' : identity.status),
};

/** An identity as answers carry it (contract, section 2.2). */
export function presentIdentity(
	identity: StoredIdentity,
	dialect: Dialect,
): Record<string, unknown> {
	const { meta, dnsRecords, displayName, sharedWithWorkspace, workspaceId, ...rest } = identity;
	const emptyMeta = dialect.emptyMeta === 'null' ? null : {};
	return presentNames(
		{
			...omit(rest, ['members']),
			status: statusRules[dialect.verifies](identity),
			dnsRecords: presentJson(dnsRecords, dialect),
			[dialect.metaField]: presentJson(meta ?? emptyMeta, dialect),
			...(dialect.extraFields && { displayName, sharedWithWorkspace, workspaceId }),
			...presentTimes(identity, dialect),
		},
		dialect.fieldNames,
	);
}

/** What stands for a field that is not there, where that is not `null`. */
const absentValues: Record<
	Dialect['absentInMessage'],
	Partial<Record<keyof MessageFields, unknown>>
> = {
	empty: { references: [], text: '', textAsHtml: '' },
	null: {},
};

function presentReplyTo({ replyTo }: MessageFields, { absentInMessage }: Dialect): unknown {
	if (absentInMessage === 'empty') return replyTo?.value ?? [];
	return replyTo ?? [];
}

const messageTimes = ({ date, createdAt, updatedAt }: MessageFields, { timestamps }: Dialect) => ({
	date: date && presentTime(date, timestamps),
	createdAt: presentTime(createdAt, timestamps),
	updatedAt: presentTime(updatedAt, timestamps),
});

/** The `message` object of deliveries. */
export function presentMessage({ fields }: StoredMessage, dialect: Dialect): Fields {
	const { ownerId, workspaceId, deliveredTo, metaData, rawStorageKey, ...rest } = fields;
	const absent = Object.entries(absentValues[dialect.absentInMessage]).filter(
		([name]) => fields[name as keyof MessageFields] === null,
	);
	return presentNames(
		{
			...rest,
			...Object.fromEntries(absent),
			...(dialect.messageNamesOwner && { ownerId, workspaceId }),
			...(dialect.extraFields && { deliveredTo, metaData, rawStorageKey }),
			replyTo: presentReplyTo(fields, dialect),
			headersJson: presentJson(fields.headersJson, dialect),
			...messageTimes(fields, dialect),
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

/** Where a message is kept, and whose it is: not for those who read it. */
const notRead = ['ownerId', 'workspaceId', 'deliveredTo', 'metaData', 'rawStorageKey'] as const;

/** Which parts of a message are asked for when it is read. */
interface ReadingOptions {
	bodies: boolean;
	headers: boolean;
}

/** A message as it is read by its ID or in a list: with its attachments, without where it is kept and whose it is. */
export function presentReading(
	{ fields, attachments }: StoredMessage,
	{ bodies, headers }: ReadingOptions,
	dialect: Dialect,
): Fields {
	const { text, textAsHtml, html, headersJson, ...rest } = omit(fields, notRead);
	return presentNames(
		{
			...rest,
			replyTo: presentReplyTo(fields, dialect),
			...messageTimes(fields, dialect),
			...(bodies && { text, textAsHtml, html }),
			...(headers && { headers: presentJson(headersJson, dialect) }),
			attachments,
		},
		dialect.fieldNames,
	);
}

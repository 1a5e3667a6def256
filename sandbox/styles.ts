import type { MessageFields, StoredMessage } from './message';
import type { Issue, StoredAccount, StoredIdentity, StoredWebhook } from './types';

type Fields = Record<string, unknown>;

/** A failure before it has a body. */
export interface Failure {
	status: number;
	message: string;
	issues?: Issue[];
	/** For programs; failures with neither a code nor issues have no `data` in Kurrier's body. */
	code?: string;
	/** The address asked for, which Kurrier's body repeats. */
	url: string;
}

/** The form of a deployment's answers. */
interface Style {
	jsonType: string;
	/** Whether `/identities/` is `/identities`, and a wrong method 405. */
	tolerant: boolean;
	wrap(content: unknown): unknown;
	failure(failure: Failure): { reason?: string; body: Fields };
	user(account: StoredAccount): Fields;
	identity(identity: StoredIdentity): Fields;
	webhook(webhook: StoredWebhook): Fields;
	/** The `message` of deliveries. */
	message(fields: MessageFields): Fields;
}

function omit<Given extends object, Name extends keyof Given>(
	fields: Given,
	...names: Name[]
): Omit<Given, Name> {
	const kept = Object.entries(fields).filter(([name]) => !names.includes(name as Name));
	return Object.fromEntries(kept) as Omit<Given, Name>;
}

const snakeCase = (fields: object): Fields =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
			value,
		]),
	);

/** As PostgreSQL writes times: with a space, no trailing zeros in the fraction, and a short offset. */
const postgresTime = (time: string): string =>
	time
		.replace('T', ' ')
		.replace(/Z$/, '')
		.replace(/(\.\d*?)0+$/, '$1')
		.replace(/\.$/, '')
		.concat('+00');

const postgresTimes = ({ createdAt, updatedAt }: Record<'createdAt' | 'updatedAt', string>) => ({
	createdAt: postgresTime(createdAt),
	updatedAt: postgresTime(updatedAt),
});

const contract: Style = {
	jsonType: 'application/json; charset=utf-8',
	tolerant: false,
	wrap: (content) => content,
	failure: ({ message, issues }) => ({ body: { message, ...(issues && { issues }) } }),
	user: ({ userId }) => ({ userId }),
	identity: ({ dnsRecords, meta, ...identity }) =>
		snakeCase({
			...omit(identity, 'displayName', 'sentFolder', 'sharedWithWorkspace', 'workspaceId'),
			dnsRecords: JSON.stringify(dnsRecords),
			meta: JSON.stringify(meta ?? {}),
			...postgresTimes(identity),
		}),
	webhook: (webhook) =>
		snakeCase({ ...omit(webhook, 'metaData', 'workspaceId'), ...postgresTimes(webhook) }),
	message: (fields) =>
		snakeCase({
			...omit(fields, 'ownerId', 'workspaceId', 'deliveredTo', 'metaData', 'rawStorageKey'),
			references: fields.references ?? [],
			text: fields.text ?? '',
			textAsHtml: fields.textAsHtml ?? '',
			replyTo: fields.replyTo?.value ?? [],
			headersJson: JSON.stringify(fields.headersJson),
			date: fields.date && postgresTime(fields.date),
			...postgresTimes(fields),
		}),
};

/** Both times are the creation; `updatedAt` never changes in the observed service. */
function isoTimes({ createdAt }: { createdAt: string }) {
	const time = new Date(createdAt).toISOString();
	return { createdAt: time, updatedAt: time };
}

/** An address for which the service does not receive by itself: it belongs to a domain, or is read from an account. */
const isBorrowed = ({ kind, domainIdentityId, providerId, smtpAccountId }: StoredIdentity) =>
	kind === 'email' && [domainIdentityId, providerId, smtpAccountId].some((id) => id !== null);

/** Routes for sending name the issues alone; others put the whole failure there, but for one of the service itself. */
function dataOf(status: number, failure: Omit<Failure, 'status' | 'url'>): Fields | undefined {
	if (status === 500) return undefined;
	if (failure.code !== undefined) return { success: false, error: failure };
	if (failure.issues !== undefined) return { issues: failure.issues };
	return undefined;
}

const kurrier: Style = {
	jsonType: 'application/json',
	tolerant: true,
	wrap: (data) => ({ success: true, data }),
	failure: ({ status, url, ...failure }) => {
		const message = status === 500 ? 'Server Error' : failure.message;
		const data = dataOf(status, failure);
		return {
			reason: message.replace(/[^\x20-\x7e]/g, ''),
			body: { error: true, url, statusCode: status, statusMessage: message, message, data },
		};
	},
	user: ({ userId: id, email }) => ({ id, email }),
	identity: (identity) => ({
		...omit(identity, 'meta', 'sentFolder'),
		status: isBorrowed(identity) ? 'unverified' : identity.status,
		metaData: identity.meta,
		...isoTimes(identity),
	}),
	webhook: (webhook) => ({ ...webhook, ...isoTimes(webhook) }),
	message: (fields) => ({ ...fields, replyTo: fields.replyTo ?? [] }),
};

export const styles = { contract, kurrier };

/** The fork's message when it is read by its ID: without owner and storage; headers are sent on request. */
export function presentReading({ fields, attachments }: StoredMessage): Fields {
	const hidden = ['ownerId', 'workspaceId', 'deliveredTo', 'metaData', 'rawStorageKey'] as const;
	return {
		...omit(fields, ...hidden, 'headersJson'),
		replyTo: fields.replyTo ?? [],
		attachments,
	};
}

import { createHash } from 'crypto';
import { NodeOperationError } from 'n8n-workflow';
import { Cache, canonicalUrl } from '../../../lib/basics';
import { Client, type ClientOptions } from './client';
import { mayHaveBeenDone } from './errors';
import { isObject, parseJson, type Entry } from './json';
import type { ApiContext, ApiRequest, ApiResponse, Subject } from './request';
import {
	mayBelongTo,
	toPathSegment,
	toUser,
	toWebhook,
	type NewWebhook,
	type WebhookChanges,
} from './resources';
import {
	REPORTED_FAILURE,
	UNREADABLE_RESPONSE,
	readEntries,
	readResource,
	type Unusable,
} from './responses';

export interface ServiceOptions extends ClientOptions {
	/** Whether equal reads share one response until the next write. Failed ones are sent again. */
	shareReads?: boolean;
}

/** Users by digest of their API key, for all workflows: a key always belongs to the same user. */
const OWNERS = new Cache<string>({ maxWeight: 1000 });

/** The endpoints (contract, section 4), one method each. All throw NodeApiError. */
export type EmailIdentityService = ReturnType<typeof createService>;

export function createService(context: ApiContext, options: ServiceOptions) {
	const client = new Client(context, options);
	let reads = new Cache();

	const pathTo = (collection: string, subject: Subject, id: string): string => {
		const segment = toPathSegment(id);
		if (segment !== undefined) return `${collection}/${segment}`;
		throw new NodeOperationError(context.getNode(), `This is not a valid ${subject} ID`, {
			description: `Enter the ID that the service shows for the ${subject}, or choose it from the list.`,
		});
	};

	const webhookPath = (id: string): string => pathTo('/webhooks', 'webhook', id);

	const usable = <T extends object>(request: ApiRequest, result: T | Unusable): T => {
		if ('problem' in result) throw client.failure(request, result.problem);
		return result;
	};

	const read = async <Value>(
		subject: Subject,
		path: string,
		toValue: (response: ApiResponse, subject: Subject) => { value: Value } | Unusable,
	): Promise<Value> => {
		const request: ApiRequest = { method: 'GET', path, subject };
		const ask = async () => usable(request, toValue(await client.request(request), subject)).value;
		// Messages can be large.
		const isShared = options.shareReads && subject !== 'message';
		return isShared ? await reads.once(path, ask) : await ask();
	};

	/** @returns undefined if the response is empty or JSON without the resource, which confirms success */
	const write = async (request: ApiRequest): Promise<Entry | undefined> => {
		reads = new Cache();
		try {
			const response = await client.request(request);
			const result = readResource(response, request.subject);
			// A status of failure here means that a repeated deletion found nothing.
			const isConfirmed = response.status >= 300 || confirms(response, result);
			return isConfirmed ? undefined : usable(request, result).value;
		} finally {
			reads = new Cache();
		}
	};

	const getWebhook = async (id: string) => await read('webhook', webhookPath(id), readResource);

	const listWebhooks = async () => await read('webhooks', '/webhooks', readEntries);

	const getUser = async () => await read('user', '/me', readResource);

	/** The newest subscription with the URL of a creation. A service may list a copy of another user, too. */
	const findCreated = async ({ url, ownerId }: NewWebhook): Promise<Entry | undefined> => {
		const created = (await listWebhooks())
			.filter((entry) => canonicalUrl(toWebhook(entry).url) === canonicalUrl(url))
			.filter((entry) => mayBelongTo(ownerId, toWebhook(entry)));
		return created.sort((one, other) => createdAt(one) - createdAt(other)).at(-1);
	};

	/** Writes a subscription, and reads it if the response does not show it or only its ID. */
	const save = async (request: ApiRequest, readSaved: () => Promise<Entry>): Promise<Entry> => {
		const answered = await write(request);
		if (!answered) return await readSaved();
		if (toWebhook(answered).url !== '') return answered;
		// The write succeeded, whether this does or not.
		const shown = await getWebhook(toWebhook(answered).id).catch(() => ({}));
		return { ...shown, ...answered };
	};

	const createWebhook = async (fields: NewWebhook): Promise<Entry> => {
		const body = { ...fields };
		const request: ApiRequest = { method: 'POST', path: '/webhooks', subject: 'webhook', body };
		return await save(request, async () => {
			const created = await findCreated(fields).catch(() => undefined);
			if (created) return created;
			const detail =
				'The response does not contain the {subject}, and it was not found in the list.';
			throw client.failure(request, { ...UNREADABLE_RESPONSE, detail });
		});
	};

	return {
		credential: async () => await client.credential(),
		/** The user that the API key belongs to. */
		async ownerId(): Promise<string> {
			const { baseUrl, apiKey } = await client.credential();
			const key = createHash('sha256')
				.update(JSON.stringify([baseUrl, apiKey]))
				.digest('hex');
			return await OWNERS.once(key, async () => toUser(await getUser()).userId);
		},
		getUser,
		listIdentities: async () => await read('identities', '/identities', readEntries),
		getIdentity: async (id: string) =>
			await read('identity', pathTo('/identities', 'identity', id), readResource),
		/** With its headers, which a fork of Kurrier only sends on request. */
		async getMessage(id: string): Promise<Entry> {
			const path = `${pathTo('/messages', 'message', id)}?includeHeaders=true`;
			return await read('message', path, readResource);
		},
		listWebhooks,
		getWebhook,
		createWebhook,
		/**
		 * Creates a subscription whose URL no other one has. If the response is lost, the list shows whether it was created; if
		 * not, it is created once more.
		 */
		async createOnlyWebhook(fields: NewWebhook): Promise<Entry> {
			const attempt = async (isLast: boolean): Promise<Entry> =>
				await createWebhook(fields).catch(async (error: unknown) => {
					if (!mayHaveBeenDone(error)) throw error;
					// If the list cannot be read, this error says that the subscription may exist.
					const created = await findCreated(fields).catch(() => {
						throw error;
					});
					if (created) return created;
					if (isLast) throw error;
					return await attempt(true);
				});
			return await attempt(false);
		},
		async updateWebhook(
			id: string,
			changes: WebhookChanges,
			beforeAttempt?: () => Promise<void>,
		): Promise<Entry> {
			const change = { method: 'PATCH', path: webhookPath(id), subject: 'webhook' } as const;
			const request: ApiRequest = { ...change, body: { ...changes }, beforeAttempt };
			return await save(request, async () => await getWebhook(id));
		},
		/** Succeeds if a repeated deletion finds that the subscription is gone. */
		async deleteWebhook(id: string, beforeAttempt?: () => Promise<void>): Promise<void> {
			await write({ method: 'DELETE', path: webhookPath(id), subject: 'webhook', beforeAttempt });
		},
	};
}

/** Whether a write succeeded although its response does not contain the resource: it is empty, or other JSON. */
function confirms({ text }: ApiResponse, result: { value: Entry } | Unusable): boolean {
	if ('value' in result || result.problem === REPORTED_FAILURE) return false;
	return text.trim() === '' || isObject(parseJson(text)?.value);
}

const createdAt = (entry: Entry): number => Date.parse(toWebhook(entry).createdAt ?? '') || 0;

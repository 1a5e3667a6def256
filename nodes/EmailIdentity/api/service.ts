import { NodeOperationError } from 'n8n-workflow';
import { parseUrl, toUrl } from '../lib/hosts';
import { Client, type ClientOptions } from './client';
import { INCOMPLETE, REPORTED_FAILURE, UNREADABLE, statusOf } from './errors';
import { isObject, parseJson } from './json';
import { toPathSegment, toUser, toWebhook } from './resources';
import { readPage, readPages, readReport, readResource } from './responses';
import type {
	ApiContext,
	ApiRequest,
	ApiResponse,
	Entry,
	NewWebhook,
	Subject,
	WebhookChanges,
} from './types';

export interface ServiceOptions extends ClientOptions {
	/**
	 * Whether equal reads share one response until the next write. Messages can be large, so they are only shared while the
	 * request is running.
	 */
	shareReads?: boolean;
}

/** The endpoints of the service (contract, section 4), one method each. All throw NodeApiError. */
export type EmailIdentityService = ReturnType<typeof createService>;

/**
 * Connects to the service that the node's credential names.
 *
 * @param context the n8n context whose node holds the credential
 */
export function createService(context: ApiContext, options: ServiceOptions = {}) {
	const client = new Client(context, options);
	const reads = new Map<string, Promise<unknown>>();
	let owner: Promise<string> | undefined;

	const share = async <T>(path: string, read: () => Promise<T>, keep = true): Promise<T> => {
		if (!options.shareReads) return await read();
		const known = reads.get(path) as Promise<T> | undefined;
		if (known) return await known;
		const reading = read();
		reads.set(path, reading);
		const forget = () => {
			if (reads.get(path) === reading) reads.delete(path);
		};
		reading.then(
			() => keep || forget(),
			(error: unknown) => mayPass(error) && forget(),
		);
		return await reading;
	};

	/** @throws if the response cannot be used */
	const used = <T extends object>(
		request: ApiRequest,
		{ text }: ApiResponse,
		result: T | { problem: string; isFailure: boolean },
	): T => {
		if (!('problem' in result)) return result;
		if (!result.isFailure) throw client.failure(request, UNREADABLE, result.problem);
		const report = readReport(request, text, client.secretsIn(request));
		throw client.failure(request, REPORTED_FAILURE, report);
	};

	const resourceIn = (request: ApiRequest, response: ApiResponse): Entry =>
		used(request, response, readResource(response, request.subject)).value;

	const readOne = async (subject: Subject, path: string): Promise<Entry> => {
		const request: ApiRequest = { method: 'GET', path, subject };
		const read = async () => resourceIn(request, await client.request(request));
		return await share(path, read, subject !== 'message');
	};

	const readList = async (subject: Subject, path: string): Promise<Entry[]> => {
		const request: ApiRequest = { method: 'GET', path, subject };
		const readOnePage = async (address?: string) => {
			const response = await client.request(request, address);
			return used(request, response, readPage(response, subject));
		};
		return await share(path, async () => {
			const { origin } = toUrl((await client.credential()).baseUrl);
			return await readPages(readOnePage, origin, (problem) =>
				client.failure(request, INCOMPLETE, problem),
			);
		});
	};

	/** @throws if a response with a success status reports a failure */
	const write = async (request: ApiRequest): Promise<ApiResponse> => {
		reads.clear();
		try {
			const response = await client.request(request);
			const result = readResource(response, request.subject);
			if (response.status < 300 && 'problem' in result && result.isFailure) {
				used(request, response, result);
			}
			return response;
		} finally {
			reads.clear();
		}
	};

	const pathOf = (subject: Subject, id: string): string => {
		const segment = toPathSegment(id);
		if (segment !== undefined) return segment;
		throw new NodeOperationError(context.getNode(), `This is not a valid ${subject} ID`, {
			description: `Enter the ID that the service shows for the ${subject}, or choose it from the list.`,
		});
	};

	const webhookPath = (id: string): string => `/webhooks/${pathOf('webhook', id)}`;

	const getWebhook = async (id: string): Promise<Entry> =>
		await readOne('webhook', webhookPath(id));

	const listWebhooks = async (): Promise<Entry[]> => await readList('webhooks', '/webhooks');

	/**
	 * Reads the whole subscription if the response to a write contains only its ID. A failed read is ignored because the
	 * write succeeded.
	 */
	const readBack = async (id: string, answered: Entry): Promise<Entry> => {
		if (toWebhook(answered).url !== '') return answered;
		const shown = await getWebhook(id).catch(() => ({}));
		return { ...shown, ...answered };
	};

	/** Finds the created subscription if the response does not contain it: the newest with its URL. */
	const findCreated = async (request: ApiRequest): Promise<Entry> => {
		const url = parseUrl(String(request.body?.url))?.href;
		const listed = await listWebhooks().catch((error: Error) => {
			const problem = `The response does not contain the {subject}, and searching the list failed: ${error.message}.`;
			throw client.failure(request, UNREADABLE, problem);
		});
		const [newest] = listed
			.filter((entry) => parseUrl(toWebhook(entry).url)?.href === url)
			.reverse()
			.sort(byNewest);
		if (newest) return newest;
		const problem = 'The response does not contain the {subject}, and it is not in the list.';
		throw client.failure(request, UNREADABLE, problem);
	};

	return {
		credential: async () => await client.credential(),
		/** The ID of the API key's user; requested once. */
		async ownerId(): Promise<string> {
			if (owner) return await owner;
			const asking = readOne('user', '/me').then((user) => toUser(user).userId);
			owner = asking;
			// Shared reads decide which failures are requested again.
			asking.catch(() => {
				owner = undefined;
			});
			return await asking;
		},
		getUser: async (): Promise<Entry> => await readOne('user', '/me'),
		listIdentities: async (): Promise<Entry[]> => await readList('identities', '/identities'),
		getIdentity: async (id: string): Promise<Entry> =>
			await readOne('identity', `/identities/${pathOf('identity', id)}`),
		getMessage: async (id: string): Promise<Entry> =>
			await readOne('message', `/messages/${pathOf('message', id)}`),
		listWebhooks,
		getWebhook,

		/** @param isMissing checks that nothing was created; without it, an uncertain creation is never repeated */
		async createWebhook(fields: NewWebhook, isMissing?: () => Promise<boolean>): Promise<Entry> {
			const lookAgain = async () => {
				reads.clear();
				return (await isMissing?.()) === true;
			};
			const request: ApiRequest = {
				method: 'POST',
				path: '/webhooks',
				subject: 'webhook',
				body: { ...fields },
				isUndone: isMissing && lookAgain,
			};
			const answer = await write(request);
			if (isConfirmation(answer)) return await findCreated(request);
			const created = resourceIn(request, answer);
			return await readBack(toWebhook(created).id, created);
		},

		async updateWebhook(id: string, changes: WebhookChanges): Promise<Entry> {
			const request: ApiRequest = {
				method: 'PATCH',
				path: webhookPath(id),
				subject: 'webhook',
				body: { ...changes },
			};
			const answer = await write(request);
			if (isConfirmation(answer)) return await getWebhook(id);
			return await readBack(id, resourceIn(request, answer));
		},

		/** Succeeds if a repeated deletion finds that the subscription is gone. */
		async deleteWebhook(id: string): Promise<void> {
			const request: ApiRequest = { method: 'DELETE', path: webhookPath(id), subject: 'webhook' };
			const { status, text } = await write(request);
			// A web page with status 200 does not come from the API, so nothing was deleted.
			if (status < 300 && text.trim() !== '' && !parseJson(text)) {
				throw client.failure(
					request,
					UNREADABLE,
					'Expected a confirmation in JSON, or an empty response.',
				);
			}
		},
	};
}

/** Whether another request may succeed: a missing resource stays missing, but a service may recover. */
function mayPass(error: unknown): boolean {
	const status = statusOf(error);
	return status === undefined || status >= 500 || status === 429;
}

/** Whether a response only confirms success: it is empty, or an object without a resource. */
function isConfirmation({ status, text }: ApiResponse): boolean {
	if (text.trim() === '') return true;
	return isObject(parseJson(text)?.value) && 'problem' in readResource({ status, text }, 'webhook');
}

/** Entries without a time sort last. */
function byNewest(one: Entry, other: Entry): number {
	const [a, b] = [one, other].map((entry) => Date.parse(toWebhook(entry).createdAt ?? '') || 0);
	return (b ?? 0) - (a ?? 0);
}

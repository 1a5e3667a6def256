import { NodeOperationError } from 'n8n-workflow';
import { parseUrl, toUrl } from '../lib/hosts';
import { Client, type ClientOptions } from './client';
import { INCOMPLETE, REPORTED_FAILURE, UNREADABLE, readReport, statusOf } from './errors';
import { isObject, parseJson } from './json';
import { lastSegment, toPathSegment, toUser, toWebhook } from './resources';
import { readPages, unwrapList, unwrapObject, type Page } from './responses';
import type {
	ApiContext,
	ApiRequest,
	ApiResponse,
	EmailIdentityCredential,
	Entry,
	NewWebhook,
	Subject,
	WebhookChanges,
} from './types';

/** The endpoints of the service (contract, section 4), one method each. All throw NodeApiError. */
export interface EmailIdentityService {
	/** What the node's credential holds; read once. */
	credential(): Promise<EmailIdentityCredential>;
	/** The ID of the user behind the API key; asked once. */
	ownerId(): Promise<string>;
	getUser(): Promise<Entry>;
	listIdentities(): Promise<Entry[]>;
	getIdentity(id: string): Promise<Entry>;
	getMessage(id: string): Promise<Entry>;
	listWebhooks(): Promise<Entry[]>;
	getWebhook(id: string): Promise<Entry>;
	/**
	 * @param isMissing looks whether it is not there; without it, a creation that may have been done is never repeated
	 */
	createWebhook(fields: NewWebhook, isMissing?: () => Promise<boolean>): Promise<Entry>;
	updateWebhook(id: string, changes: WebhookChanges): Promise<Entry>;
	/** A subscription that is gone when a deletion is repeated counts as deleted. */
	deleteWebhook(id: string): Promise<void>;
}

export interface ServiceOptions extends ClientOptions {
	/**
	 * Whether equal reads are asked once, until something is written. Messages are asked for once only while the request is
	 * under way: they can be large.
	 */
	shareReads?: boolean;
}

/**
 * Connects to the service that the node's credential names.
 *
 * @param context the n8n context whose node holds the credential
 */
export function createService(
	context: ApiContext,
	options: ServiceOptions = {},
): EmailIdentityService {
	const client = new Client(context, options);
	const reads = new Map<string, Promise<unknown>>();

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

	let owner: Promise<string> | undefined;

	const readOne = async (subject: Subject, path: string): Promise<Entry> =>
		await share(
			path,
			async () => {
				const request: ApiRequest = { method: 'GET', path, subject };
				return parseOne(client, request, await client.request(request));
			},
			subject !== 'message',
		);

	const readList = async (subject: Subject, path: string): Promise<Entry[]> =>
		await share(path, async () => await readWholeList(client, { method: 'GET', path, subject }));

	const write = async (request: ApiRequest): Promise<ApiResponse> => {
		reads.clear();
		try {
			const response = await client.request(request);
			const unwrapped = unwrapObject(parseJson(response.text)?.value, request.subject);
			if (response.status < 300 && 'problem' in unwrapped && unwrapped.isFailure) {
				throw reportedFailure(client, request, response);
			}
			return response;
		} finally {
			reads.clear();
		}
	};

	const segment = (subject: Subject, id: string): string => {
		const escaped = toPathSegment(id);
		if (escaped !== undefined) return escaped;
		throw new NodeOperationError(context.getNode(), `This is not a valid ${subject} ID`, {
			description: `Enter the ID of the ${subject} as the service gave it, or choose it from the list.`,
		});
	};

	const getWebhook = async (id: string): Promise<Entry> =>
		await readOne('webhook', `/webhooks/${segment('webhook', id)}`);

	const listWebhooks = async (): Promise<Entry[]> => await readList('webhooks', '/webhooks');

	/**
	 * The whole subscription, where the answer to a write shows only which one it is. What was written is not undone by a
	 * failure to read it.
	 */
	const readBack = async (id: string, answered: Entry): Promise<Entry> => {
		if (toWebhook(answered).url !== '') return answered;
		const shown = await getWebhook(id).catch(() => ({}));
		return { ...shown, ...answered };
	};

	/** What was created, where the answer does not show it: what `Location` names, or the newest one with its URL. */
	const findCreated = async (request: ApiRequest, answer: ApiResponse): Promise<Entry> => {
		const url = parseUrl(String(request.body?.url))?.href;
		const hasUrl = (entry: Entry) => parseUrl(toWebhook(entry).url)?.href === url;
		const { location } = answer.headers;
		const id = location && lastSegment(parseUrl(location, answer.url));
		const named = id ? await getWebhook(id).catch(() => undefined) : undefined;
		if (named && hasUrl(named)) return named;
		const listed = await listWebhooks().catch((error: Error & { description?: string }) => {
			throw client.failure(request, {
				advice: { message: error.message, description: error.description ?? '' },
				details: ['The answer does not show it, and it cannot be looked up.'],
				facts: { mayHaveActed: true },
			});
		});
		const [newest] = listed.filter(hasUrl).reverse().sort(byNewest);
		if (newest) return newest;
		throw unreadable(
			client,
			request,
			'The answer does not show the webhook, and it is not in the list.',
		);
	};

	return {
		credential: async () => await client.credential(),
		async ownerId() {
			if (owner) return await owner;
			const asking = readOne('user', '/me').then((user) => toUser(user).userId);
			owner = asking;
			// Which failures the next item asks about again is told where reads are shared.
			asking.catch(() => {
				owner = undefined;
			});
			return await asking;
		},
		getUser: async () => await readOne('user', '/me'),
		listIdentities: async () => await readList('identities', '/identities'),
		getIdentity: async (id) => await readOne('identity', `/identities/${segment('identity', id)}`),
		getMessage: async (id) => await readOne('message', `/messages/${segment('message', id)}`),
		listWebhooks,
		getWebhook,

		async createWebhook(fields, isMissing) {
			const request: ApiRequest = {
				method: 'POST',
				path: '/webhooks',
				subject: 'webhook',
				body: { ...fields },
				isUndone:
					isMissing &&
					(async () => {
						reads.clear();
						return await isMissing();
					}),
			};
			const answer = await write(request);
			if (isConfirmation(answer)) return await findCreated(request, answer);
			const created = parseOne(client, request, answer);
			return await readBack(toWebhook(created).id, created);
		},

		async updateWebhook(id, changes) {
			const request: ApiRequest = {
				method: 'PATCH',
				path: `/webhooks/${segment('webhook', id)}`,
				subject: 'webhook',
				body: { ...changes },
			};
			const answer = await write(request);
			return isConfirmation(answer)
				? await getWebhook(id)
				: await readBack(id, parseOne(client, request, answer));
		},

		async deleteWebhook(id) {
			const request: ApiRequest = {
				method: 'DELETE',
				path: `/webhooks/${segment('webhook', id)}`,
				subject: 'webhook',
			};
			const response = await write(request);
			// A web page with status 200 comes from something else than the API, and deletes nothing.
			if (response.status < 300 && response.text.trim() !== '' && !parseJson(response.text)) {
				throw unreadable(client, request, 'Expected a confirmation in JSON, or nothing.');
			}
		},
	};
}

/** What is not there stays away; a service in trouble may have recovered when it is asked again. */
function mayPass(error: unknown): boolean {
	const status = statusOf(error);
	return status === undefined || status >= 500 || status === 429;
}

function parseOne(client: Client, request: ApiRequest, response: ApiResponse): Entry {
	if (response.status === 206) {
		throw unreadable(client, request, 'It is only a part of the answer.');
	}
	const unwrapped = unwrapObject(parseBody(client, request, response.text), request.subject);
	if ('value' in unwrapped) return unwrapped.value;
	throw unwrapped.isFailure
		? reportedFailure(client, request, response)
		: unreadable(client, request, unwrapped.problem);
}

async function readWholeList(client: Client, request: ApiRequest): Promise<Entry[]> {
	const { baseUrl } = await client.credential();
	const readPage = async (address?: string): Promise<Page> => {
		const response = await client.request(request, address);
		const unwrapped = unwrapList(parseBody(client, request, response.text), request.subject);
		if ('value' in unwrapped) {
			return { entries: unwrapped.value, envelopes: unwrapped.envelopes, response };
		}
		throw unwrapped.isFailure
			? reportedFailure(client, request, response)
			: unreadable(client, request, unwrapped.problem);
	};
	return await readPages(readPage, toUrl(baseUrl).origin, (problem) =>
		client.failure(request, {
			advice: INCOMPLETE,
			details: [problem],
			facts: { mayHaveActed: false },
		}),
	);
}

function reportedFailure(client: Client, request: ApiRequest, { text }: ApiResponse) {
	return client.failure(request, {
		advice: REPORTED_FAILURE,
		details: [readReport(request, text, client.secretsIn(request))],
		facts: { mayHaveActed: true },
	});
}

/** @param problem says what was expected, without content of the answer */
function unreadable(client: Client, request: ApiRequest, problem: string) {
	return client.failure(request, {
		advice: UNREADABLE,
		details: [problem],
		facts: { mayHaveActed: true },
	});
}

/** Whether an answer says nothing but that it was done: nothing at all, or an object without a resource in it. */
function isConfirmation({ text }: ApiResponse): boolean {
	if (text.trim() === '') return true;
	const body = parseJson(text)?.value;
	return isObject(body) && 'problem' in unwrapObject(body, 'webhook');
}

/** Times are ISO 8601; what has none is older than all, and of two equal ones the later in the list is newer. */
function byNewest(one: Entry, other: Entry): number {
	const [a, b] = [one, other].map((entry) => Date.parse(toWebhook(entry).createdAt ?? '') || 0);
	return (b ?? 0) - (a ?? 0);
}

function parseBody(client: Client, request: ApiRequest, text: string): unknown {
	const parsed = parseJson(text);
	if (parsed) return parsed.value;
	throw unreadable(client, request, describeText(text));
}

function describeText(text: string): string {
	if (text.trim() === '') return 'Expected JSON, but the answer was empty.';
	return /^\s*</.test(text)
		? 'Expected JSON, but the answer was a web page.'
		: 'Expected JSON, but the answer was something else or broke off.';
}

import { NodeOperationError } from 'n8n-workflow';
import { ApiClient, type ClientOptions } from './client';
import { unwrapList, unwrapObject } from './envelope';
import { statusOf } from './errors';
import type { ApiRequest, ApiResponse, Subject } from './exchange';
import { toWebhook } from './fields';
import { toPathSegment } from './identifiers';
import { parseJson } from './json';
import { readNextLink } from './links';
import type { ApiContext, Entry, NewWebhook, WebhookChanges } from './types';

/** The endpoints of the service (contract, section 4), one method each. All throw NodeApiError. */
export interface EmailIdentityService {
	getUser(): Promise<Entry>;
	listIdentities(): Promise<Entry[]>;
	getIdentity(id: string): Promise<Entry>;
	getMessage(id: string): Promise<Entry>;
	listWebhooks(): Promise<Entry[]>;
	getWebhook(id: string): Promise<Entry>;
	createWebhook(fields: NewWebhook): Promise<Entry>;
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

/** A list that long is a loop. */
const MOST_PAGES = 1000;

/**
 * Connects to the service that the node's credential names.
 *
 * @param context the n8n context whose node holds the credential
 */
export function createService(
	context: ApiContext,
	options: ServiceOptions = {},
): EmailIdentityService {
	const client = new ApiClient(context, options);
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
		// What is not there stays away; a service in trouble may have recovered when it is asked again.
		reading.then(
			() => keep || forget(),
			(error: unknown) => (statusOf(error) ?? 500) >= 500 && forget(),
		);
		return await reading;
	};

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
		await share(path, async () => await readPages(client, { method: 'GET', path, subject }));

	const write = async (request: ApiRequest): Promise<ApiResponse> => {
		reads.clear();
		try {
			return await client.request(request);
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

	return {
		getUser: async () => await readOne('user', '/me'),
		listIdentities: async () => await readList('identities', '/identities'),
		getIdentity: async (id) => await readOne('identity', `/identities/${segment('identity', id)}`),
		getMessage: async (id) => await readOne('message', `/messages/${segment('message', id)}`),
		listWebhooks,
		getWebhook,

		async createWebhook(fields) {
			const request: ApiRequest = {
				method: 'POST',
				path: '/webhooks',
				subject: 'webhook',
				body: { ...fields },
			};
			const answer = await write(request);
			if (answer.text !== '') return parseOne(client, request, answer);
			// Created without saying what: the newest one with this URL is it.
			const found = (await listWebhooks()).filter((entry) => toWebhook(entry).url === fields.url);
			const created = found.at(-1);
			if (created) return created;
			throw client.unreadable(request, 'The answer was empty, and the webhook is not in the list.');
		},

		async updateWebhook(id, changes) {
			const request: ApiRequest = {
				method: 'PATCH',
				path: `/webhooks/${segment('webhook', id)}`,
				subject: 'webhook',
				body: { ...changes },
			};
			const answer = await write(request);
			return answer.text === '' ? await getWebhook(id) : parseOne(client, request, answer);
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
				throw client.unreadable(request, 'Expected a confirmation in JSON, or nothing.');
			}
		},
	};
}

function parseOne(client: ApiClient, request: ApiRequest, { text }: ApiResponse): Entry {
	const body = parseBody(client, request, text);
	const unwrapped = unwrapObject(body, request.subject);
	if ('problem' in unwrapped) throw client.unreadable(request, unwrapped.problem);
	return unwrapped.value;
}

/** Follows `Link: rel="next"` to the end of the list, within the base URL's origin. */
async function readPages(client: ApiClient, request: ApiRequest): Promise<Entry[]> {
	const { origin } = new URL(await client.baseUrl());
	const visited = new Set<string>();
	const entries: Entry[] = [];
	let next: string | undefined;
	do {
		const response = await client.request(request, next);
		const unwrapped = unwrapList(parseBody(client, request, response.text), request.subject);
		if ('problem' in unwrapped) throw client.unreadable(request, unwrapped.problem);
		// Not spread: a call takes no more than some 130,000 arguments.
		for (const entry of unwrapped.value) entries.push(entry);
		visited.add(response.url);
		const link = readNextLink(response.headers.link, response.url);
		if (link && link.origin !== origin) {
			throw client.unreadable(request, `The list goes on at another address, ${link.origin}.`);
		}
		if (link && (visited.has(link.href) || visited.size === MOST_PAGES)) {
			throw client.unreadable(request, 'The pages of the list lead round in a circle.');
		}
		next = link?.href;
	} while (next !== undefined);
	return entries;
}

function parseBody(client: ApiClient, request: ApiRequest, text: string): unknown {
	const parsed = parseJson(text);
	if (parsed) return parsed.value;
	throw client.unreadable(request, describeText(text));
}

function describeText(text: string): string {
	if (text.trim() === '') return 'Expected JSON, but the answer was empty.';
	return /^\s*</.test(text)
		? 'Expected JSON, but the answer was a web page.'
		: 'Expected JSON, but the answer was something else or broke off.';
}

import { createHash } from 'crypto';
import { NodeOperationError, type IDataObject, type NodeApiError } from 'n8n-workflow';
import { Cache, canonicalUrl } from '../../../lib/basics';
import {
	failureBehind,
	isResourceMissing,
	mayHaveBeenDone,
	serviceError,
	UNREADABLE_RESPONSE,
	type ServiceFailure,
} from './failures/errors';
import { whyNoWayToSend } from './failures/sender';
import { Client, type ClientOptions } from './requests/client';
import type { Credential } from './requests/credential';
import { isObject, parseJson, type Entry } from './data/json';
import {
	toAcceptedEmail,
	toRequestBody,
	type AcceptedEmail,
	type OutgoingEmail,
} from './data/emailRequest';
import type { ApiContext, ApiRequest, ApiResponse, ResourceKind } from './request';
import {
	mayBelongTo,
	toIdentity,
	toPathSegment,
	toUser,
	toWebhook,
	type NewWebhook,
	type WebhookChanges,
} from './data/resources';
import { REPORTED_FAILURE, readEntries, readResource, type Content } from './requests/envelopes';

export interface ServiceOptions extends ClientOptions {
	/** Whether equal reads share one response until the next write. Failed ones are sent again. */
	shareReads?: boolean;
}

/** Makes a resource or a list of a response. */
type ContentReader<Value> = (response: ApiResponse, resource: ResourceKind) => Content<Value>;

/** Characters. The service and the workflow choose the name of an identity. */
const MAX_SHOWN_NAME = 320;

/** Users by digest of their API key, for all workflows: a key always belongs to the same user. */
const OWNERS = new Cache<string>({ maxWeight: 1000 });

/** The endpoints (contract, section 4), one method each. All throw NodeApiError, or NodeOperationError for an invalid ID. */
export class EmailIdentityService {
	private readonly client: Client;
	private readonly shareReads: boolean;

	/** Responses by path, since the last write. */
	private reads = new Cache();

	constructor(
		private readonly context: ApiContext,
		options: ServiceOptions,
	) {
		this.client = new Client(context, options);
		this.shareReads = options.shareReads ?? false;
	}

	async credential(): Promise<Credential> {
		return await this.client.credential();
	}

	/** The user that the API key belongs to. */
	async ownerId(): Promise<string> {
		const { baseUrl, apiKey } = await this.client.credential();
		const keyOfService = JSON.stringify([baseUrl, apiKey]);
		const digest = createHash('sha256').update(keyOfService).digest('hex');
		return await OWNERS.once(digest, async () => {
			const user = await this.getUser();
			return toUser(user).userId;
		});
	}

	async getUser(): Promise<Entry> {
		return await this.read('user', '/me', readResource);
	}

	async listIdentities(): Promise<Entry[]> {
		return await this.read('identities', '/identities', readEntries);
	}

	async getIdentity(id: string): Promise<Entry> {
		const path = this.pathTo('/identities', 'identity', id);
		return await this.read('identity', path, readResource);
	}

	/** With its headers, which a fork of Kurrier only sends on request. */
	async getMessage(id: string): Promise<Entry> {
		const path = this.pathTo('/messages', 'message', id);
		return await this.read('message', `${path}?includeHeaders=true`, readResource);
	}

	async listWebhooks(): Promise<Entry[]> {
		return await this.read('webhooks', '/webhooks', readEntries);
	}

	async getWebhook(id: string): Promise<Entry> {
		return await this.read('webhook', this.webhookPath(id), readResource);
	}

	async createWebhook(fields: NewWebhook): Promise<Entry> {
		const request: ApiRequest = {
			method: 'POST',
			path: '/webhooks',
			resource: 'webhook',
			body: { ...fields },
		};
		const answered = await this.write(request);
		if (answered) return await this.withUrl(answered);
		const created = await this.findCreated(fields).catch(() => undefined);
		if (created) return created;
		const detail =
			'The response does not contain the {resource}, and it was not found in the list.';
		throw this.client.failure(request, { ...UNREADABLE_RESPONSE, detail });
	}

	/**
	 * Creates a subscription whose URL no other one has. If the response is lost, the list shows whether it was created; if
	 * not, it is created once more.
	 */
	async createOnlyWebhook(fields: NewWebhook): Promise<Entry> {
		const created = await this.createWebhook(fields).catch(
			async (error: unknown) => await this.createdInSpiteOf(error, fields),
		);
		if (created) return created;
		return await this.createWebhook(fields).catch(async (error: unknown) => {
			const createdNow = await this.createdInSpiteOf(error, fields);
			if (createdNow) return createdNow;
			throw error;
		});
	}

	/** @param beforeAttempt awaited before each attempt, which is not made if it throws */
	async updateWebhook(
		id: string,
		changes: WebhookChanges,
		beforeAttempt?: () => Promise<void>,
	): Promise<Entry> {
		const request: ApiRequest = {
			method: 'PATCH',
			path: this.webhookPath(id),
			resource: 'webhook',
			body: { ...changes },
			beforeAttempt,
		};
		const answered = await this.write(request);
		if (answered) return await this.withUrl(answered);
		return await this.getWebhook(id);
	}

	/**
	 * Succeeds if a repeated deletion finds that the subscription is gone.
	 *
	 * @param beforeAttempt awaited before each attempt, which is not made if it throws
	 */
	async deleteWebhook(id: string, beforeAttempt?: () => Promise<void>): Promise<void> {
		const path = this.webhookPath(id);
		await this.write({ method: 'DELETE', path, resource: 'webhook', beforeAttempt });
	}

	/**
	 * `POST /email/send`, which a service may have. Sent again only if the service did nothing.
	 */
	async sendEmail(email: OutgoingEmail): Promise<AcceptedEmail> {
		return await this.postEmail('/email/send', email, toRequestBody(email));
	}

	/**
	 * `POST /email/reply`, which a service may have: it sets In-Reply-To and References, and quotes the original. Sent again only
	 * if the service did nothing.
	 *
	 * @param originalMessageId the service's ID of the message
	 * @throws NodeApiError for which `isRouteMissing` is true if the service has no such route
	 */
	async replyToMessage(originalMessageId: string, email: OutgoingEmail): Promise<AcceptedEmail> {
		const body = { originalMessageId, ...toRequestBody(email) };
		return await this.postEmail('/email/reply', email, body);
	}

	private async postEmail(
		path: string,
		email: OutgoingEmail,
		body: IDataObject,
	): Promise<AcceptedEmail> {
		const request: ApiRequest = { method: 'POST', path, resource: 'email', body };
		const answered = await this.write(request).catch(async (error: unknown) => {
			const failure = failureBehind(error);
			if (failure?.isSenderRefused !== true) throw error;
			throw await this.senderRefused(request, email, failure);
		});
		return toAcceptedEmail(answered);
	}

	/** The service does not say why it cannot send from an identity, but the identity's data may. */
	private async senderRefused(
		request: ApiRequest,
		{ identityId, sender }: OutgoingEmail,
		failure: ServiceFailure,
	): Promise<NodeApiError> {
		const identity = await this.getIdentity(identityId).then(toIdentity, (error: unknown) =>
			isResourceMissing(error) ? null : undefined,
		);
		const name = identity?.value ?? sender ?? identityId;
		const detail = `'From' is ${name.slice(0, MAX_SHOWN_NAME)}. ${failure.detail ?? ''}`;
		const advice = whyNoWayToSend(identity);
		return serviceError(this.context.getNode(), request, { ...failure, ...advice, detail });
	}

	private async read<Value>(
		resource: ResourceKind,
		path: string,
		toContent: ContentReader<Value>,
	): Promise<Value> {
		const request: ApiRequest = { method: 'GET', path, resource };
		const ask = async (): Promise<Value> => {
			const response = await this.client.request(request);
			return this.usable(request, toContent(response, resource));
		};
		// Messages can be large.
		const isShared = this.shareReads && resource !== 'message';
		if (!isShared) return await ask();
		return await this.reads.once(path, ask);
	}

	/** @returns undefined if the response is empty or JSON without the resource, which confirms success */
	private async write(request: ApiRequest): Promise<Entry | undefined> {
		this.reads = new Cache();
		try {
			const response = await this.client.request(request);
			// A status of failure here means that a repeated deletion found nothing.
			if (response.status >= 300) return undefined;
			const content = readResource(response, request.resource);
			if (confirms(response, content)) return undefined;
			return this.usable(request, content);
		} finally {
			this.reads = new Cache();
		}
	}

	/** Reads the rest of a subscription that a service answered a write with, if it is the ID alone. */
	private async withUrl(answered: Entry): Promise<Entry> {
		const { id, url } = toWebhook(answered);
		if (url !== '') return answered;
		// The write succeeded, whether this does or not.
		const shown = await this.getWebhook(id).catch(() => ({}));
		return { ...shown, ...answered };
	}

	/** The newest subscription with the URL of a creation. A service may list a copy of another user, too. */
	private async findCreated({ url, ownerId }: NewWebhook): Promise<Entry | undefined> {
		const wanted = canonicalUrl(url);
		const listed = await this.listWebhooks();
		const candidates = listed.filter((entry) => {
			const webhook = toWebhook(entry);
			return canonicalUrl(webhook.url) === wanted && mayBelongTo(ownerId, webhook);
		});
		candidates.sort((one, other) => createdAt(one) - createdAt(other));
		return candidates.at(-1);
	}

	/**
	 * Looks for a subscription whose creation failed without a clear answer.
	 *
	 * @returns undefined if the list does not have it
	 * @throws the error of the creation if the service did nothing. Also if the list cannot be read, because that error says
	 *   that the subscription may exist.
	 */
	private async createdInSpiteOf(error: unknown, fields: NewWebhook): Promise<Entry | undefined> {
		if (!mayHaveBeenDone(error)) throw error;
		return await this.findCreated(fields).catch(() => {
			throw error;
		});
	}

	private webhookPath(id: string): string {
		return this.pathTo('/webhooks', 'webhook', id);
	}

	private pathTo(collection: string, resource: ResourceKind, id: string): string {
		const segment = toPathSegment(id);
		if (segment !== undefined) return `${collection}/${segment}`;
		throw new NodeOperationError(this.context.getNode(), `This is not a valid ${resource} ID`, {
			description: `Enter the ID that the service shows for the ${resource}, or choose it from the list.`,
		});
	}

	private usable<Value>(request: ApiRequest, content: Content<Value>): Value {
		if ('problem' in content) throw this.client.failure(request, content.problem);
		return content.value;
	}
}

/** Whether a write succeeded although its response does not contain the resource: it is empty, or other JSON. */
function confirms({ text }: ApiResponse, content: Content<Entry>): boolean {
	if ('value' in content) return false;
	if (content.problem === REPORTED_FAILURE) return false;
	return text.trim() === '' || isObject(parseJson(text)?.value);
}

/** Milliseconds since 1970; 0 if unknown. */
function createdAt(entry: Entry): number {
	const time = Date.parse(toWebhook(entry).createdAt ?? '');
	return Number.isNaN(time) ? 0 : time;
}

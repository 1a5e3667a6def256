import { isMissing } from '../../api/errors';
import type { Entry } from '../../api/json';
import {
	isSameId,
	mayBelongTo,
	toWebhook,
	type NewWebhook,
	type Webhook,
} from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Cache } from '../../../../lib/basics';
import {
	deriveSecret,
	digestSecret,
	isTestUrl,
	matchesDigest,
	webhookPathIn,
} from '../../shared/secret';
import { webhookDiff, type WebhookState } from '../../shared/webhooks';
import type { StoredSubscription } from '../staticData';
import { SUBSCRIPTION_MS } from '../times';
import { markOf, partsOf, usesGateway, type Endpoint, type UrlParts } from './subscriptionUrl';

/** The node whose subscriptions are looked for. */
export interface Target extends Endpoint {
	apiKey: string;
	/** In the URL of its subscription, derived from the API key. */
	secret: string;
	/** Names the node in the URL of a gateway. */
	mark: string;
	/** Undefined if nothing was stored, or by another node, for another purpose or in another n8n. */
	stored: StoredSubscription | undefined;
	/** The parts of n8n's present URL for the node. */
	parts: UrlParts;
	/** The Delivery URL without its query; undefined if deliveries arrive at n8n's own URL. */
	gatewayAddress: string | undefined;
	/** A webhook for test events that says it is used longer is another process's, see `wallClockNow`; usually undefined. */
	usedUntil?: number;
}

/** @param stored from the static data, which is copied with a workflow and can be made up */
export function targetFor(
	endpoint: Endpoint,
	apiKey: string,
	stored: StoredSubscription | undefined,
): Target {
	const parts = partsOf(endpoint.address);
	return {
		...endpoint,
		apiKey,
		secret: deriveSecret(apiKey, endpoint),
		mark: markOf(endpoint),
		stored: stored && isOfNode(stored, endpoint, parts) ? stored : undefined,
		parts,
		gatewayAddress: usesGateway(endpoint) ? partsOf(endpoint.deliveryUrl).address : undefined,
	};
}

function isOfNode(
	{ instanceId, listening, url }: StoredSubscription,
	endpoint: Endpoint,
	{ webhookPath }: UrlParts,
): boolean {
	if (instanceId !== endpoint.instanceId || listening !== endpoint.listening) return false;
	return webhookPath !== undefined && webhookPathIn(url) === webhookPath;
}

/** A subscription with the parts of its URL, which all triggers of a credential look at. */
export type ListedWebhook = Webhook & { parts: UrlParts };

function toListed(entry: Entry): ListedWebhook {
	const webhook = toWebhook(entry);
	return { ...webhook, parts: partsOf(webhook.url) };
}

export interface WebhookList {
	webhooks: ListedWebhook[];
	/** When it was asked for, by the clock of the checks. */
	askedAt: number;
}

/** The memory that all trigger nodes of a process share for this. */
export interface WebhookMemory {
	/** Webhooks by account, for triggers that start or check within seconds. */
	lists: Cache<WebhookList>;
	/** See `monotonicNow`. */
	now(): number;
	/** See `wallClockNow`. */
	clock(): number;
}

/** The node's subscriptions, as the service shows them. */
export interface Snapshot {
	own: Webhook[];
	/** Subscriptions for test events of any node of this n8n, which no process listens for any more. */
	leftovers: Webhook[];
	/** Known subscriptions that the list does not show. */
	unlisted: string[];
	/** The stored subscription, if it is enabled and someone changed its URL in the service. */
	elsewhere: Webhook | undefined;
	/** When the list was asked for, by the clock of the checks; -Infinity if it could not be read. */
	askedAt: number;
	/** Why a part is missing; undefined if it is whole. */
	failure: unknown;
}

export interface ObserveOptions {
	/** Whether the list may be a few seconds old, and from before changes by others. Default: no. */
	mayBeShared?: boolean;
	/** Whether known subscriptions are fetched if the list cannot be read. Default: no. */
	isPartEnough?: boolean;
}

export class NoLongerOwn extends Error {
	constructor(id: string) {
		super(
			`The service does not return the webhook ${id} by its ID. If it still lists the webhook, change it there.`,
		);
	}
}

export class OtherCreated extends Error {
	constructor(readonly id: string) {
		super(
			'The service answered the creation of the webhook with a different webhook. Check the webhooks in the service, then ' +
				'publish the workflow again.',
		);
	}
}

/** The trigger changes subscriptions only here, and only those that `isOwn` recognized right before. An ID proves nothing. */
export class OwnWebhooks {
	/** Identifies the base URL and the API key, for the lists that triggers share. */
	private readonly account: string;

	constructor(
		private readonly service: EmailIdentityService,
		readonly target: Target,
		baseUrl: string,
		private readonly memory: WebhookMemory,
	) {
		this.account = digestSecret(JSON.stringify([baseUrl, target.apiKey]));
	}

	/** The user that the API key belongs to. */
	async ownerId(): Promise<string> {
		return await this.service.ownerId();
	}

	/**
	 * Looks at the node's subscriptions. Known ones that are not in the list are fetched by their IDs, so that they are not
	 * created again. Never fails.
	 */
	async observe(knownIds: readonly string[], options: ObserveOptions = {}): Promise<Snapshot> {
		const { mayBeShared = false, isPartEnough = false } = options;
		const snapshot: Snapshot = {
			own: [],
			leftovers: [],
			unlisted: [],
			elsewhere: undefined,
			askedAt: -Infinity,
			failure: undefined,
		};
		const list = await this.list(mayBeShared).catch((error: unknown) => {
			snapshot.failure = error;
		});
		if (!list && !isPartEnough) return snapshot;
		const listed = list?.webhooks ?? [];
		snapshot.askedAt = list?.askedAt ?? -Infinity;

		const { stored } = this.target;
		const ids = new Set([...(stored ? [stored.id] : []), ...knownIds]);
		const missing = [...ids].filter((id) => !listed.some((webhook) => webhook.id === id));
		const fetched: ListedWebhook[] = [];
		const fetchMissing = async (id: string): Promise<void> => {
			try {
				const webhook = await this.get(id);
				if (!webhook || !(await this.isChangeable(webhook))) return;
				fetched.push(webhook);
			} catch (error) {
				snapshot.failure ??= error;
			}
			snapshot.unlisted.push(id);
		};
		try {
			await Promise.all(missing.map(fetchMissing));
			for (const webhook of [...listed, ...fetched]) await this.sort(webhook, snapshot);
		} catch (error) {
			// The owner of the API key could not be read.
			snapshot.failure ??= error;
		}
		return snapshot;
	}

	/** Creates a subscription. @throws OtherCreated if the response shows another one */
	async create({ identityId, ...fields }: Required<WebhookState>): Promise<Webhook> {
		const ownerId = await this.ownerId();
		const given: NewWebhook = { ...fields, ownerId };
		if (identityId !== null) given.identityId = identityId;
		const created = toListed(await this.service.createWebhook(given));
		const different = webhookDiff(created, { ...fields, identityId, description: undefined });
		const isAsAsked = Object.keys(different).length === 0 && (await this.isOwn(created));
		if (isAsAsked) return { ...created, ownerId };
		throw new OtherCreated(created.id);
	}

	/** @throws NoLongerOwn */
	async update(id: string, changes: WebhookState): Promise<void> {
		// Before each attempt: the service may have given the ID to another subscription since the last one.
		await this.service.updateWebhook(id, changes, async () => {
			const webhook = await this.get(id);
			if (!webhook || !(await this.isOwn(webhook))) throw new NoLongerOwn(id);
		});
	}

	/** @throws NoLongerOwn */
	async remove(id: string): Promise<void> {
		await this.service.deleteWebhook(id, async () => {
			const webhook = await this.get(id);
			if (!webhook || !(await this.isChangeable(webhook))) throw new NoLongerOwn(id);
		});
	}

	/** A list from before a change is not shared after it: call this before and after each. */
	forgetList(): void {
		this.memory.lists.forget(this.account);
	}

	private async list(mayBeShared: boolean): Promise<WebhookList> {
		const { lists, now } = this.memory;
		const read = async (): Promise<WebhookList> => {
			const askedAt = now();
			return { webhooks: (await this.service.listWebhooks()).map(toListed), askedAt };
		};
		return mayBeShared ? await lists.once(this.account, read) : await read();
	}

	/** @returns undefined if there is no such subscription for this API key */
	private async get(id: string): Promise<ListedWebhook | undefined> {
		const webhook = await this.service.getWebhook(id).then(toListed, (error: unknown) => {
			if (isMissing(error)) return undefined;
			throw error;
		});
		return webhook && isSameId(id, webhook.id) ? webhook : undefined;
	}

	private async sort(webhook: ListedWebhook, snapshot: Snapshot): Promise<void> {
		if (await this.isOwn(webhook)) snapshot.own.push(webhook);
		else if (await this.isLeftover(webhook)) snapshot.leftovers.push(webhook);
		else if (await this.isElsewhere(webhook)) snapshot.elsewhere = webhook;
	}

	/**
	 * A subscription is the node's own if it belongs to the API key's user, as far as the service shows its owner, and
	 *
	 * - delivers to the node's URL: only the node can receive these deliveries; or
	 * - delivers to the gateway of the Delivery URL and is marked for this node; or
	 * - names the node in its URL, as n8n's URLs do or by the mark, and has the node's secret: the present one, or the one whose
	 *   digest was stored, for example under a former API key.
	 *
	 * Nothing else that was stored counts: anyone can write a webhook ID and static data into the file of a workflow. A copy of
	 * the workflow in another n8n has another secret and recognizes none of them.
	 */
	private async isOwn(webhook: ListedWebhook): Promise<boolean> {
		return wasMadeFor(this.target, webhook.parts) && (await this.isOfUser(webhook));
	}

	private async isChangeable(webhook: ListedWebhook): Promise<boolean> {
		return (await this.isOwn(webhook)) || (await this.isLeftover(webhook));
	}

	/** Its secret shows that this n8n made it, and its time that no process of n8n listens any more. */
	private async isLeftover({ url, ownerId, parts }: ListedWebhook): Promise<boolean> {
		const { apiKey, instanceId } = this.target;
		if (parts.until === undefined || mayBeInFuture(parts.until, this.memory.clock())) return false;
		return isTestUrl(url, apiKey, instanceId) && (await this.isOfUser({ ownerId }));
	}

	private async isElsewhere(webhook: ListedWebhook): Promise<boolean> {
		if (webhook.id !== this.target.stored?.id || webhook.enabled === false) return false;
		return await this.isOfUser(webhook);
	}

	/** True if the service does not show the owner. */
	private async isOfUser({ ownerId }: Pick<Webhook, 'ownerId'>): Promise<boolean> {
		return ownerId === null || mayBelongTo(await this.ownerId(), { ownerId });
	}
}

/** Another main process may have set it. A time that cannot be, such as one of a day later, is over. */
function mayBeInFuture(until: number, now: number): boolean {
	const { clocks, listening } = SUBSCRIPTION_MS;
	return until > now - clocks && until < now + listening + clocks;
}

function wasMadeFor(target: Target, parts: UrlParts): boolean {
	const { address, mark, secret, until = 0, webhookPath } = parts;
	if (address === '') return false;
	if (target.usedUntil !== undefined && until > target.usedUntil) return false;
	if (address === target.parts.address) return true;
	const isMarked = target.listening === 'production' && mark === target.mark;
	if (isMarked && address === target.gatewayAddress) return true;
	const isAsInN8n = webhookPath !== undefined && webhookPath === target.parts.webhookPath;
	return (isMarked || isAsInN8n) && isSecretOf(target, secret);
}

function isSecretOf({ secret, stored }: Target, given: string | undefined): boolean {
	if (!given) return false;
	if (given === secret) return true;
	return stored !== undefined && matchesDigest(given, stored.secretDigest);
}

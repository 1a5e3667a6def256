import { isMissing } from '../../api/errors';
import type { Entry } from '../../api/json';
import { isSameId, mayBelongTo, toWebhook, type Webhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Cache } from '../../../../lib/basics';
import { deriveSecret, isTestUrl, matchesDigest, webhookPathIn } from '../../shared/secret';
import { webhookDiff, type WebhookState } from '../../shared/webhooks';
import type { StoredSubscription } from '../staticData';
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
	/** Of n8n's present URL for the node. */
	parts: UrlParts;
	/** The Delivery URL without its query; undefined if deliveries arrive at n8n's own URL. */
	gatewayAddress: string | undefined;
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

/** `leftover`: a test subscription of any node of this n8n, no longer in use. */
type Ownership = 'own' | 'leftover';

export interface Seen {
	own: Webhook[];
	leftovers: Webhook[];
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

interface OwnWebhooksOptions {
	/** Identifies the base URL and the API key, for the lists that triggers share. */
	account: string;
	lists: Cache<WebhookList>;
	now(): number;
	/** Whether this n8n listens for a test event at a URL; left out if leftovers are not looked for. */
	isInUse?: ((url: string) => boolean) | undefined;
}

/** The trigger changes subscriptions only here, and only those that `ownership` recognized right before. An ID proves nothing. */
export class OwnWebhooks {
	constructor(
		private readonly service: EmailIdentityService,
		readonly target: Target,
		private readonly options: OwnWebhooksOptions,
	) {}

	get ownerId() {
		return this.service.ownerId;
	}

	/** @param mayBeShared whether it may be a few seconds old, and from before changes by others */
	async list(mayBeShared: boolean): Promise<WebhookList> {
		const { account, lists, now } = this.options;
		const read = async () => {
			const askedAt = now();
			return { webhooks: (await this.service.listWebhooks()).map(toListed), askedAt };
		};
		return mayBeShared ? await lists.once(account, read) : await read();
	}

	/** @returns undefined if there is no such subscription, or it is not this node's */
	async get(id: string): Promise<ListedWebhook | undefined> {
		const webhook = await this.service.getWebhook(id).then(toListed, (error: unknown) => {
			if (isMissing(error)) return undefined;
			throw error;
		});
		const isFound = webhook && isSameId(id, webhook.id) && (await this.ownership(webhook));
		return isFound ? webhook : undefined;
	}

	async recognize(webhooks: readonly ListedWebhook[]): Promise<Seen> {
		const seen: Seen = { own: [], leftovers: [] };
		for (const webhook of webhooks) {
			const ownership = await this.ownership(webhook);
			if (ownership) seen[ownership === 'own' ? 'own' : 'leftovers'].push(webhook);
		}
		return seen;
	}

	async create({ identityId, ...fields }: Required<WebhookState>): Promise<Webhook> {
		const ownerId = await this.ownerId();
		const restriction = identityId === null ? {} : { identityId };
		const created = toListed(
			await this.changing(
				async () => await this.service.createOnlyWebhook({ ...fields, ...restriction, ownerId }),
			),
		);
		const different = webhookDiff(created, { ...fields, identityId, description: undefined });
		const isAsAsked =
			Object.keys(different).length === 0 && (await this.ownership(created)) === 'own';
		if (isAsAsked) return { ...created, ownerId };
		throw new OtherCreated(created.id);
	}

	async update(id: string, changes: WebhookState): Promise<void> {
		await this.changing(
			async () => await this.service.updateWebhook(id, changes, async () => await this.check(id)),
		);
	}

	async remove(id: string): Promise<void> {
		await this.changing(
			async () => await this.service.deleteWebhook(id, async () => await this.check(id)),
		);
	}

	/** A list from before a change is not shared after it. */
	private async changing<Result>(change: () => Promise<Result>): Promise<Result> {
		const { account, lists } = this.options;
		lists.forget(account);
		try {
			return await change();
		} finally {
			lists.forget(account);
		}
	}

	/** Before each attempt: the service may have given the ID to another subscription since the last one. */
	private async check(id: string): Promise<void> {
		if (!(await this.get(id))) throw new NoLongerOwn(id);
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
	private async ownership(webhook: ListedWebhook): Promise<Ownership | undefined> {
		const isOwn = wasMadeFor(this.target, webhook.parts);
		if (!isOwn && !this.isLeftover(webhook)) return undefined;
		if (webhook.ownerId !== null && !mayBelongTo(await this.ownerId(), webhook)) return undefined;
		return isOwn ? 'own' : 'leftover';
	}

	private isLeftover({ url, parts }: ListedWebhook): boolean {
		const { isInUse } = this.options;
		const { apiKey, instanceId, parts: own } = this.target;
		// Most subscriptions are for production and need no derived secret.
		if (isInUse === undefined || parts.base === undefined || parts.base === own.base) return false;
		return isTestUrl(url, apiKey, instanceId) && !isInUse(url);
	}
}

function wasMadeFor(target: Target, parts: UrlParts): boolean {
	const { address, mark, secret, webhookPath } = parts;
	if (address === '') return false;
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

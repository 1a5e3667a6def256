import { isMissing } from '../../api/errors';
import type { Entry } from '../../api/json';
import { isSameId, mayBelongTo, toWebhook, type Webhook } from '../../api/resources';
import type { EmailIdentityService } from '../../api/service';
import type { Cache } from '../../../../lib/basics';
import { deriveSecret, isTestUrl } from '../../shared/secret';
import { webhookDiff, type WebhookState } from '../../shared/webhooks';
import type { StoredSubscription } from '../staticData';
import { markOf, partsOf, usesGateway, type Endpoint, type UrlParts } from './subscriptionUrl';

export type Target = ReturnType<typeof targetFor>;

/** @param stored from the static data, which is copied with a workflow: it may belong to another node */
export function targetFor(
	endpoint: Endpoint,
	apiKey: string,
	stored: StoredSubscription | undefined,
) {
	const storedAt = stored && partsOf(stored.url);
	const isOwn =
		stored?.instanceId === endpoint.instanceId &&
		stored.listening === endpoint.listening &&
		storedAt?.path.includes(endpoint.webhookPath) === true;
	const { address, base } = partsOf(endpoint.address);
	return {
		...endpoint,
		apiKey,
		secret: deriveSecret(apiKey, endpoint),
		mark: markOf(endpoint),
		stored: isOwn ? stored : undefined,
		/** Without queries, see `UrlParts`. */
		addresses: {
			n8n: address,
			base,
			gateway: usesGateway(endpoint) ? partsOf(endpoint.deliveryUrl).address : undefined,
			stored: isOwn ? storedAt.address : undefined,
		},
	};
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
	 * - has the node's secret in a former URL of n8n, or in the URL of a gateway with the node's mark; or
	 * - has the stored ID together with the stored URL or the node's mark. With a former API key, the secret is another one.
	 *
	 * A copy of the workflow in another n8n has another secret and recognizes none of them.
	 */
	private async ownership(webhook: ListedWebhook): Promise<Ownership | undefined> {
		const isOwn = wasMadeFor(this.target, webhook);
		if (!isOwn && !this.isLeftover(webhook)) return undefined;
		if (webhook.ownerId !== null && !mayBelongTo(await this.ownerId(), webhook)) return undefined;
		return isOwn ? 'own' : 'leftover';
	}

	private isLeftover({ url, parts }: ListedWebhook): boolean {
		const { isInUse } = this.options;
		const { apiKey, instanceId, addresses } = this.target;
		// Most subscriptions are for production and need no derived secret.
		if (isInUse === undefined || parts.base === undefined || parts.base === addresses.base)
			return false;
		return isTestUrl(url, apiKey, instanceId) && !isInUse(url);
	}
}

function wasMadeFor(target: Target, { id, parts }: ListedWebhook): boolean {
	const { stored, addresses, listening } = target;
	const { address, path, secret } = parts;
	if (address === '') return false;
	const isMarked = parts.mark === target.mark;
	if (address === addresses.n8n || (isMarked && address === addresses.gateway)) return true;
	const isForNode = isMarked && listening === 'production';
	if (id === stored?.id && (isForNode || address === addresses.stored)) return true;
	return secret === target.secret && (isForNode || path.includes(target.webhookPath));
}

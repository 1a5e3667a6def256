import { isResourceMissing, statusOf } from '../../api/failures/errors';
import {
	isSameId,
	mayBelongTo,
	type NewWebhook,
	type Webhook,
	type WebhookChanges,
} from '../../api/data/resources';
import type { EmailIdentityService } from '../../api/service';
import { webhookDiff } from '../../shared/webhooks';
import type { StoredSubscription } from '../staticData';
import { created, enabling, notCreated, observed } from '../state/subscriptionState';
import { isRefusedCreation } from '../webhooks/cannotCreate';
import type { HookHost } from '../state/hookRequest';
import type { SubscriptionMemory, WebhookList, WebhookMemory } from '../state/memory';
import type { NodeSubscription } from '../state/nodeRecord';
import type { Action, DesiredState } from '../webhooks/plan';
import { addressRefusal, type Endpoint } from '../webhooks/subscriptionUrl';
import {
	isLeftoverTest,
	targetFor,
	toListed,
	wasMadeFor,
	type ListedWebhook,
	type Target,
} from '../webhooks/target';

/** The node's subscriptions, as the service shows them: its webhooks that deliver to this node. */
export interface Snapshot {
	own: Webhook[];
	/** Subscriptions for test events of any node of this n8n, which no process listens for any more. */
	leftovers: Webhook[];
	/** IDs of known subscriptions that the list does not show. Those that could be fetched are also in `own` or `leftovers`. */
	unlisted: string[];
	/** When the list was asked for, by the clock of the checks; -Infinity if it could not be read. */
	askedAt: number;
	/** Why a part is missing; undefined if it is whole. */
	failure: unknown;
}

export interface ObserveOptions {
	/** Whether the list may be a few seconds old, and from before changes by others. Default: no. */
	mayBeCached?: boolean;
	/** Whether known subscriptions are fetched if the list cannot be read. Default: no. */
	isPartEnough?: boolean;
}

export class NoLongerOwn extends Error {
	constructor(id: string) {
		super(
			`The service no longer returns the webhook ${id} as this node's. If the service still lists it, change it there.`,
		);
	}
}

/** Whether a change failed because the subscription was deleted meanwhile, or its ID given to another one. */
export function isGone(error: unknown): boolean {
	return error instanceof NoLongerOwn || statusOf(error) === 404;
}

export class OtherCreated extends Error {
	constructor(readonly id: string) {
		super(
			'The service returned a different webhook from the one that it was asked to create. Check the webhooks in the service, then ' +
				'publish the workflow again.',
		);
	}
}

/**
 * A node's subscriptions in the service. Keeps in the node's record what it sees and does.
 *
 * The trigger changes subscriptions only here, and only after it recognized them by their URL: an ID may belong to another one by now.
 */
export class OwnWebhooks {
	constructor(
		readonly service: EmailIdentityService,
		readonly target: Target,
		readonly record: NodeSubscription,
		readonly memory: WebhookMemory,
	) {}

	/** @throws Error if the service cannot deliver to the node */
	async requireAddress(): Promise<void> {
		const { allowPrivateWebhookUrls } = await this.service.credential();
		const refusal = addressRefusal(this.target, allowPrivateWebhookUrls);
		if (refusal !== undefined) throw new Error(refusal);
	}

	/**
	 * Looks at the node's subscriptions. Known ones that are not in the list are fetched by their IDs, so that they are not
	 * created again. Never fails.
	 */
	async observe(options?: ObserveOptions): Promise<Snapshot> {
		const snapshot = await this.readSnapshot(options);
		const { own, unlisted, failure, askedAt } = snapshot;
		const { record } = this;

		const ids = new Set([...own.map(({ id }) => id), ...unlisted]);
		const isListKnown = askedAt !== -Infinity;
		if (!isListKnown) record.state.ids.forEach((id) => ids.add(id));

		let mayDeliver: boolean | undefined = own.some(({ enabled }) => enabled !== false);
		// One that could not be read may be enabled.
		if (!mayDeliver && failure !== undefined) mayDeliver = undefined;
		record.state = observed(record.state, { ids: [...ids], mayDeliver });
		return snapshot;
	}

	/**
	 * Carries out an action. Lists that were read before it or meanwhile are forgotten.
	 *
	 * @returns a subscription that was created
	 * @throws NoLongerOwn before a change; OtherCreated if the response to a creation shows another subscription
	 */
	async carryOut(action: Action): Promise<Webhook | undefined> {
		const { lists } = this.memory;
		lists.forget(this.target.account);
		try {
			if (action.kind === 'create') return await this.create(action.desired);
			if (action.kind === 'update') await this.update(action.id, action.changes);
			if (action.kind === 'delete') await this.remove(action.id);
			return undefined;
		} finally {
			lists.forget(this.target.account);
		}
	}

	private async create({ identityId, ...fields }: DesiredState): Promise<Webhook> {
		const ownerId = await this.service.ownerId();
		const given: NewWebhook = { ...fields, ownerId };
		if (identityId !== null) given.identityId = identityId;

		const { record } = this;
		record.state = enabling(record.state);
		const answered = await this.service.createWebhook(given).catch((error: unknown) => {
			if (isRefusedCreation(error)) record.state = notCreated(record.state);
			throw error;
		});
		const webhook = toListed(answered);
		record.state = created(record.state, webhook.id);

		// A service may change the description.
		const different = webhookDiff(webhook, { ...fields, identityId, description: undefined });
		const isAsAsked = Object.keys(different).length === 0 && (await this.isOwn(webhook));
		if (!isAsAsked) throw new OtherCreated(webhook.id);
		return { ...webhook, ownerId };
	}

	private async update(id: string, changes: WebhookChanges): Promise<void> {
		const { record } = this;
		const isPausing = changes.enabled === false;
		if (!isPausing) record.state = enabling(record.state);
		// Before each attempt: the service may have given the ID to another subscription since the last one.
		await this.service.updateWebhook(id, changes, async () => {
			const webhook = await this.get(id);
			if (!webhook || !(await this.isOwn(webhook))) throw new NoLongerOwn(id);
		});
	}

	private async remove(id: string): Promise<void> {
		await this.service.deleteWebhook(id, async () => {
			const webhook = await this.get(id);
			if (!webhook || !(await this.isOwnOrLeftover(webhook))) throw new NoLongerOwn(id);
		});
	}

	private async readSnapshot(options: ObserveOptions = {}): Promise<Snapshot> {
		const { mayBeCached = false, isPartEnough = false } = options;
		const snapshot: Snapshot = {
			own: [],
			leftovers: [],
			unlisted: [],
			askedAt: -Infinity,
			failure: undefined,
		};
		const list = await this.list(mayBeCached).catch((error: unknown) => {
			snapshot.failure = error;
		});
		if (!list && !isPartEnough) return snapshot;
		const listed = list?.webhooks ?? [];
		snapshot.askedAt = list?.askedAt ?? -Infinity;

		const known = new Set(this.record.state.ids);
		const { stored } = this.target;
		if (stored) known.add(stored.id);
		const missing = [...known].filter((id) => !listed.some((webhook) => webhook.id === id));
		const fetched = await Promise.all(
			missing.map(async (id) => await this.fetchUnlisted(id, snapshot)),
		);
		try {
			for (const webhook of [...listed, ...fetched]) {
				if (webhook) await this.classify(webhook, snapshot);
			}
		} catch (error) {
			// The owner of the API key could not be read.
			snapshot.failure ??= error;
		}
		return snapshot;
	}

	/** @returns undefined if the subscription cannot be read, is gone or is not the node's */
	private async fetchUnlisted(id: string, snapshot: Snapshot): Promise<ListedWebhook | undefined> {
		try {
			const webhook = await this.get(id);
			if (!webhook || !(await this.isOwnOrLeftover(webhook))) return undefined;
			snapshot.unlisted.push(id);
			return webhook;
		} catch (error) {
			snapshot.failure ??= error;
			snapshot.unlisted.push(id);
			return undefined;
		}
	}

	private async classify(webhook: ListedWebhook, snapshot: Snapshot): Promise<void> {
		if (await this.isOwn(webhook)) snapshot.own.push(webhook);
		else if (await this.isLeftover(webhook)) snapshot.leftovers.push(webhook);
	}

	private async list(mayBeCached: boolean): Promise<WebhookList> {
		const { lists, now } = this.memory;
		const read = async (): Promise<WebhookList> => {
			const askedAt = now();
			const entries = await this.service.listWebhooks();
			return { webhooks: entries.map(toListed), askedAt };
		};
		if (!mayBeCached) return await read();
		return await lists.once(this.target.account, read);
	}

	/** @returns undefined if there is no such subscription for this API key */
	private async get(id: string): Promise<ListedWebhook | undefined> {
		const entry = await this.service.getWebhook(id).catch((error: unknown) => {
			if (isResourceMissing(error)) return undefined;
			throw error;
		});
		if (!entry) return undefined;
		const webhook = toListed(entry);
		return isSameId(id, webhook.id) ? webhook : undefined;
	}

	/** A subscription is the node's own if its URL was made for it, and it belongs to the API key's user. */
	private async isOwn(webhook: ListedWebhook): Promise<boolean> {
		return wasMadeFor(this.target, webhook) && (await this.isOfUser(webhook));
	}

	private async isLeftover(webhook: ListedWebhook): Promise<boolean> {
		const isLeft = isLeftoverTest(this.target, webhook, this.memory.wallClock());
		return isLeft && (await this.isOfUser(webhook));
	}

	private async isOwnOrLeftover(webhook: ListedWebhook): Promise<boolean> {
		return (await this.isOwn(webhook)) || (await this.isLeftover(webhook));
	}

	/** True if the service does not show the owner. */
	private async isOfUser({ ownerId }: Webhook): Promise<boolean> {
		if (ownerId === null) return true;
		return mayBelongTo(await this.service.ownerId(), { ownerId });
	}
}

/**
 * Reads the credential and derives the node's secret from it.
 *
 * @param stored see `Target`
 * @throws NodeOperationError if the credential is missing or its base URL is not valid
 */
export async function openWebhooks(
	host: HookHost,
	endpoint: Endpoint,
	memory: SubscriptionMemory,
	stored: StoredSubscription | undefined,
): Promise<OwnWebhooks> {
	const service = host.service({ retry: memory.retry });
	const target = targetFor(endpoint, await service.credential(), stored);
	return new OwnWebhooks(service, target, memory.states.at(endpoint), memory);
}

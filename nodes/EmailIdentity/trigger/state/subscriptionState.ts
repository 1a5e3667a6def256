import {
	BoundedMap,
	Cache,
	KeyedQueue,
	isSameAddress,
	monotonicNow,
	wallClockNow,
} from '../../../../lib/basics';
import type { Listening, NodeIdentity, SecretScope } from '../../shared/secret';
import type {
	ReceivingIdentity,
	ShownRestriction,
	StoredRestriction,
	StoredSubscription,
} from '../staticData';
import { SUBSCRIPTION_MS } from '../times';

/** A restriction, and when the service showed it. */
export interface SeenRestriction extends ShownRestriction {
	/** Milliseconds, see `monotonicNow`. */
	seenAt: number;
	toStore: StoredRestriction;
}

/** @param seenAt see `monotonicNow`; default: now */
export function dated(restriction: ShownRestriction, seenAt = monotonicNow()): SeenRestriction {
	const age = monotonicNow() - seenAt;
	const toStore = { ...restriction, seenAt: Math.round(wallClockNow() - age) };
	return { ...restriction, seenAt, toStore };
}

/** A subscription, as far as this process knows it. A state is never changed: each transition below returns a new one. */
export interface SubscriptionState {
	/** n8n's URL; undefined if n8n called no hook in this process. */
	readonly address?: string;
	/** Undefined once n8n called `delete`, and if only deliveries asked for the subscription. */
	readonly workflowId?: string | undefined;
	/** The same as in static data, or what will be there. */
	readonly stored?: StoredSubscription | undefined;
	/** The chosen identity; undefined for all identities, and before it was looked up. */
	readonly identity?: ReceivingIdentity | undefined;
	/** Whether the subscription is paused because the chosen identity is gone. */
	readonly isIdentityGone?: boolean;
	/** Subscriptions that may be the node's. They only help to find those that a list does not show yet, or no longer. */
	readonly ids: readonly string[];
	/** Whether the service may deliver to the node; undefined if that is not known. */
	readonly mayDeliver?: boolean | undefined;
	/** As the service showed it last; undefined if it did not, or if none is needed. */
	readonly restriction?: SeenRestriction | undefined;
}

const UNKNOWN: SubscriptionState = { ids: [] };

/** n8n called `create`. A subscription that was paused long ago may have been enabled since. */
export function activating(
	state: SubscriptionState,
	call: Pick<SubscriptionState, 'address' | 'workflowId' | 'stored'>,
): SubscriptionState {
	const mayDeliver = state.mayDeliver === true ? true : undefined;
	return { ...state, ...call, identity: undefined, isIdentityGone: false, mayDeliver };
}

/** @param mayDeliver undefined if the service showed only a part */
export function observed(
	state: SubscriptionState,
	seen: { ids: readonly string[]; mayDeliver: boolean | undefined },
): SubscriptionState {
	return { ...state, ids: seen.ids, mayDeliver: seen.mayDeliver ?? state.mayDeliver };
}

/** A request that enables a subscription is sent, and its answer may be lost. */
export function enabling(state: SubscriptionState): SubscriptionState {
	return { ...state, mayDeliver: true };
}

/** The service says that it created no subscription, which may be wrong. */
export function notCreated(state: SubscriptionState): SubscriptionState {
	return { ...state, mayDeliver: undefined };
}

/** @param id from the response. If the response was wrong, it may be another subscription's. */
export function created(state: SubscriptionState, id: string): SubscriptionState {
	return { ...state, ids: [...state.ids, id] };
}

/** The subscription is as it should be, or a check has done what it may. */
export function activated(
	state: SubscriptionState,
	found: Pick<SubscriptionState, 'stored' | 'identity' | 'restriction'>,
): SubscriptionState {
	const { stored = state.stored, identity } = found;
	const restriction = newest(state.restriction, found.restriction);
	return { ...state, stored, identity, restriction, isIdentityGone: false, mayDeliver: true };
}

/** A check or a delivery saw the restriction. */
export function restrictionSeen(
	state: SubscriptionState,
	restriction: SeenRestriction,
): SubscriptionState {
	return { ...state, restriction: newest(state.restriction, restriction) };
}

/** The chosen identity does not exist, and the subscription is paused. */
export function identityGone(state: SubscriptionState): SubscriptionState {
	return { ...state, isIdentityGone: true, mayDeliver: false };
}

/** n8n called `delete`. */
export function deactivating(state: SubscriptionState, address: string): SubscriptionState {
	return { ...state, address, workflowId: undefined, restriction: undefined };
}

/** No subscription of the node is enabled. @param ids only those that the list did not show */
export function paused(state: SubscriptionState, ids: readonly string[]): SubscriptionState {
	return { ...state, ids, restriction: undefined, mayDeliver: false };
}

/** A check may use a list from before a delivery asked. @param found undefined if no restriction is needed any more */
function newest(
	known: SeenRestriction | undefined,
	found: SeenRestriction | undefined,
): SeenRestriction | undefined {
	if (known === undefined || found === undefined) return found;
	return known.seenAt > found.seenAt ? known : found;
}

/** All that this process keeps of one subscription. */
export interface SubscriptionRecord<Node extends object> {
	state: SubscriptionState;
	/** The node, as n8n's hooks remember it, see `nodeRecord.ts`. */
	readonly node: Partial<Node>;
}

/** The last known restriction of a subscription, with its identity. */
export interface SeenSubscription extends SeenRestriction {
	/** See `SubscriptionState`. */
	identity: ReceivingIdentity | undefined;
}

/** The part that deliveries see of a subscription, and can do about it. */
export type SubscriptionView = Pick<
	SubscriptionStates,
	'lastSeen' | 'askOnce' | 'recentlySeen' | 'repair'
>;

/** In queue mode, webhook processes do not notice that a workflow was unpublished. */
const MAX_SEEN_BY_DELIVERIES = 1000;

/** Owns the records. n8n's hooks, checks and deliveries share it. */
export class SubscriptionStates<Node extends object = object> {
	private readonly records = new BoundedMap<string, SubscriptionRecord<Node>>(
		MAX_SEEN_BY_DELIVERIES,
		undefined,
		// Records that n8n's hooks made are never dropped.
		({ state }) => state.address !== undefined,
	);

	private readonly queue = new KeyedQueue();

	/** Shares a request while it runs, and keeps nothing afterwards. */
	private readonly asking = new Cache<ShownRestriction>({
		maxAge: 0,
		maxWeight: MAX_SEEN_BY_DELIVERIES,
	});

	/** @param repair for a delivery that found the restriction lost; never throws */
	constructor(readonly repair: (scope: SecretScope) => void = () => undefined) {}

	get size(): number {
		return this.records.size;
	}

	/** The record of a subscription, which is made if there is none. */
	at(scope: SecretScope): SubscriptionRecord<Node> {
		const key = keyOf(scope);
		const known = this.records.get(key);
		if (known) return known;
		const record: SubscriptionRecord<Node> = { state: UNKNOWN, node: {} };
		this.records.set(key, record);
		return record;
	}

	/** Runs work after all earlier work for the same subscription: n8n may call a hook while an earlier one still waits. */
	async inTurn<Result>(scope: SecretScope, work: () => Promise<Result>): Promise<Result> {
		return await this.queue.run(keyOf(scope), work);
	}

	/** A record ends with its workflow, unless something may be left in the service. */
	endIfOver(scope: SecretScope): void {
		const { state } = this.at(scope);
		if (state.workflowId === undefined && state.ids.length === 0) this.records.delete(keyOf(scope));
	}

	/** Finds out what n8n listens for at one of a node's addresses, because n8n does not tell `delete`. */
	listeningAt(node: NodeIdentity, address: string): Listening | undefined {
		for (const listening of ['production', 'test'] as const) {
			const known = this.records.get(keyOf({ ...node, listening }))?.state.address;
			if (known !== undefined && isSameAddress(known, address)) return listening;
		}
		return undefined;
	}

	/** Whether n8n called `create` and not `delete` since. When n8n stops, it calls neither. */
	isPublished(scope: SecretScope): boolean {
		return this.records.get(keyOf(scope))?.state.workflowId !== undefined;
	}

	/** Undefined if the service did not show the restriction to this process. */
	lastSeen(scope: SecretScope): SeenSubscription | undefined {
		const state = this.records.get(keyOf(scope))?.state;
		if (!state?.restriction) return undefined;
		return { ...state.restriction, identity: state.identity };
	}

	/**
	 * For when the service cannot be asked.
	 *
	 * @returns undefined if what was seen is too old, or in the future because the clock was changed
	 */
	recentlySeen(
		scope: SecretScope,
		stored: StoredRestriction | undefined,
	): ShownRestriction | undefined {
		const maxAge = SUBSCRIPTION_MS.restrictionRecent;
		const seen = this.lastSeen(scope);
		if (seen && monotonicNow() - seen.seenAt <= maxAge) return seen;
		if (!stored) return undefined;
		const age = wallClockNow() - stored.seenAt;
		return age >= 0 && age <= maxAge ? stored : undefined;
	}

	/** Asks the service once for all deliveries that wait for the answer. */
	async askOnce(
		scope: SecretScope,
		read: () => Promise<ShownRestriction>,
	): Promise<ShownRestriction> {
		return await this.asking.once(keyOf(scope), async () => {
			const askedAt = monotonicNow();
			const found = await read();
			const record = this.at(scope);
			record.state = restrictionSeen(record.state, dated(found, askedAt));
			return found;
		});
	}
}

function keyOf({ instanceId, webhookPath, listening }: SecretScope): string {
	return `${listening} ${instanceId} ${webhookPath}`;
}

import {
	BoundedMap,
	Cache,
	KeyedQueue,
	isSameAddress,
	monotonicNow,
	wallClockNow,
} from '../../../../lib/basics';
import type { Listening, NodeIdentity, SecretScope } from '../../shared/secret';
import type { Look, ReceivingIdentity, StoredLook, StoredSubscription } from '../staticData';
import { SUBSCRIPTION_MS } from '../times';

/** A look with its time. */
export interface DatedLook extends Look {
	/** See `monotonicNow`. */
	seenAt: number;
	/** The form in which static data keep it. */
	stored: StoredLook;
}

/** @param seenAt see `monotonicNow`; default: now */
export function dated(look: Look, seenAt = monotonicNow()): DatedLook {
	const age = monotonicNow() - seenAt;
	const stored = { ...look, seenAt: Math.round(wallClockNow() - age) };
	return { ...look, seenAt, stored };
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
	/** The last look at the restriction; undefined if none is needed, or none was taken. */
	readonly look?: DatedLook | undefined;
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

/** The service refused to create a subscription, or says so. */
export function notCreated(state: SubscriptionState): SubscriptionState {
	return { ...state, mayDeliver: undefined };
}

/** @param id in the response; unless that was in order, it may be another subscription's */
export function created(state: SubscriptionState, id: string): SubscriptionState {
	return { ...state, ids: [...state.ids, id] };
}

/** The subscription is as it should be, or as far as a check may repair it. */
export function activated(
	state: SubscriptionState,
	found: Pick<SubscriptionState, 'stored' | 'identity' | 'look'>,
): SubscriptionState {
	const { stored = state.stored, identity } = found;
	const look = newest(state.look, found.look);
	return { ...state, stored, identity, look, isIdentityGone: false, mayDeliver: true };
}

/** A check or a delivery saw the restriction. */
export function restrictionSeen(state: SubscriptionState, look: DatedLook): SubscriptionState {
	return { ...state, look: newest(state.look, look) };
}

/** The chosen identity does not exist, and the subscription is paused. */
export function identityGone(state: SubscriptionState): SubscriptionState {
	return { ...state, isIdentityGone: true, mayDeliver: false };
}

/** n8n called `delete`. */
export function deactivating(state: SubscriptionState, address: string): SubscriptionState {
	return { ...state, address, workflowId: undefined, look: undefined };
}

/** No subscription of the node is enabled. @param ids only those that the list did not show */
export function paused(state: SubscriptionState, ids: readonly string[]): SubscriptionState {
	return { ...state, ids, look: undefined, mayDeliver: false };
}

/** A check may use a list from before a delivery asked. @param look undefined if none is needed any more */
function newest(before: DatedLook | undefined, look: DatedLook | undefined): DatedLook | undefined {
	if (before === undefined || look === undefined) return look;
	return before.seenAt > look.seenAt ? before : look;
}

/** All that this process keeps of one subscription. */
export interface SubscriptionRecord<Node extends object> {
	state: SubscriptionState;
	/** The node, as n8n's hooks remember it, see `nodeRecord.ts`. */
	readonly node: Partial<Node>;
}

/** The last look at a subscription, with its identity. */
export interface SeenSubscription extends DatedLook {
	/** See `SubscriptionState`. */
	identity: ReceivingIdentity | undefined;
}

/** The part that deliveries see of a subscription, and can do about it. */
export type SubscriptionView = Pick<SubscriptionStates, 'seen' | 'ask' | 'believed' | 'repair'>;

/** Webhook processes of queue mode are not told when a workflow ends. */
const MAX_SEEN_BY_DELIVERIES = 1000;

/** Owns the records. n8n's hooks, checks and deliveries share it. */
export class SubscriptionStates<Node extends object = object> {
	private readonly records = new BoundedMap<string, SubscriptionRecord<Node>>(
		MAX_SEEN_BY_DELIVERIES,
		undefined,
		({ state }) => state.address !== undefined,
	);

	private readonly queue = new KeyedQueue();

	private readonly asking = new Cache<Look>({ maxAge: 0, maxWeight: MAX_SEEN_BY_DELIVERIES });

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

	all(): Array<SubscriptionRecord<Node>> {
		return [...this.records.values()];
	}

	/** Finds out what n8n listens for at one of a node's addresses: it does not tell `delete`. */
	listeningAt(node: NodeIdentity, address: string): Listening | undefined {
		for (const listening of ['production', 'test'] as const) {
			const known = this.records.get(keyOf({ ...node, listening }))?.state.address;
			if (known !== undefined && isSameAddress(known, address)) return listening;
		}
		return undefined;
	}

	/** Whether n8n called `create` and not `delete` since. A stop of n8n calls neither. */
	isPublished(scope: SecretScope): boolean {
		return this.records.get(keyOf(scope))?.state.workflowId !== undefined;
	}

	/** The last look; undefined if there was none. */
	seen(scope: SecretScope): SeenSubscription | undefined {
		const state = this.records.get(keyOf(scope))?.state;
		if (!state?.look) return undefined;
		return { ...state.look, identity: state.identity };
	}

	/** The last look, for when the service cannot be asked; undefined if it is too old, or in the future of a clock that was set. */
	believed(scope: SecretScope, stored: StoredLook | undefined): Look | undefined {
		const maxAge = SUBSCRIPTION_MS.restrictionBelieved;
		const seen = this.seen(scope);
		if (seen && monotonicNow() - seen.seenAt <= maxAge) return seen;
		if (!stored) return undefined;
		const age = wallClockNow() - stored.seenAt;
		return age >= 0 && age <= maxAge ? stored : undefined;
	}

	/** Once for all waiting deliveries. */
	async ask(scope: SecretScope, read: () => Promise<Look>): Promise<Look> {
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

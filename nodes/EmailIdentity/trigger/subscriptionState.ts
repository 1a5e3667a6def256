import { BoundedMap, Cache, isSameAddress, monotonicNow, wallClockNow } from '../../../lib/basics';
import type { Listening, NodeIdentity, SecretScope } from '../shared/secret';
import type { Look, ReceivingIdentity, StoredLook, StoredSubscription } from './staticData';
import { SUBSCRIPTION_MS } from './times';

/** `seenAt`: see `monotonicNow`. */
type DatedLook = Look & { seenAt: number; stored: StoredLook };

/** What this process knows of a subscription. */
export interface SubscriptionState {
	/** n8n's URL, if n8n called a hook in this process. */
	readonly address?: string;
	/** Undefined once n8n called `delete`, and if only deliveries asked for the subscription. */
	readonly workflowId?: string | undefined;
	readonly stored?: StoredSubscription | undefined;
	/** Undefined for all identities. */
	readonly identity?: ReceivingIdentity | undefined;
	readonly isIdentityGone?: boolean;
	readonly hasActivationTimedOut?: boolean;
	/** They only help to find subscriptions that a list does not show yet, or no longer. */
	readonly ids: readonly string[];
	readonly mayBeOn?: boolean;
	readonly look?: DatedLook | undefined;
}

export type SubscriptionEvent =
	| ({ kind: 'create' } & Pick<SubscriptionState, 'address' | 'workflowId' | 'stored'>)
	/** `created`: also with the IDs in the response; unless that was in order, they may be those of other subscriptions. */
	| { kind: 'listed' | 'created'; ids: readonly string[] }
	| ({ kind: 'on' } & Pick<SubscriptionState, 'stored' | 'identity' | 'look'>)
	| ({ kind: 'looked' } & Required<Pick<SubscriptionState, 'look'>>)
	| { kind: 'gone' | 'timeout' }
	| ({ kind: 'delete' } & Pick<SubscriptionState, 'address'>)
	/** Only the IDs that the list did not show. */
	| { kind: 'off'; ids: readonly string[] };

const UNKNOWN: SubscriptionState = { ids: [] };

/** What an event changes beyond what it says. */
const CHANGES: Record<SubscriptionEvent['kind'], Partial<SubscriptionState>> = {
	create: { identity: undefined, isIdentityGone: false, hasActivationTimedOut: false },
	listed: {},
	created: { mayBeOn: true },
	on: { isIdentityGone: false, mayBeOn: true },
	looked: {},
	gone: { isIdentityGone: true },
	timeout: { hasActivationTimedOut: true },
	delete: { workflowId: undefined, look: undefined },
	off: { look: undefined, mayBeOn: false },
};

function next(state: SubscriptionState, { kind, ...told }: SubscriptionEvent): SubscriptionState {
	const look = 'look' in told ? newest(state.look, told.look) : state.look;
	return { ...state, ...told, look, ...CHANGES[kind] };
}

/** A check may use a list from before a delivery asked. @param look undefined if none is needed any more */
function newest(before: DatedLook | undefined, look: DatedLook | undefined) {
	return before && look && before.seenAt > look.seenAt ? before : look;
}

export const dated = (look: Look, seenAt = monotonicNow()): DatedLook => ({
	...look,
	seenAt,
	stored: { ...look, seenAt: Math.round(wallClockNow() - (monotonicNow() - seenAt)) },
});

/** What deliveries see of a subscription, and can do about it. */
export type SubscriptionView = Pick<SubscriptionStates, 'seen' | 'ask' | 'believed' | 'repair'>;

/** Webhook processes of queue mode are not told when a workflow ends. */
const MAX_SEEN_BY_DELIVERIES = 1000;

/** n8n's hooks, checks and deliveries share it. A state ends with its workflow, unless something may be left in the service. */
export class SubscriptionStates {
	private readonly states = new BoundedMap<string, SubscriptionState>(
		MAX_SEEN_BY_DELIVERIES,
		undefined,
		({ address }) => address !== undefined,
	);

	private readonly asking = new Cache<Look>({ maxAge: 0, maxWeight: MAX_SEEN_BY_DELIVERIES });

	/** @param repair for a delivery that found the restriction lost; never throws */
	constructor(readonly repair: (scope: SecretScope) => void = () => undefined) {}

	get size(): number {
		return this.states.size;
	}

	at(key: string): SubscriptionState {
		return this.states.get(key) ?? UNKNOWN;
	}

	apply(key: string, event: SubscriptionEvent): void {
		const state = next(this.at(key), event);
		const isOver = event.kind === 'off' && !state.workflowId && state.ids.length === 0;
		if (isOver) this.states.delete(key);
		else this.states.set(key, state);
	}

	/** What n8n listens for at one of a node's addresses: it does not tell `delete`. */
	listeningAt(node: NodeIdentity, address: string): Listening | undefined {
		return (['production', 'test'] as const).find(
			(listening) => this.at(stateKey({ ...node, listening })).address === address,
		);
	}

	isListenedAt(url: string): boolean {
		return [...this.states.values()].some(
			({ address, workflowId }) =>
				address !== undefined && workflowId !== undefined && isSameAddress(url, address),
		);
	}

	/** Whether n8n called `create` and not `delete` since. A stop of n8n calls neither. */
	isPublished(scope: SecretScope): boolean {
		return this.at(stateKey(scope)).workflowId !== undefined;
	}

	/** The last look. */
	seen(scope: SecretScope): (DatedLook & Pick<SubscriptionState, 'identity'>) | undefined {
		const { look, identity } = this.at(stateKey(scope));
		return look && { ...look, identity };
	}

	/** The last look, for when the service cannot be asked; undefined if it is too old, or in the future of a clock that was set. */
	believed(scope: SecretScope, stored: StoredLook | undefined): Look | undefined {
		const { restrictionBelieved } = SUBSCRIPTION_MS;
		const seen = this.seen(scope);
		if (seen && monotonicNow() - seen.seenAt <= restrictionBelieved) return seen;
		const ageMs = stored ? wallClockNow() - stored.seenAt : Infinity;
		return ageMs >= 0 && ageMs <= restrictionBelieved ? stored : undefined;
	}

	/** Once for all waiting deliveries. */
	async ask(scope: SecretScope, read: () => Promise<Look>): Promise<Look> {
		const key = stateKey(scope);
		return await this.asking.once(key, async () => {
			const askedAt = monotonicNow();
			const found = await read();
			this.apply(key, { kind: 'looked', look: dated(found, askedAt) });
			return found;
		});
	}
}

export const stateKey = ({ instanceId, webhookPath, listening }: SecretScope): string =>
	`${listening} ${instanceId} ${webhookPath}`;

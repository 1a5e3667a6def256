import type { Entry } from '../api/json';
import { tellsIdentity, toWebhook, type Webhook } from '../api/resources';
import type { EmailIdentityService } from '../api/service';
import { BoundedMap, Cache, isSameAddress, monotonicNow, wallClockNow } from '../../../lib/basics';
import { secretOfUrl, type Listening, type NodeIdentity, type SecretScope } from '../shared/secret';
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
	| { kind: 'listed'; ids: readonly string[] }
	/** With the IDs in the response; unless that was in order, they may be those of other subscriptions. */
	| { kind: 'created'; ids: readonly string[] }
	| ({ kind: 'on' } & Pick<SubscriptionState, 'stored' | 'identity' | 'look'>)
	| ({ kind: 'looked' } & Required<Pick<SubscriptionState, 'look'>>)
	| { kind: 'gone' }
	| { kind: 'timeout' }
	| ({ kind: 'delete' } & Pick<SubscriptionState, 'address'>)
	/** Only the IDs that the list did not show. */
	| { kind: 'off'; ids: readonly string[] };

const UNKNOWN: SubscriptionState = { ids: [] };

function next(state: SubscriptionState, event: SubscriptionEvent): SubscriptionState {
	const { kind, ...told } = event;
	switch (kind) {
		case 'create':
			return {
				...state,
				...told,
				identity: undefined,
				isIdentityGone: false,
				hasActivationTimedOut: false,
			};
		case 'listed':
			return { ...state, ...told };
		case 'created':
			return { ...state, ...told, ids: [...state.ids, ...event.ids], mayBeOn: true };
		case 'on':
			return {
				...state,
				...told,
				look: newest(state.look, event.look),
				isIdentityGone: false,
				mayBeOn: true,
			};
		case 'looked':
			return { ...state, look: newest(state.look, event.look) };
		case 'gone':
			return { ...state, isIdentityGone: true };
		case 'timeout':
			return { ...state, hasActivationTimedOut: true };
		case 'delete':
			return { ...state, ...told, workflowId: undefined, look: undefined };
		case 'off':
			return { ...state, ...told, look: undefined, mayBeOn: false };
	}
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

/** The subscriptions that deliver with a secret. A service may list copies of other users, too. */
export function findBySecret(listed: readonly Entry[], secret: string): Webhook[] {
	return listed.map(toWebhook).filter(({ url }) => secretOfUrl(url) === secret);
}

/** The identity that all subscriptions that deliver with a secret are restricted to. */
export async function askRestriction(service: EmailIdentityService, secret: string): Promise<Look> {
	const listed = await service.listWebhooks();
	const identityIds = new Set(findBySecret(listed, secret).map(({ identityId }) => identityId));
	const [identityId, ...others] = identityIds;
	if (identityId === undefined) throw new Error('The service does not show the subscription');
	// A service that leaves out empty fields shows them for other subscriptions.
	if (!listed.some(tellsIdentity)) return { restrictedTo: undefined };
	return { restrictedTo: others.length === 0 ? identityId : null };
}

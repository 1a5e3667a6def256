import { isSameAddress } from '../../../../lib/basics';
import type { Listening } from '../../shared/secret';
import type { StoredSubscription } from '../staticData';
import type { ReceivingIdentity } from '../subscriptionLooks';

/** What this process knows of the subscription at one of n8n's addresses. */
export interface SubscriptionState {
	/** What n8n last listened for: it does not tell `delete`. */
	readonly listening?: Listening;
	readonly workflowId?: string | undefined;
	readonly stored?: StoredSubscription | undefined;
	/** Undefined for all identities, and if it was gone. */
	readonly identity?: ReceivingIdentity | undefined;
	readonly isIdentityGone?: boolean;
	readonly hasActivationTimedOut?: boolean;
	/** They only help to find subscriptions that a list does not show yet, or no longer. */
	readonly ids: readonly string[];
	/** Whether there may be another one: the answer to the last creation was lost. */
	readonly mayBeMore?: boolean;
	readonly mayBeOn?: boolean;
}

export type SubscriptionEvent =
	| ({ kind: 'create' } & Pick<SubscriptionState, 'listening' | 'workflowId' | 'stored'>)
	| { kind: 'looked'; ids: readonly string[] }
	/** With the IDs in the response; unless that was in order, they may be those of other subscriptions. */
	| { kind: 'created'; ids: readonly string[]; mayBeMore: boolean }
	| ({ kind: 'on' } & Pick<SubscriptionState, 'stored' | 'identity'>)
	| { kind: 'gone' }
	| { kind: 'timeout' }
	| { kind: 'delete' }
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
		case 'looked':
			return { ...state, ...told };
		case 'created':
			return { ...state, ...told, ids: [...state.ids, ...event.ids], mayBeOn: true };
		case 'on':
			return { ...state, ...told, isIdentityGone: false, mayBeOn: true };
		case 'gone':
			return { ...state, identity: undefined, isIdentityGone: true };
		case 'timeout':
			return { ...state, hasActivationTimedOut: true };
		case 'delete':
			return { ...state, workflowId: undefined };
		case 'off':
			return { ...state, ...told, mayBeMore: false, mayBeOn: false };
	}
}

/** The states of this process, by address. Each ends with its workflow, unless something may be left in the service. */
export class SubscriptionStates {
	private readonly states = new Map<string, SubscriptionState>();

	get size(): number {
		return this.states.size;
	}

	at(address: string): SubscriptionState {
		return this.states.get(address) ?? UNKNOWN;
	}

	apply(address: string, event: SubscriptionEvent): void {
		const state = next(this.at(address), event);
		const isOver = event.kind === 'off' && !state.workflowId && state.ids.length === 0;
		if (isOver) this.states.delete(address);
		else this.states.set(address, state);
	}

	isListenedAt(url: string): boolean {
		return [...this.states].some(
			([address, { workflowId }]) => workflowId !== undefined && isSameAddress(url, address),
		);
	}
}

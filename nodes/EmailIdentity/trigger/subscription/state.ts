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

const UNKNOWN: SubscriptionState = { ids: [] };

/** The states of this process, by address. Each ends with its workflow, unless something may be left in the service. */
export class SubscriptionStates {
	private readonly states = new Map<string, SubscriptionState>();

	get size(): number {
		return this.states.size;
	}

	at(address: string): SubscriptionState {
		return this.states.get(address) ?? UNKNOWN;
	}

	note(address: string, known: Partial<SubscriptionState>): void {
		this.states.set(address, { ...this.at(address), ...known });
	}

	/** @param ids in the response to a creation; unless that was in order, they may be those of other subscriptions */
	noteCreation(address: string, ids: readonly string[], mayBeMore: boolean): void {
		this.note(address, { ids: [...this.at(address).ids, ...ids], mayBeMore, mayBeOn: true });
	}

	/** @param ids only those that the list did not show */
	noteOff(address: string, ids: readonly string[]): void {
		this.note(address, { ids, mayBeMore: false, mayBeOn: false });
		if (!this.at(address).workflowId && ids.length === 0) this.states.delete(address);
	}

	isListenedAt(url: string): boolean {
		return [...this.states].some(
			([address, { workflowId }]) => workflowId !== undefined && isSameAddress(url, address),
		);
	}
}

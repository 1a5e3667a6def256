import type { RetryPolicy } from '../../api/requests/retry';
import { Cache, monotonicNow, wallClockNow } from '../../../../lib/basics';
import type { SubscriptionStates } from './subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import type { NodeRecord } from './nodeRecord';
import { Publications } from './publication';
import type { ListedWebhook } from '../webhooks/target';

/** The webhooks that a service listed. */
export interface WebhookList {
	webhooks: ListedWebhook[];
	/** When it was asked for, by the clock of the checks. */
	askedAt: number;
}

/** The memory for requests about webhooks. */
export interface WebhookMemory {
	/** Webhooks by account, for triggers that start or check within seconds. */
	lists: Cache<WebhookList>;
	/** The clock of the checks, see `monotonicNow`. */
	now(): number;
	/** See `wallClockNow`. */
	wallClock(): number;
}

/** The memory that all trigger nodes of a process share. */
export interface SubscriptionMemory extends WebhookMemory {
	states: SubscriptionStates<NodeRecord>;
	publications: Publications;
	/** For each request. */
	retry: Partial<RetryPolicy>;
	/** Aborts after a delay in milliseconds. */
	deadline(delayMs: number): AbortSignal;
}

/** Clocks and times that tests change. */
export type ChangedTimes = Partial<
	Pick<SubscriptionMemory, 'deadline' | 'now' | 'retry' | 'wallClock'>
>;

/** One for each API key. */
const MAX_SHARED_LISTS = 20;

export function createSubscriptionMemory(
	states: SubscriptionStates<NodeRecord>,
	changed: ChangedTimes = {},
): SubscriptionMemory {
	const now = changed.now ?? monotonicNow;
	return {
		states,
		publications: new Publications(now),
		lists: new Cache({ maxAge: SUBSCRIPTION_MS.sharedList, maxWeight: MAX_SHARED_LISTS, now }),
		retry: changed.retry ?? SUBSCRIPTION_MS.requests,
		now,
		wallClock: changed.wallClock ?? wallClockNow,
		deadline: changed.deadline ?? ((delayMs) => AbortSignal.timeout(delayMs)),
	};
}

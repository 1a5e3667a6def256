import type { RetryPolicy } from '../../api/retry';
import { Cache, monotonicNow, wallClockNow } from '../../../../lib/basics';
import type { SubscriptionParameters } from '../settings/settings';
import type { SubscriptionRecord, SubscriptionStates } from '../subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import type { FailureReports } from './failureReports';
import type { HookRequest, TriggerRequest } from './hookRequest';
import type { WebhookMemory } from './ownWebhooks';
import type { CheckSchedule } from './schedule';
import type { Endpoint } from './subscriptionUrl';

/** A node from `create` to `delete`. */
export interface ActiveNode extends SubscriptionParameters {
	endpoint: Endpoint;
	/** Whether Verify With the API is on. */
	verify: boolean;
	checks: CheckSchedule;
	reports: FailureReports;
}

/** The knowledge that the attempts of one publishing share: n8n 2.x makes five. */
export interface Publication {
	/** When the first attempt began, by the clock of the checks. */
	since: number;
	attempts: number;
	/** Whether the last attempt failed. */
	hasFailed: boolean;
	/** Whether the last attempt left nothing to switch off. */
	isClean: boolean;
	/** Why no attempt can succeed; undefined as long as the next one may. */
	refusal?: Error;
	/** The last answer that said why an attempt failed; undefined if none did. */
	lastFailure?: unknown;
}

/** A webhook for test events that could not be deleted. */
export interface LeftTest {
	/** The `delete` that failed. */
	request: HookRequest;
	failures: number;
	/** See `Target`: someone may listen again, in another process. */
	usedUntil: number;
	/** When it is tried again, by the clock of the checks. */
	dueAt: number;
}

/** A node, as n8n's hooks remember it. */
export interface NodeRecord {
	/** Undefined while the node is not active in this process, and while it listens for a test event. */
	active: ActiveNode | undefined;
	/** From n8n's call of `trigger`, which comes in any order with `create`. */
	trigger: TriggerRequest | undefined;
	leftTest: LeftTest | undefined;
	/** The ID of the webhook with another URL that the log named last. */
	namedElsewhere: string | undefined;
}

export type NodeSubscription = SubscriptionRecord<NodeRecord>;

/** The memory that all trigger nodes of a process share. */
export interface SubscriptionMemory extends WebhookMemory {
	states: SubscriptionStates<NodeRecord>;
	/** The key is the node's static data: n8n hands the same object to all attempts of one publishing, and to nothing else. */
	publications: WeakMap<object, Publication>;
	/** For each request. */
	retry: Partial<RetryPolicy>;
	/** Aborts after a delay in milliseconds. */
	deadline(delayMs: number): AbortSignal;
}

/** One for each API key. */
const MAX_SHARED_LISTS = 20;

export function createSubscriptionMemory(
	states: SubscriptionStates<NodeRecord>,
	changed: Partial<Pick<SubscriptionMemory, 'clock' | 'deadline' | 'now' | 'retry'>> = {},
): SubscriptionMemory {
	const now = changed.now ?? monotonicNow;
	return {
		states,
		publications: new WeakMap(),
		lists: new Cache({ maxAge: SUBSCRIPTION_MS.sharedList, maxWeight: MAX_SHARED_LISTS, now }),
		retry: changed.retry ?? SUBSCRIPTION_MS.requests,
		now,
		clock: changed.clock ?? wallClockNow,
		deadline: changed.deadline ?? ((delayMs) => AbortSignal.timeout(delayMs)),
	};
}

import type { RetryPolicy } from '../../api/retry';
import { Cache, monotonicNow, wallClockNow } from '../../../../lib/basics';
import type { SubscriptionParameters } from '../settings/settings';
import type { SubscriptionRecord, SubscriptionStates } from '../subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import { FailureReports } from './failureReports';
import type { HookRequest, TriggerRequest } from './hookRequest';
import { Publications } from './publication';
import { CheckSchedule } from './schedule';
import type { Endpoint } from './subscriptionUrl';
import type { ListedWebhook } from './target';

/** A node from `create` to `delete`. */
export interface ActiveNode extends SubscriptionParameters {
	endpoint: Endpoint;
	/** Whether Verify With the API is on. */
	verify: boolean;
	checks: CheckSchedule;
	reports: FailureReports;
}

/**
 * Reads the settings of a node that n8n calls `create` for.
 *
 * @param isChecked whether to refuse settings that let no email through
 * @throws Error if they are refused
 */
export function readNode(
	request: HookRequest,
	memory: SubscriptionMemory,
	isChecked: boolean,
): ActiveNode {
	const { endpoint, occasion, options, parameters } = request;
	return {
		...parameters(isChecked),
		endpoint,
		verify: options.verify,
		checks: new CheckSchedule(options.checkEvery * SUBSCRIPTION_MS.tick, memory.now),
		reports: new FailureReports(occasion === 'start', memory.now),
	};
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
	clock(): number;
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
	Pick<SubscriptionMemory, 'clock' | 'deadline' | 'now' | 'retry'>
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
		clock: changed.clock ?? wallClockNow,
		deadline: changed.deadline ?? ((delayMs) => AbortSignal.timeout(delayMs)),
	};
}

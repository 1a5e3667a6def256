import type { SubscriptionParameters } from '../settings/settings';
import type { SubscriptionRecord } from './subscriptionState';
import { SUBSCRIPTION_MS } from '../times';
import { FailureReports } from './failureReports';
import type { HookRequest, TriggerRequest } from './hookRequest';
import { CheckSchedule } from './checkSchedule';
import type { Endpoint } from '../webhooks/subscriptionUrl';

/** A node from `create` to `delete`. */
export interface ActiveNode extends SubscriptionParameters {
	endpoint: Endpoint;
	/** Whether Verify With the API is on. */
	verify: boolean;
	/** When to check the subscription. */
	checks: CheckSchedule;
	/** The failures that n8n's error workflow hears of. */
	reports: FailureReports;
}

/**
 * Reads the settings of a node that n8n calls `create` for.
 *
 * @param isChecked whether to refuse settings that let no email through
 * @param now the clock of the checks, see `monotonicNow`
 * @throws Error if they are refused
 */
export function readNode(request: HookRequest, isChecked: boolean, now: () => number): ActiveNode {
	const { endpoint, occasion, options, parameters } = request;
	return {
		...parameters(isChecked),
		endpoint,
		verify: options.verify,
		checks: new CheckSchedule(options.checkEvery * SUBSCRIPTION_MS.tick, now),
		reports: new FailureReports(occasion === 'start', now),
	};
}

/** A node, as n8n's hooks remember it. */
export interface NodeRecord {
	/** Undefined while the node is not active in this process, and while it listens for a test event. */
	active: ActiveNode | undefined;
	/** From n8n's call of `trigger`, which comes in any order with `create`. */
	trigger: TriggerRequest | undefined;
}

/** A subscription with its node. */
export type NodeSubscription = SubscriptionRecord<NodeRecord>;

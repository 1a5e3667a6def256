import type { NodeOperationError } from 'n8n-workflow';

import type { EmailIdentityService, ServiceOptions } from '../../api/service';
import type { SecretScope } from '../../shared/secret';
import type { CommonParameters, SubscriptionParameters } from '../settings/settings';
import type { StoredSubscription } from '../staticData';
import type { Endpoint } from '../webhooks/subscriptionUrl';
import { TookTooLong, type StandingFailure } from './failureReports';

/** Functions of n8n that each hook gets. */
export interface HookHost {
	service(options: ServiceOptions): EmailIdentityService;
	log(level: 'error' | 'info' | 'warn', message: string): void;
}

/** A call of `create` or `delete`. */
export interface HookRequest extends HookHost {
	/** For `delete`, `listening` may be wrong: n8n does not say what it listened for, and `deactivate` finds it out. */
	endpoint: Endpoint;
	/** The user publishes or listens for a test event; or n8n starts or becomes the leader. */
	occasion: 'publish' | 'start';
	workflowId: string | undefined;
	options: CommonParameters;
	/** Why the options could not be read and have their defaults; absent if they could. */
	unreadable?: unknown;
	/** Undefined if nothing was stored. It may come from an imported workflow, so it proves nothing, see `OwnWebhooks`. */
	stored: StoredSubscription | undefined;
	/** n8n hands over the same object for all attempts of one publication, see `Publications`. */
	staticData: object;
	store(subscription: StoredSubscription): void;
	/**
	 * @param isChecked whether to refuse settings that let no email through
	 * @throws Error if they are refused
	 */
	parameters(isChecked: boolean): SubscriptionParameters;
	post(url: string, body: object, timeoutMs: number): Promise<unknown>;
	/** An error with the words that the user reads. */
	failure(reason: unknown): NodeOperationError;
}

/** A call of `trigger`. */
export interface TriggerRequest extends HookHost {
	scope: SecretScope;
	/** 0 for never. */
	checkEveryMinutes: number;
	/** False while n8n listens for a test event. */
	isPublished: boolean;
	schedule(expression: string, onTick: () => Promise<void>): void;
	/** Records a failed execution, so that n8n calls the error workflow. Only newer versions of n8n 2 can do this. */
	report(failure: StandingFailure | undefined): void;
}

/**
 * Gives all requests of some work one deadline.
 *
 * @throws at the deadline, the last failure because of which a request was repeated, because it says more than the deadline;
 *   otherwise `TookTooLong`
 */
export async function withinDeadline<Lender extends HookHost, Result>(
	host: Lender,
	signal: AbortSignal,
	work: (limited: Lender) => Promise<Result>,
): Promise<Result> {
	let lastFailure: Error | undefined;
	const service = (options: ServiceOptions) =>
		host.service({ ...options, signal, onRepeat: (failure) => (lastFailure = failure) });
	const expired = new Promise<never>((_resolve, reject) => {
		signal.addEventListener('abort', () => reject(new TookTooLong()), { once: true });
	});
	const worked = work({ ...host, service });
	return await Promise.race([worked, expired]).catch((error: unknown) => {
		if (!signal.aborted) throw error;
		// A request that the deadline ended says nothing.
		throw lastFailure ?? new TookTooLong();
	});
}

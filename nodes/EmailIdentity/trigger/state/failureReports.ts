import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { statusOf } from '../../api/failures/errors';
import { SUBSCRIPTION_MS } from '../times';

/** No answer of the service says why. */
export class TookTooLong extends Error {
	constructor() {
		super(
			'The service took too long to respond. Check that it is running, and the base URL in the credential. Then try again.',
		);
	}
}

const TITLES = {
	identity: 'The trigger receives no email: its identity is gone',
	key: 'The trigger cannot check its webhook: the service refuses the API key',
	webhook: 'The trigger may receive no email: its webhook cannot be repaired',
};

type Cause = keyof typeof TITLES;

export interface StandingFailure {
	cause: Cause;
	/** The same words as in n8n's log. */
	message: string;
}

/** Statuses that may pass; a proxy answers 404 while the service starts. */
const PASSING: readonly number[] = [404, 408, 425, 429];

/** @returns undefined for failures that may pass */
export function causeOf(error: unknown): Cause | undefined {
	if (error instanceof TookTooLong) return undefined;
	if (!(error instanceof NodeApiError)) return 'webhook';
	const status = statusOf(error);
	if (status === 401 || status === 403) return 'key';
	const isRefusal = status !== undefined && status < 500 && !PASSING.includes(status);
	return isRefusal ? 'webhook' : undefined;
}

/** For n8n's error workflow. */
export function toError(node: INode, { cause, message }: StandingFailure): NodeOperationError {
	const description = message.charAt(0).toUpperCase() + message.slice(1);
	return new NodeOperationError(node, TITLES[cause], { description });
}

/**
 * Decides when n8n's error workflow hears of a failure.
 *
 * | a failure | reported |
 * | --- | --- |
 * | lasts for a minute | once |
 * | passes and comes back | not within a day |
 * | may be older than this process of n8n | not within a day: it may have been reported, which a check cannot store |
 */
export class FailureReports {
	private failure: StandingFailure | undefined;

	/** The cause a minute ago. */
	private before: Cause | undefined;

	/** Times by cause; infinity once it was reported, until the webhook is seen as it should be. */
	private readonly quietUntil = new Map<Cause, number>();

	/** For all causes, until the webhook is seen as it should be. */
	private allQuietUntil: number;

	/**
	 * @param isStart whether n8n starts; it may have run before
	 * @param now see `monotonicNow`
	 */
	constructor(
		isStart: boolean,
		private readonly now: () => number,
	) {
		this.allQuietUntil = isStart ? this.inADay() : -Infinity;
	}

	found(cause: Cause, message: string): void {
		this.failure = { cause, message };
	}

	/** The webhook is as it should be. */
	passed(): void {
		this.failure = undefined;
		this.allQuietUntil = -Infinity;
		for (const [cause, until] of this.quietUntil) {
			if (until === Infinity) this.quietUntil.set(cause, this.inADay());
		}
	}

	/** Call every minute. @returns the failure to report now */
	due(): StandingFailure | undefined {
		const { failure, before, quietUntil, allQuietUntil } = this;
		this.before = failure?.cause;
		if (!failure || failure.cause !== before) return undefined;
		const isQuiet = this.now() < Math.max(quietUntil.get(before) ?? -Infinity, allQuietUntil);
		if (isQuiet) return undefined;
		quietUntil.set(before, Infinity);
		return failure;
	}

	private inADay(): number {
		return this.now() + SUBSCRIPTION_MS.reports;
	}
}

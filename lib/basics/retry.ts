import { monotonicNow } from './time';

/** Milliseconds. The delay doubles from the first one up to the maximum. */
export interface RetryDelays {
	firstDelay: number;
	maxDelay: number;
}

export interface RetryOptions<Result> extends RetryDelays {
	/** Whether another attempt may have another result. */
	mayPass(result: Result): boolean;
	/** Including the first one; default: unlimited. */
	attempts?: number;
	/** Milliseconds until the start of the last attempt, including delays. */
	total: number;
	/** @returns false if there must be no other attempt */
	wait(milliseconds: number): Promise<boolean>;
}

/** Milliseconds, with jitter, so that clients that failed at the same time do not return at the same time. */
export function backoff(failures: number, { firstDelay, maxDelay }: RetryDelays): number {
	return (0.5 + Math.random() / 2) * Math.min(firstDelay * 2 ** (failures - 1), maxDelay);
}

/** Repeats an attempt with growing delays, within a budget of attempts and time. Never fails unless the attempt does. */
export async function retry<Result>(
	attempt: (number: number) => Promise<Result>,
	{ mayPass, attempts = Infinity, total, wait, ...delays }: RetryOptions<Result>,
): Promise<{ result: Result; attempts: number }> {
	const started = monotonicNow();
	for (let made = 1; ; made++) {
		const result = await attempt(made);
		const delay = backoff(made, delays);
		const isInBudget = made < attempts && monotonicNow() - started + delay <= total;
		const isRepeated = isInBudget && mayPass(result) && (await wait(delay));
		if (!isRepeated) return { result, attempts: made };
	}
}

import { monotonicNow } from './time';

/** @throws RangeError for a limit that would let everything or nothing through, such as NaN */
export function requireLimit(name: string, limit: number): number {
	if (limit >= 1) return limit;
	throw new RangeError(`${name} must be a number of at least 1, not ${limit}`);
}

/** Runs a limited number of works at the same time, in the order in which they came. */
export class Limiter {
	private underWay = 0;

	private readonly waiting: Array<() => void> = [];

	/** @param bound works at the same time */
	constructor(private readonly bound: number) {
		requireLimit('bound', bound);
	}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.underWay < this.bound) {
			this.underWay += 1;
		} else {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		try {
			return await work();
		} finally {
			// The next one takes over this place.
			const next = this.waiting.shift();
			if (next) next();
			else this.underWay -= 1;
		}
	}
}

/** Runs work after all earlier work with the same key has succeeded or failed; different keys run in parallel. */
export class KeyedQueue {
	/** When the last work of each key ends. They never fail. */
	private readonly ends = new Map<string, Promise<unknown>>();

	async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
		const before = this.ends.get(key) ?? Promise.resolve();
		const result = before.then(work);
		const end = result.catch(() => undefined);
		this.ends.set(key, end);
		try {
			return await result;
		} finally {
			const isLast = this.ends.get(key) === end;
			if (isLast) this.ends.delete(key);
		}
	}
}

/** The delay doubles from the first one up to the maximum, with jitter. */
export interface RetryDelays {
	/** Milliseconds. */
	firstDelay: number;
	/** Milliseconds. */
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

/**
 * The delay after so many failures, with jitter, so that clients that failed at the same time do not return at the same time.
 *
 * @returns milliseconds
 */
export function backoff(failures: number, { firstDelay, maxDelay }: RetryDelays): number {
	const longest = Math.min(firstDelay * 2 ** (failures - 1), maxDelay);
	const jitter = 0.5 + Math.random() / 2;
	return jitter * longest;
}

export interface RetryOutcome<Result> {
	result: Result;
	/** How many were made. */
	attempts: number;
}

/** Repeats an attempt with growing delays, within a budget of attempts and time. Never fails unless the attempt does. */
export async function retry<Result>(
	attempt: (number: number) => Promise<Result>,
	options: RetryOptions<Result>,
): Promise<RetryOutcome<Result>> {
	const { attempts: maxAttempts = Infinity, total } = options;
	const started = monotonicNow();
	for (let attempts = 1; ; attempts++) {
		const result = await attempt(attempts);
		const delay = backoff(attempts, options);
		const isInTime = monotonicNow() - started + delay <= total;
		const isInBudget = attempts < maxAttempts && isInTime;
		const isRepeated = isInBudget && options.mayPass(result) && (await options.wait(delay));
		if (!isRepeated) return { result, attempts };
	}
}

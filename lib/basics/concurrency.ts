import { monotonicNow } from './time';

/** @throws RangeError for a limit that would let everything or nothing through, such as NaN */
export function requireLimit(name: string, limit: number): number {
	if (limit >= 1) return limit;
	throw new RangeError(`${name} must be a number of at least 1, not ${limit}`);
}

/** Runs a limited number of works at the same time, in their order. */
export class Turns {
	private underWay = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly bound: number) {
		requireLimit('bound', bound);
	}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.underWay < this.bound) this.underWay++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			// The next one takes over this turn.
			const next = this.waiting.shift();
			if (next) next();
			else this.underWay--;
		}
	}
}

/** Runs work after all earlier work with the same key has succeeded or failed; different keys run in parallel. */
export type KeyedQueue = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createKeyedQueue(): KeyedQueue {
	const ends = new Map<string, Promise<unknown>>();

	return async (key, work) => {
		const mine = (ends.get(key) ?? Promise.resolve()).then(work);
		const end = mine.catch(() => undefined);
		ends.set(key, end);
		try {
			return await mine;
		} finally {
			if (ends.get(key) === end) ends.delete(key);
		}
	};
}

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

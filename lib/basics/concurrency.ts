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

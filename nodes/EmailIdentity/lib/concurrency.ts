/** Bounds how much work runs at a time: first come, first served. */
export class Turns {
	private underWay = 0;

	private readonly waiting: Array<() => void> = [];

	constructor(private readonly bound: number) {}

	async run<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.underWay < this.bound) this.underWay++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			// The turn goes to the next one, who counts from now on.
			const next = this.waiting.shift();
			if (next) next();
			else this.underWay--;
		}
	}
}

/** Runs work for the same key one after the other; work for different keys does not wait for each other. */
export type KeyedQueue = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Makes a queue that shares nothing with other queues. A key is forgotten when its last work is done.
 *
 * @returns a function that runs work when all work given for its key before has ended, well or not, and
 * hands on the work's result or failure
 */
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

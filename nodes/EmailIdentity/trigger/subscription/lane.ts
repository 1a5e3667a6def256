/** Lets work for the same key run one after the other. */
export type Lanes = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Makes lanes that share nothing with other lanes.
 *
 * n8n may call hooks of one node while an earlier one still waits for the service (cancelling a test
 * event while it is being set up, switching off while the interval check runs).
 */
export function createLanes(): Lanes {
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

/** Work that is under way, and who waits for it. */
interface UnderWay<Result> {
	result: Promise<Result>;
	waiting: number;
	isDone: boolean;
	ended: AbortController;
}

/** Does equal work once for all who want it at the same time, and ends it when nobody wants it any more. */
export class SharedWork<Result> {
	private readonly underWay = new Map<string, UnderWay<Result>>();

	/**
	 * Joins the work of a key, or begins it.
	 *
	 * @param begin does the work, until its signal is aborted
	 * @param leaving settles when the result is not wanted any more
	 * @returns undefined after leaving
	 */
	async join(
		key: string,
		begin: (signal: AbortSignal) => Promise<Result>,
		leaving: Promise<unknown>,
	): Promise<Result | undefined> {
		const work = this.underWay.get(key) ?? this.begin(key, begin);
		work.waiting++;
		try {
			return await Promise.race([work.result, leaving.then(() => undefined)]);
		} finally {
			work.waiting--;
			if (work.waiting === 0 && !work.isDone) {
				this.forget(key, work);
				work.ended.abort();
			}
		}
	}

	private begin(key: string, begin: (signal: AbortSignal) => Promise<Result>): UnderWay<Result> {
		const ended = new AbortController();
		const work: UnderWay<Result> = {
			result: begin(ended.signal).finally(() => {
				work.isDone = true;
				this.forget(key, work);
			}),
			waiting: 0,
			isDone: false,
			ended,
		};
		this.underWay.set(key, work);
		return work;
	}

	private forget(key: string, work: UnderWay<Result>): void {
		if (this.underWay.get(key) === work) this.underWay.delete(key);
	}
}

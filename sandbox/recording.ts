interface Waiter<Entry> {
	predicate: (entry: Entry) => boolean;
	resolve: (entry: Entry) => void;
	reject: (reason: Error) => void;
	timer: NodeJS.Timeout;
}

/** Remembers the last so many entries, and wakes those who wait for one. */
export class Recording<Entry> {
	private entries: Entry[] = [];
	private readonly waiters = new Set<Waiter<Entry>>();
	private count = 0;

	/**
	 * @param name what is recorded, for messages
	 * @param limit how many are remembered; 0 remembers none, waiting works all the same
	 */
	constructor(
		private readonly name: string,
		private readonly limit: number,
	) {}

	/** 1, 2, 3 … whatever is still remembered. */
	nextNumber(): number {
		return ++this.count;
	}

	add(entry: Entry): void {
		if (this.limit > 0) this.entries.push(entry);
		// Cut in halves: taking one off the front of a long array at every entry would be slow.
		if (this.entries.length > this.limit * 2) this.entries = this.entries.slice(-this.limit);
		this.changed(entry);
	}

	/** To be called when an entry got new values. */
	changed(entry: Entry): void {
		for (const waiter of this.waiters) {
			if (!waiter.predicate(entry)) continue;
			this.forget(waiter);
			waiter.resolve(entry);
		}
	}

	list(filter: (entry: Entry) => boolean = () => true): Entry[] {
		return this.entries.slice(-this.limit || this.entries.length).filter(filter);
	}

	clear(): void {
		this.entries = [];
	}

	/**
	 * Resolves with the first remembered or coming entry that fits.
	 *
	 * @param timeout milliseconds; then it rejects, saying how many entries there are
	 */
	async waitFor(predicate: (entry: Entry) => boolean, timeout = 10_000): Promise<Entry> {
		const present = this.list().find(predicate);
		if (present) return present;
		return new Promise((resolve, reject) => {
			const giveUp = () => {
				this.forget(waiter);
				const count = this.entries.length;
				reject(new Error(`No ${this.name} that fits within ${timeout} ms (${count} recorded).`));
			};
			const waiter = { predicate, resolve, reject, timer: setTimeout(giveUp, timeout) };
			this.waiters.add(waiter);
		});
	}

	/** Ends all waiting. */
	close(): void {
		for (const waiter of this.waiters) {
			this.forget(waiter);
			waiter.reject(new Error(`The sandbox stopped while a ${this.name} was waited for.`));
		}
	}

	private forget(waiter: Waiter<Entry>): void {
		clearTimeout(waiter.timer);
		this.waiters.delete(waiter);
	}
}

import { EventEmitter, once } from 'node:events';

/** Less than a test may take (`jest.config.js`), so that the error says what was waited for. */
const WAIT_MS = 540_000;

/** Remembers a number of entries, the newest ones, and lets callers wait for one. */
export class Recording<Entry> {
	private entries: Entry[] = [];
	private readonly changes = new EventEmitter().setMaxListeners(0);
	private readonly life = new AbortController();

	constructor(
		private readonly name: string,
		private readonly limit: number,
	) {}

	add(entry: Entry): void {
		this.entries.push(entry);
		// Not at every entry: removing the first one of a long array is slow.
		if (this.entries.length > this.limit * 2) this.entries = this.entries.slice(-this.limit);
		this.changed();
	}

	changed(): void {
		this.changes.emit('change');
	}

	list(filter: (entry: Entry) => boolean = () => true): Entry[] {
		return this.entries.slice(-this.limit).filter(filter);
	}

	clear(): void {
		this.entries = [];
	}

	/** Resolves with the first remembered or future entry that fits; rejects after the time-out. */
	async waitFor(fits: (entry: Entry) => boolean, timeoutMs = WAIT_MS): Promise<Entry> {
		const signal = AbortSignal.any([this.life.signal, AbortSignal.timeout(timeoutMs)]);
		for (;;) {
			const entry = this.list().find(fits);
			if (entry) return entry;
			await once(this.changes, 'change', { signal }).catch(() => {
				const count = this.entries.length;
				throw new Error(`No ${this.name} that fits was recorded in time (${count} others were).`);
			});
		}
	}

	close(): void {
		this.life.abort();
	}
}

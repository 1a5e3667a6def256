/** Two for each message, see `keysOf`: a repeat is recognised while fewer than 2,000 others started the workflow since. */
const MAX_KEYS = 4_000;

/** Base64url, in the order of its characters' codes: encoded numbers sort like the numbers. */
const DIGITS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

const TIME_LENGTH = 4;
const KEY_LENGTH = 8;
const ENTRY_LENGTH = TIME_LENGTH + KEY_LENGTH;

/** Seconds in one step of an entry's time: four digits last for 34 years. */
const STEP = 64;
const EPOCH = Date.UTC(2026, 0, 1) / 1000;

/** Trimming one by one would copy the whole text for each message. */
const TRIM_BY = 200;

/** `version.writer.entries` */
const PERSISTED = /^2\.[\w-]+\.([\w-]*)$/;

/** With room for a writer's name, and for longer windows. */
const MAX_STORED_LENGTH = 4 * MAX_KEYS * ENTRY_LENGTH;

/**
 * The keys of the newest messages that started a workflow, as one string that can be stored.
 *
 * Entries have a fixed width (a coarse time, then 48 bits of a digest) and are sorted by time, so that
 * several processes which merge each other's windows agree on which are the newest. One of 4,000
 * entries is confused with a new message once in 10^10 messages.
 */
export class SeenWindow {
	private entries = '';
	private newestTime = '';
	private readonly prefix: string;
	private readonly keys = new Set<string>();

	/**
	 * @param writer names this memory in what it stores; no other may use the same name
	 * @param size how many keys to remember
	 */
	constructor(
		writer: string,
		private readonly size = MAX_KEYS,
	) {
		this.prefix = `2.${writer}.`;
	}

	/** How many base64url characters of a digest are kept. */
	static readonly keyLength = KEY_LENGTH;

	has(key: string): boolean {
		return this.keys.has(key);
	}

	/** @param now milliseconds since 1970 */
	add(key: string, now: number): void {
		if (this.keys.has(key)) return;
		const time = encodeTime(now);
		this.keys.add(key);
		if (time < this.newestTime) this.replace([...split(this.entries), time + key]);
		else this.entries += time + key;
		if (time > this.newestTime) this.newestTime = time;
		if (this.keys.size >= this.size + TRIM_BY) this.trim();
	}

	/**
	 * Takes over what was stored.
	 *
	 * @param text from `toString` of this or another window; anything else counts as empty
	 * @returns true when what was stored lacks something that this window knows
	 */
	merge(text: unknown): boolean {
		// What this window wrote itself holds nothing new, and lacks what was added since.
		if (typeof text === 'string' && text.startsWith(this.prefix)) return text !== this.toString();
		const stored = new Map(
			split(this.readEntries(text)).map((entry) => [keyOfEntry(entry), entry]),
		);
		const unknown = [...stored].filter(([key]) => !this.keys.has(key)).map(([, entry]) => entry);
		const known = stored.size - unknown.length;
		const lacks = known < Math.min(this.keys.size, this.size);
		if (unknown.length > 0) {
			for (const entry of unknown) this.keys.add(keyOfEntry(entry));
			this.replace([...split(this.entries), ...unknown]);
			this.trim();
		}
		return lacks;
	}

	/** For the static data. */
	toString(): string {
		return this.prefix + this.entries;
	}

	/** Static data can come with an imported workflow: what is longer than any window was never one. */
	private readEntries(text: unknown): string {
		if (typeof text !== 'string' || text.length > MAX_STORED_LENGTH) return '';
		const entries = PERSISTED.exec(text)?.[1] ?? '';
		return entries.length % ENTRY_LENGTH === 0 ? entries : '';
	}

	/** Sorts by time, oldest first; those of the same time stay in their order. */
	private replace(entries: string[]): void {
		entries.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0));
		this.entries = entries.join('');
		this.newestTime = timeOf(entries.at(-1) ?? '');
	}

	private trim(): void {
		const surplus = this.keys.size - this.size;
		if (surplus <= 0) return;
		for (const entry of split(this.entries.slice(0, surplus * ENTRY_LENGTH))) {
			this.keys.delete(keyOfEntry(entry));
		}
		this.entries = this.entries.slice(surplus * ENTRY_LENGTH);
	}
}

function split(entries: string): string[] {
	return Array.from({ length: entries.length / ENTRY_LENGTH }, (_, index) =>
		entries.slice(index * ENTRY_LENGTH, (index + 1) * ENTRY_LENGTH),
	);
}

const timeOf = (entry: string) => entry.slice(0, TIME_LENGTH);
const keyOfEntry = (entry: string) => entry.slice(TIME_LENGTH);

function encodeTime(now: number): string {
	let rest = Math.max(0, Math.floor((now / 1000 - EPOCH) / STEP));
	let text = '';
	for (let digit = 0; digit < TIME_LENGTH; digit++) {
		text = (DIGITS[rest % DIGITS.length] ?? '') + text;
		rest = Math.floor(rest / DIGITS.length);
	}
	return text;
}

import { wallClockNow } from '../../../../../lib/basics';
import { isObject } from '../../../api/data/json';
import type { StoredMessages } from '../../staticData';

/** Two for each of 2,000 messages, see `keysOf`. */
const MAX_MESSAGE_KEYS = 4_000;

/** Static data may hold the keys of another process as well. */
const MAX_READ_KEYS = 2 * MAX_MESSAGE_KEYS;

export const KEY_LENGTH = 8;

const HOUR_MS = 3_600_000;

interface StoredKey {
	key: string;
	/** Since 1970. */
	hour: number;
}

/**
 * The newest messages of a webhook that started the workflow. A key has only 48 bits, and all keys of an hour share a time, to
 * keep the stored form small: a new message is taken for one of 4,000 known ones once in 10^10 messages.
 */
export class SeenMessages {
	/** Each with its hour since 1970, oldest first. */
	private keys = new Map<string, number>();
	private newestHour = 0;
	/** The same keys as they are stored. It changes with each key, because to make it anew for each delivery takes long. */
	private record: StoredMessages = {};

	constructor(private readonly size = MAX_MESSAGE_KEYS) {}

	hasAny(keys: readonly string[]): boolean {
		return keys.some((key) => this.keys.has(key));
	}

	add(key: string, now: number): void {
		if (this.keys.has(key)) return;
		// The clock may have gone back.
		this.newestHour = Math.max(this.newestHour, Math.floor(now / HOUR_MS));
		this.append(key, this.newestHour);
		this.trim();
	}

	/**
	 * n8n gives each delivery a copy of the static data and saves it with the answer; the last one wins. So each delivery stores
	 * all that is known.
	 *
	 * @param given what was loaded; anything, if the workflow was imported
	 * @returns whether it lacks a known key
	 */
	merge(given: unknown): boolean {
		const own = Object.values(this.record).join('');
		const loaded = allKeysIn(given);
		if (loaded === own) return false;
		if (loaded !== undefined && this.isEarlier(loaded, own)) return true;
		const entries = entriesOf(given);
		const isKnown = ({ key }: StoredKey) => this.keys.has(key);
		const isIncomplete = entries.filter(isKnown).length < this.keys.size;
		// Oldest first: unknown keys above known ones were forgotten here; those below them come from another process.
		const end = entries.findLastIndex(isKnown) + 1;
		const forgotten = entries.slice(0, end).filter((entry) => !isKnown(entry));
		const added = entries.slice(end);
		if (forgotten.length > 0 || added.length > 0) this.insert(forgotten, added);
		return isIncomplete;
	}

	toJSON(): StoredMessages {
		return { ...this.record };
	}

	/** Whether static data are an earlier state of this memory, as for deliveries at the same time: no key needs to be read. */
	private isEarlier(loaded: string, own: string): boolean {
		const start = loaded.indexOf(own.slice(0, KEY_LENGTH));
		if (start < 0) return false;
		// A full memory has forgotten the keys in front of its own.
		if (start > 0 && this.keys.size < this.size) return false;
		return own.startsWith(loaded.slice(start));
	}

	private append(key: string, hour: number): void {
		this.keys.set(key, hour);
		this.record[hour] = (this.record[hour] ?? '') + key;
	}

	private insert(older: StoredKey[], newer: StoredKey[]): void {
		const own = [...this.keys].map(([key, hour]): StoredKey => ({ key, hour }));
		const all = [...older, ...own, ...newer];
		// Within an hour, the order stays.
		all.sort((one, other) => one.hour - other.hour);
		this.keys = new Map(all.map(({ key, hour }) => [key, hour]));
		this.record = {};
		for (const [key, hour] of this.keys) this.append(key, hour);
		this.newestHour = all.at(-1)?.hour ?? 0;
		this.trim();
	}

	private trim(): void {
		for (const [key, hour] of this.keys) {
			if (this.keys.size <= this.size) return;
			this.keys.delete(key);
			const left = (this.record[hour] ?? '').slice(KEY_LENGTH);
			if (left === '') delete this.record[hour];
			else this.record[hour] = left;
		}
	}
}

/** The keys of all hours, oldest first; undefined if anything else is there. */
function allKeysIn(given: unknown): string | undefined {
	if (!isObject(given)) return undefined;
	const hours = Object.values(given);
	if (hours.some((keys) => typeof keys !== 'string')) return undefined;
	return hours.join('');
}

/** Reads a limited number of keys. An hour in the future, by a wrong clock, counts as the hour before this one. */
function entriesOf(given: unknown): StoredKey[] {
	if (!isObject(given)) return [];
	const present = Math.floor(wallClockNow() / HOUR_MS);
	const entries: StoredKey[] = [];
	for (const [written, keys] of Object.entries(given).slice(-MAX_MESSAGE_KEYS)) {
		let hour = Number(written);
		if (hour > present) hour = present - 1;
		if (!Number.isInteger(hour) || typeof keys !== 'string') continue;
		for (let start = 0; start + KEY_LENGTH <= keys.length; start += KEY_LENGTH) {
			entries.push({ key: keys.slice(start, start + KEY_LENGTH), hour });
			if (entries.length > MAX_READ_KEYS) return entries;
		}
	}
	return entries;
}

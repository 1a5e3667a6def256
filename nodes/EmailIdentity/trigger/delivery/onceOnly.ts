import { createHash, randomBytes } from 'crypto';

import type { ServiceMessage } from '../../api/messages';
import { monotonicNow, wallClockNow } from '../../../../lib/basics';

/** A memory of 2,000 messages takes less than half a megabyte; one that was dropped is read back from the static data. */
const MAX_WEBHOOKS = 50;

/** A message whose sender hung up before n8n answered can be claimed again after this. Milliseconds. */
const DOUBT_LASTS = 60_000;

/** Two for each message, see `keysOf`: a repeat is recognised while fewer than 2,000 others started the workflow since. */
const MAX_KEYS = 4_000;

export const KEY_LENGTH = 8;

/** Milliseconds. */
const HOUR = 3_600_000;

/** `hour:keys` in what is stored, after `writer.` and separated by dots: hours since 1970 in base 36. */
const STORED_HOUR = /([\da-z]{1,6}):([\w-]+)/g;

/** Static data can come with an imported workflow: what is longer was never stored here. */
const MAX_STORED_LENGTH = 4 * MAX_KEYS * KEY_LENGTH;

/** One delivery's right to start the workflow; after `release`, another one can claim the message. */
interface Claim {
	accept(): void;
	release(): void;
}

interface Attempt {
	/** Resolves when it is known, or can no longer be known, whether n8n started the workflow. */
	ended: Promise<void>;
	/** When the sender hung up, see `monotonicNow`. */
	hungUpAt?: number;
}

/**
 * What this process knows of the messages of one webhook: the newest that started the workflow, as one string that can be
 * stored, and those about to.
 *
 * n8n stores static data with each execution, too, so they are kept short: 48 bits of a digest for a key, and a time for
 * all keys of an hour, by which several processes that merge what they stored know which are the newest. One of 4,000 keys
 * is confused with a new message once in 10^10 messages.
 */
export class SeenMessages {
	/** Each with its hour since 1970; oldest first. */
	private keys = new Map<string, number>();
	private newestHour = 0;
	/** As it is stored; undefined when a key was added since. */
	private text: string | undefined;
	private readonly prefix: string;
	/** By each of the message's keys. */
	private readonly attempts = new Map<string, Attempt>();

	/** @param writer names this memory in what it stores; no other may use the same name */
	constructor(
		writer = randomBytes(9).toString('base64url'),
		private readonly size = MAX_KEYS,
	) {
		this.prefix = `${writer}.`;
	}

	get isIdle(): boolean {
		return this.attempts.size === 0;
	}

	hasAny(keys: readonly string[]): boolean {
		return keys.some((key) => this.keys.has(key));
	}

	add(key: string, now: number): void {
		if (this.keys.has(key)) return;
		// The clock may have gone back.
		this.newestHour = Math.max(this.newestHour, Math.floor(now / HOUR));
		this.keys.set(key, this.newestHour);
		this.trim();
	}

	/**
	 * n8n gives each delivery a copy of the static data and saves it with the answer; the last one wins. So each delivery
	 * stores all that is known, and what another process has overwritten is stored again.
	 *
	 * @param text from `toString` of this or another memory; anything else counts as empty
	 * @returns whether the text lacks something that is known here
	 */
	merge(text: unknown): boolean {
		// What this memory wrote itself holds nothing new, and lacks what was added since.
		if (typeof text === 'string' && text.startsWith(this.prefix)) return text !== this.toString();
		const stored = keysIn(text);
		const known = stored.filter(([key]) => this.keys.has(key)).length;
		const lacks = known < this.keys.size;
		if (known < stored.length) this.insert(stored);
		return lacks;
	}

	toString(): string {
		return (this.text ??= this.write());
	}

	private write(): string {
		let text = '';
		let current: number | undefined;
		for (const [key, hour] of this.keys) {
			text += hour === current ? key : `.${hour.toString(36)}:${key}`;
			current = hour;
		}
		return this.prefix + text.slice(1);
	}

	/** Within an hour, new keys go before the known key that follows them: what was forgotten already is not the newest again. */
	private insert(stored: Array<[key: string, hour: number]>): void {
		const all = new Map<string, number>();
		const own = this.keys.entries();
		for (const [key, hour] of stored) {
			if (!this.keys.has(key)) all.set(key, hour);
			else while (!all.has(key)) all.set(...(own.next().value as [string, number]));
		}
		for (const [key, hour] of own) all.set(key, hour);
		this.keys = new Map([...all].sort(([, one], [, other]) => one - other));
		this.newestHour = [...this.keys.values()].at(-1) ?? 0;
		this.trim();
	}

	private trim(): void {
		this.text = undefined;
		for (const key of this.keys.keys()) {
			if (this.keys.size <= this.size) return;
			this.keys.delete(key);
		}
	}

	/**
	 * Waits for another delivery of the same message that is under way: if that one fails, this one gets its turn. Messages
	 * are the same if they share a key.
	 *
	 * @param closed resolves with the status that n8n answered this delivery, undefined when its sender hung up before
	 * @returns `duplicate` if another delivery has started the workflow; `doubtful` if it may have, because its sender hung
	 * up before n8n answered
	 */
	async claim(
		keys: readonly string[],
		closed: Promise<number | undefined>,
	): Promise<Claim | 'duplicate' | 'doubtful'> {
		for (;;) {
			if (this.hasAny(keys)) return 'duplicate';
			const attempt = keys
				.map((key) => this.attempts.get(key))
				.find((candidate) => candidate !== undefined && !isForgotten(candidate));
			if (attempt === undefined) return this.begin(keys, closed);
			if (attempt.hungUpAt !== undefined) return 'doubtful';
			await attempt.ended;
		}
	}

	private begin(keys: readonly string[], closed: Promise<number | undefined>): Claim {
		let end = (): void => {};
		const attempt: Attempt = { ended: new Promise((resolve) => (end = resolve)) };
		for (const key of keys) this.attempts.set(key, attempt);
		let isOpen = true;
		const settle = (isAccepted: boolean): void => {
			if (!isOpen) return;
			isOpen = false;
			for (const key of keys) {
				if (isAccepted) this.add(key, wallClockNow());
				if (this.attempts.get(key) === attempt) this.attempts.delete(key);
			}
			end();
		};
		void closed.then((status) => {
			if (status !== undefined) return settle(status < 300);
			// n8n goes on starting the workflow, and its answer reaches nobody.
			attempt.hungUpAt = monotonicNow();
			end();
		});
		return { accept: () => settle(true), release: () => settle(false) };
	}
}

/** The keys in what was stored, each with its hour. An hour in the future, by a wrong clock, counts as the present one. */
function keysIn(text: unknown): Array<[key: string, hour: number]> {
	if (typeof text !== 'string' || text.length > MAX_STORED_LENGTH) return [];
	const present = Math.floor(wallClockNow() / HOUR);
	return [...text.matchAll(STORED_HOUR)].flatMap(([, stored = '', keys = '']) => {
		const hour = Math.min(parseInt(stored, 36), present);
		return split(keys).map((key): [string, number] => [key, hour]);
	});
}

function split(keys: string): string[] {
	return Array.from({ length: Math.floor(keys.length / KEY_LENGTH) }, (_, index) =>
		keys.slice(index * KEY_LENGTH, (index + 1) * KEY_LENGTH),
	);
}

const isForgotten = ({ hungUpAt }: Attempt): boolean =>
	hungUpAt !== undefined && monotonicNow() - hungUpAt > DOUBT_LASTS;

/** By webhook; the least recently used one that is idle is dropped first. */
export class OnceOnly {
	private readonly webhooks = new Map<string, SeenMessages>();

	of(webhook: string): SeenMessages {
		const messages = this.webhooks.get(webhook) ?? new SeenMessages();
		this.webhooks.delete(webhook);
		this.webhooks.set(webhook, messages);
		for (const [name, candidate] of this.webhooks) {
			if (this.webhooks.size <= MAX_WEBHOOKS) break;
			if (candidate.isIdle && candidate !== messages) this.webhooks.delete(name);
		}
		return messages;
	}
}

/**
 * What tells a message from others; a message was seen if any of its keys was.
 *
 * | key | why |
 * | --- | --- |
 * | its ID in the service | a repeat with other content is the same message |
 * | the bytes of the email | in a Gmail account one email is a message for each of its labels, with an ID for each |
 * | its Message-ID, in place of the bytes | copies for several recipients differ in nothing else that they share |
 *
 * @param messageId where one Message-ID is to mean one message; null where the email has none, and where it does not matter
 */
export function keysOf({ id, rawEmail }: ServiceMessage, messageId: string | null): string[] {
	const keys: string[] = [];
	if (id !== null) keys.push(digest('id:', id));
	if (messageId) keys.push(digest('message-id:', messageId));
	else if (rawEmail) keys.push(digest('email:', rawEmail));
	return keys;
}

function digest(kind: string, text: string): string {
	const hash = createHash('sha256').update(kind).update(text);
	return hash.digest('base64url').slice(0, KEY_LENGTH);
}

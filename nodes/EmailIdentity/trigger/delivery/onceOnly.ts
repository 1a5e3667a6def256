import { randomBytes } from 'crypto';

import { BoundedMap, monotonicNow, wallClockNow } from '../../../../lib/basics';
import { DELIVERY_MS } from '../times';

const MAX_WEBHOOKS = 50;

/** Two for each of 2,000 messages, see `keysOf`. */
const MAX_MESSAGE_KEYS = 4_000;

export const KEY_LENGTH = 8;
const WHOLE_KEY = new RegExp(`.{${KEY_LENGTH}}`, 'g');

const HOUR_MS = 3_600_000;

/** What is stored: `writer.hour:keys.hour:keys`, with hours since 1970 in base 36. */
const STORED_HOUR = /([\da-z]{1,6}):([\w-]+)/g;

/** Longer static data came with an imported workflow. */
const MAX_STORED_LENGTH = 4 * MAX_MESSAGE_KEYS * KEY_LENGTH;

/** A delivery's right to start the workflow. */
export interface MessageClaim {
	accept(): void;
	release(): void;
}

interface Attempt {
	/** Resolves when n8n answered or the sender hung up. */
	ended: Promise<void>;
	hungUpAt?: number;
}

/**
 * The newest messages of a webhook that started the workflow, and those being started. n8n writes the workflow's static
 * data to its database for each of them, so a key has only 48 bits (a new message is taken for one of 4,000 known ones once
 * in 10^10 messages), and all keys of an hour share a time.
 */
export class SeenMessages {
	/** Each with its hour since 1970, oldest first. */
	private keys = new Map<string, number>();
	private newestHour = 0;
	/** The stored form; undefined after a key was added. */
	private text: string | undefined;
	private readonly prefix: string;
	private readonly attempts = new Map<string, Attempt>();

	constructor(
		writer = randomBytes(9).toString('base64url'),
		private readonly size = MAX_MESSAGE_KEYS,
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
		this.newestHour = Math.max(this.newestHour, Math.floor(now / HOUR_MS));
		this.keys.set(key, this.newestHour);
		this.trim();
	}

	/**
	 * n8n gives each delivery a copy of the static data and saves it with the answer; the last one wins. So each delivery stores
	 * all that is known.
	 *
	 * @returns whether the text lacks a known key
	 */
	merge(text: unknown): boolean {
		// This memory's own text contains nothing new.
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

	/** Forgotten keys of an hour do not become its newest. */
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
	 * Waits for another delivery of the message that is under way, and takes over if that one fails.
	 *
	 * @returns `doubtful` if the sender of another delivery hung up before n8n answered
	 */
	async claim(
		keys: readonly string[],
		closed: Promise<number | undefined>,
	): Promise<MessageClaim | 'duplicate' | 'doubtful'> {
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

	private begin(keys: readonly string[], closed: Promise<number | undefined>): MessageClaim {
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
			// n8n still starts the workflow.
			attempt.hungUpAt = monotonicNow();
			end();
		});
		return { accept: () => settle(true), release: () => settle(false) };
	}
}

/** An hour in the future, by a wrong clock, counts as the present one. */
function keysIn(text: unknown): Array<[key: string, hour: number]> {
	if (typeof text !== 'string' || text.length > MAX_STORED_LENGTH) return [];
	const present = Math.floor(wallClockNow() / HOUR_MS);
	return [...text.matchAll(STORED_HOUR)].flatMap(([, stored = '', keys = '']) => {
		const hour = Math.min(parseInt(stored, 36), present);
		const whole = keys.match(WHOLE_KEY) ?? [];
		return whole.map((key): [string, number] => [key, hour]);
	});
}

const isForgotten = ({ hungUpAt }: Attempt): boolean =>
	hungUpAt !== undefined && monotonicNow() - hungUpAt > DELIVERY_MS.doubt;

/** Those of the webhooks that were used last. */
export class OnceOnly {
	private readonly webhooks = new BoundedMap<string, SeenMessages>(
		MAX_WEBHOOKS,
		undefined,
		({ isIdle }) => !isIdle,
	);

	of(webhook: string): SeenMessages {
		const messages = this.webhooks.get(webhook) ?? new SeenMessages();
		this.webhooks.set(webhook, messages);
		return messages;
	}
}

import { createHash, randomBytes } from 'crypto';

import { type ServiceMessage, readMessageFields } from '../../api/messages';
import { SeenWindow } from './seenWindow';

/** A window of 2,000 messages takes less than half a megabyte; one that was dropped is read back from the static data. */
const MAX_WEBHOOKS = 50;

/** A message whose sender hung up before n8n answered can be claimed again after this. Milliseconds. */
const DOUBT_LASTS = 60_000;

/** One delivery's right to start the workflow for its message. */
export interface Claim {
	/** The workflow starts; the message has to be stored with the answer. */
	accept(): void;
	/** This delivery starts nothing; the message can be claimed by another one. */
	release(): void;
}

/**
 * - a claim: this delivery may start the workflow;
 * - `duplicate`: another one has;
 * - `doubtful`: another one may have. Its sender hung up before n8n answered.
 */
export type ClaimResult = Claim | 'duplicate' | 'doubtful';

interface Attempt {
	/** Resolves when it is known, or can no longer be known, whether n8n started the workflow. */
	ended: Promise<void>;
	/** When the sender hung up, in milliseconds since 1970. */
	hungUpAt?: number;
}

/** What this process knows of the messages of one webhook: those that started the workflow, and those about to. */
export class SeenMessages {
	private readonly seen: SeenWindow;
	/** By each of the message's keys. */
	private readonly attempts = new Map<string, Attempt>();

	constructor(size?: number) {
		this.seen = new SeenWindow(randomBytes(9).toString('base64url'), size);
	}

	get isIdle(): boolean {
		return this.attempts.size === 0;
	}

	/**
	 * n8n gives each delivery a copy of the static data and saves it with the answer; the last one wins. So each delivery
	 * stores all that is known, and what another process has overwritten is stored again.
	 *
	 * @param stored what a delivery's copy of the static data holds
	 * @returns whether it lacks something that is known
	 */
	learn(stored: string | undefined): boolean {
		return this.seen.merge(stored);
	}

	/** All that is known, for the static data. */
	toString(): string {
		return this.seen.toString();
	}

	has(keys: readonly string[]): boolean {
		return keys.some((key) => this.seen.has(key));
	}

	/**
	 * Waits for another delivery of the same message that is under way: if that one fails, this one gets its turn. Messages
	 * are the same if they share a key.
	 *
	 * @param keys see `keysOf`
	 * @param closed resolves with the status that n8n answered this delivery, undefined when its sender hung up before
	 */
	async claim(keys: readonly string[], closed: Promise<number | undefined>): Promise<ClaimResult> {
		for (;;) {
			if (this.has(keys)) return 'duplicate';
			const attempt = this.attemptAt(keys);
			if (attempt === undefined) return this.begin(keys, closed);
			if (attempt.hungUpAt !== undefined) return 'doubtful';
			await attempt.ended;
		}
	}

	private attemptAt(keys: readonly string[]): Attempt | undefined {
		return keys
			.map((key) => this.attempts.get(key))
			.find((attempt) => attempt !== undefined && !isForgotten(attempt));
	}

	private begin(keys: readonly string[], closed: Promise<number | undefined>): Claim {
		let end = (): void => {};
		const attempt: Attempt = { ended: new Promise((resolve) => (end = resolve)) };
		for (const key of keys) this.attempts.set(key, attempt);
		let isOpen = true;
		const settle = (isAccepted: boolean): void => {
			if (!isOpen) return;
			isOpen = false;
			const now = Date.now();
			for (const key of keys) {
				if (isAccepted) this.seen.add(key, now);
				if (this.attempts.get(key) === attempt) this.attempts.delete(key);
			}
			end();
		};
		void closed.then((status) => {
			if (status !== undefined) return settle(status < 300);
			// n8n goes on starting the workflow, and its answer reaches nobody.
			attempt.hungUpAt = Date.now();
			end();
		});
		return {
			accept: () => settle(true),
			release: () => settle(false),
		};
	}
}

function isForgotten({ hungUpAt }: Attempt): boolean {
	return hungUpAt !== undefined && Date.now() - hungUpAt > DOUBT_LASTS;
}

/** By webhook; the least recently used one that is idle is dropped first. */
export class OnceOnly {
	private readonly webhooks = new Map<string, SeenMessages>();

	/** @param webhook names it among all those of this n8n */
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
 * What tells a message from others; whichever of these was seen, the message was.
 *
 * | key | why |
 * | --- | --- |
 * | its ID in the service | a repeat with other content is the same message |
 * | the bytes of the email | in a Gmail account one email is a message for each of its labels, with an ID for each |
 * | its Message-ID, in place of the bytes | copies for several recipients differ in nothing else that they share |
 *
 * A message that has neither ID nor email is known by all that is told of it.
 *
 * @param messageId where one Message-ID is to mean one message; null where the email has none, and where it does not matter
 */
export function keysOf({ id, rawEmail, message }: ServiceMessage, messageId: string | null) {
	const keys: string[] = [];
	if (id !== null) keys.push(digest('id:', id));
	if (messageId) keys.push(digest('message-id:', messageId));
	else if (rawEmail) keys.push(digest('email:', rawEmail));
	return keys.length > 0 ? keys : [digest('message:', textOf(message))];
}

function digest(kind: string, text: string): string {
	const hash = createHash('sha256').update(kind).update(text);
	return hash.digest('base64url').slice(0, SeenWindow.keyLength);
}

/** `JSON.stringify` gives up on what is nested some thousands deep; what is told of the email is flat. */
function textOf(message: ServiceMessage['message']): string {
	try {
		return JSON.stringify(message);
	} catch {
		return JSON.stringify(readMessageFields(message));
	}
}

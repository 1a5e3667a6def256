import { randomBytes } from 'crypto';

import type { TriggerStaticData } from '../staticData';
import { GroupCommit } from './groupCommit';
import { IdempotencyWindow } from './idempotencyWindow';
import { answerNotStored, type WebhookResponse } from './responses';

/** A message for which nobody can tell whether n8n started the workflow is given free after this. */
const DOUBT_LASTS = 60_000;

/** One delivery's right to start the workflow for its message. */
export interface Claim {
	/** To be called when n8n is given the item: all that is left to it is to record the execution. */
	handOver(): void;
	/**
	 * Has the message stored as seen, by this delivery or by one that is accepted soon after it (see
	 * `GroupCommit`). To be called once, when n8n is about to save the static data and answer: what was
	 * changed earlier n8n 2.x does not save, and knows less of other deliveries.
	 */
	accept(staticData: TriggerStaticData): void;
	/** Gives the message free again: this delivery starts nothing. */
	release(staticData: TriggerStaticData): void;
}

/**
 * - a claim: this delivery may start the workflow;
 * - `duplicate`: another one has;
 * - `doubtful`: another one may have. Its sender hung up before n8n answered.
 */
export type ClaimResult = Claim | 'duplicate' | 'doubtful';

interface Attempt {
	/** Resolves when it is known, or can't be known any more, whether n8n started the workflow. */
	ended: Promise<void>;
	/** When the sender hung up, in milliseconds since 1970. */
	hungUpAt?: number;
}

/**
 * What one webhook of this process knows about messages: those that started the workflow and those that
 * are just about to.
 *
 * n8n gives every delivery its own copy of the static data and saves each when it answers, the last one
 * winning: so whichever stores, stores all that this process knows by then.
 */
export class IdempotencyGuard {
	private readonly seen: IdempotencyWindow;
	/** By each of the message's keys. */
	private readonly attempts = new Map<string, Attempt>();
	private readonly commits = new GroupCommit(answerNotStored);

	constructor(size?: number) {
		this.seen = new IdempotencyWindow(randomBytes(9).toString('base64url'), size);
	}

	/** Whether no delivery is under way, no answer held back, and all that is known stored. */
	get isIdle(): boolean {
		return this.attempts.size === 0 && this.commits.isIdle && !this.commits.hasUncommitted;
	}

	/**
	 * Asks for the right to start the workflow, waiting for another delivery of the same message that is
	 * under way: if that one fails, this one gets its turn. A message is the same as one that shares any of its keys.
	 *
	 * @param keys of the message, see `keysOf`
	 * @param response whose status tells whether n8n accepted the delivery
	 */
	async claim(
		keys: readonly string[],
		staticData: TriggerStaticData,
		response: WebhookResponse,
	): Promise<ClaimResult> {
		// Another process has overwritten what this one had stored: that is put right even if nothing starts.
		if (this.seen.merge(staticData.seen)) this.store(staticData);
		for (;;) {
			if (keys.some((key) => this.seen.has(key))) {
				// A repeat is told so when that is stored, like the delivery that it repeats.
				if (keys.some((key) => this.commits.isUncommitted(key))) this.store(staticData);
				return 'duplicate';
			}
			const attempt = this.attemptAt(keys);
			if (attempt === undefined) return this.begin(keys, response);
			if (attempt.hungUpAt !== undefined) return 'doubtful';
			await attempt.ended;
		}
	}

	private attemptAt(keys: readonly string[]): Attempt | undefined {
		for (const key of keys) {
			const attempt = this.attempts.get(key);
			if (attempt !== undefined && !isForgotten(attempt)) return attempt;
		}
		return undefined;
	}

	private begin(keys: readonly string[], response: WebhookResponse): Claim {
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
		response.once('close', () => {
			// n8n goes on starting the workflow, and its answer reaches nobody.
			attempt.hungUpAt = Date.now();
			end();
		});
		let hasToStore = (): boolean => true;
		return {
			release: (staticData) => {
				settle(false);
				// Nobody else is there to store what could not be stored before.
				if (this.commits.isIdle && this.commits.hasUncommitted) this.store(staticData);
			},
			handOver: () => {
				hasToStore = this.commits.handOver(keys, response, () => settle(response.statusCode < 300));
			},
			accept: (staticData) => {
				settle(true);
				if (hasToStore()) this.store(staticData);
			},
		};
	}

	private store(staticData: TriggerStaticData): void {
		staticData.seen = this.seen.toString();
	}
}

function isForgotten({ hungUpAt }: Attempt): boolean {
	return hungUpAt !== undefined && Date.now() - hungUpAt > DOUBT_LASTS;
}

import { randomBytes } from 'crypto';
import type { IWebhookFunctions } from 'n8n-workflow';

import type { TriggerStaticData } from '../staticData';
import { SeenWindow } from './seenWindow';
import { SharedWrites } from './sharedWrites';

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** A message for which nobody can tell whether n8n started the workflow is given free after this. */
const DOUBT_LASTS = 60_000;

/** One delivery's right to start the workflow for its message. */
export interface Claim {
	/** To be called when n8n is given the item: all that is left to it is to record the execution. */
	handOver(): void;
	/**
	 * Has the message stored as seen, by this delivery or by one that is accepted soon after it (see
	 * `SharedWrites`). To be called once, when n8n is about to save the static data and answer: what was
	 * changed earlier n8n 2.x does not save, and knows less of other deliveries.
	 */
	accept(staticData: TriggerStaticData): void;
	/** Gives the message free again: this delivery starts nothing. */
	release(): void;
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
export class DeliveryMemory {
	private readonly seen: SeenWindow;
	private readonly attempts = new Map<string, Attempt>();
	private readonly writes = new SharedWrites();

	constructor(size?: number) {
		this.seen = new SeenWindow(randomBytes(9).toString('base64url'), size);
	}

	/** Whether no delivery is under way. */
	get isIdle(): boolean {
		return this.attempts.size === 0;
	}

	/**
	 * Asks for the right to start the workflow, waiting for another delivery of the same message that is
	 * under way: if that one fails, this one gets its turn.
	 *
	 * @param digest of the message, see `messageDigest`
	 * @param response whose status tells whether n8n accepted the delivery
	 */
	async claim(
		digest: string,
		staticData: TriggerStaticData,
		response: WebhookResponse,
	): Promise<ClaimResult> {
		// Another process has overwritten what this one had stored: that is put right even if nothing starts.
		if (this.seen.merge(staticData.seen)) staticData.seen = this.seen.toString();
		for (;;) {
			if (this.seen.has(digest)) return 'duplicate';
			const attempt = this.attempts.get(digest);
			if (attempt === undefined || isForgotten(attempt)) return this.begin(digest, response);
			if (attempt.hungUpAt !== undefined) return 'doubtful';
			await attempt.ended;
		}
	}

	private begin(digest: string, response: WebhookResponse): Claim {
		let end = (): void => {};
		const attempt: Attempt = { ended: new Promise((resolve) => (end = resolve)) };
		this.attempts.set(digest, attempt);
		let isOpen = true;
		const settle = (accepted: boolean): void => {
			if (!isOpen) return;
			isOpen = false;
			if (accepted) this.seen.add(digest, Date.now());
			if (this.attempts.get(digest) === attempt) this.attempts.delete(digest);
			end();
		};
		const settleByStatus = () => settle(response.statusCode < 300);
		response.once('finish', settleByStatus);
		response.once('close', () => {
			if (response.writableEnded) return settleByStatus();
			// n8n goes on starting the workflow, and its answer reaches nobody.
			attempt.hungUpAt = Date.now();
			end();
		});
		let hasToStore = () => true;
		return {
			release: () => settle(false),
			handOver: () => {
				hasToStore = this.writes.handOver(response);
			},
			accept: (staticData) => {
				settle(true);
				if (hasToStore()) staticData.seen = this.seen.toString();
			},
		};
	}
}

function isForgotten({ hungUpAt }: Attempt): boolean {
	return hungUpAt !== undefined && Date.now() - hungUpAt > DOUBT_LASTS;
}

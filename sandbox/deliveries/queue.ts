import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryRecord, StoredMessage } from '../types';

interface Job {
	message: StoredMessage;
	/** Tells whoever waits what became of it; only the first time. */
	done: (records: DeliveryRecord[]) => void;
	isUnderWay: boolean;
}

/** Sends one message to whoever hears of it; ends early when the signal aborts. */
export type DeliverJob = (message: StoredMessage, signal: AbortSignal) => Promise<DeliveryRecord[]>;

/**
 * Collects messages for a while, then delivers them one after the other. What a crash cuts off is kept, and
 * delivered again from its beginning when the service is back.
 */
export class DeliveryQueue {
	private jobs: Job[] = [];
	private work: Promise<void> | undefined;
	private life = new AbortController();

	/** @param collectionDelay milliseconds */
	constructor(
		private readonly deliver: DeliverJob,
		private readonly collectionDelay: number,
	) {}

	add(message: StoredMessage): Promise<DeliveryRecord[]> {
		return new Promise((done) => {
			this.jobs.push({ message, done, isUnderWay: false });
			this.resume();
		});
	}

	/** Resolves when nothing waits any more, or the service is down. */
	async settled(): Promise<void> {
		while (this.work) await this.work;
	}

	/** Ends what is under way. What was not finished waits for `resume`, or is given up. */
	stop(isKept: boolean): void {
		const cutOff = this.jobs;
		this.life.abort(new Error('The service went down.'));
		this.life = new AbortController();
		this.work = undefined;
		this.jobs = isKept ? cutOff : [];
		// Whoever waits for a message that was not begun learns that nothing was delivered so far.
		cutOff.filter(({ isUnderWay }) => !isUnderWay).forEach(({ done }) => done([]));
	}

	/** Goes on with what waits. */
	resume(): void {
		if (this.work || this.jobs.length === 0) return;
		const { signal } = this.life;
		const work = this.run(signal).finally(() => {
			if (this.work !== work) return;
			this.work = undefined;
			// For what came in after the last look.
			this.resume();
		});
		this.work = work;
	}

	private async run(signal: AbortSignal): Promise<void> {
		await sleep(this.collectionDelay, undefined, { signal }).catch(() => undefined);
		while (!signal.aborted) {
			const [job] = this.jobs;
			if (!job) return;
			job.isUnderWay = true;
			const records = await this.deliver(job.message, signal);
			job.done(records);
			if (!signal.aborted) this.jobs.shift();
		}
	}
}

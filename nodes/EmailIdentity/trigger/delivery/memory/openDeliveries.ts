import { sleep } from 'n8n-workflow';

import { monotonicNow } from '../../../../../lib/basics';
import { STOP_MS } from '../../times';

interface StopClock {
	now(): number;
	sleep(ms: number): Promise<void>;
}

const HOST_CLOCK: StopClock = { now: monotonicNow, sleep };

/**
 * The deliveries that n8n has not answered yet.
 *
 * A stop of n8n (SIGTERM) awaits the `closeFunction` of each trigger, one after another, and then ends the process, whatever
 * is still being delivered. Publishing a change or unpublishing calls a `closeFunction` too. Only then does n8n also call the
 * hook `delete`: 1.x before, 2.x at the same time.
 */
export class OpenDeliveries {
	private readonly open = new Set<Promise<unknown>>();
	/** All triggers of the process share it. */
	private deadline = -Infinity;

	constructor(private readonly clock: StopClock = HOST_CLOCK) {}

	/** @param ended resolves when n8n has answered the delivery, or its sender hung up and nothing is left to do */
	add(ended: Promise<unknown>): void {
		this.open.add(ended);
		const remove = () => this.open.delete(ended);
		void ended.then(remove, remove);
	}

	/**
	 * Waits until no delivery is open, at the latest until the common deadline has passed.
	 *
	 * @param isPublished false once n8n called `delete`: n8n does not stop, so nothing has to wait
	 */
	async endedBeforeStop(isPublished: () => boolean): Promise<void> {
		while (isPublished() && this.open.size > 0 && this.remaining() > 0) {
			const ended = Promise.allSettled(this.open);
			await Promise.race([ended, this.clock.sleep(STOP_MS.check)]);
			// n8n 1.x answers before it records the execution, and so does n8n 2.x if the sender hung up.
			if (this.open.size === 0) await this.clock.sleep(STOP_MS.recording);
		}
	}

	private remaining(): number {
		const now = this.clock.now();
		const isAnotherStop = now > this.deadline + STOP_MS.processEnds;
		if (isAnotherStop) this.deadline = now + STOP_MS.deliveries;
		return this.deadline - now;
	}
}

import type { InFlight, Limits } from '../types';

/** Counts requests under way and holds the limits that apply to all of them. */
export class Flow {
	limits: Limits = { concurrency: null, retryAfter: '1', latency: 0 };
	private readonly count: InFlight = { now: 0, max: 0 };

	/** @returns whether there is room for this request, and how to say (once or more often) that it is over */
	enter(): { hasRoom: boolean; leave: () => void } {
		this.count.now++;
		this.count.max = Math.max(this.count.max, this.count.now);
		let isInside = true;
		const leave = () => {
			if (isInside) this.count.now--;
			isInside = false;
		};
		return { hasRoom: this.count.now <= (this.limits.concurrency ?? Infinity), leave };
	}

	inFlight(): InFlight {
		return { ...this.count };
	}

	resetMax(): void {
		this.count.max = this.count.now;
	}
}

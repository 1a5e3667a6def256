/** Milliseconds. Unlike the computer's clock, which someone may set, it makes no old value look fresh. */
export function monotonicNow(): number {
	return performance.now();
}

/** Milliseconds since 1970: for times that are stored, or that others write. */
export function wallClockNow(): number {
	return Date.now();
}

/** Lets n8n do other work before more of an email is read: its `sleep(0)`, because nodes must not use timers. */
export type Pause = () => Promise<unknown>;

/**
 * Decides when long work pauses. Each step spends a share of a few milliseconds.
 *
 * @example if (pace.spend(1 / 50_000)) await pace.pause();
 */
export class Pace {
	/** Since the last pause; 1 is as much as may be spent at once. */
	private spent = 0;

	constructor(private readonly turn: Pause) {}

	/**
	 * @param share of the time between two pauses that the next step takes
	 * @returns whether to pause before that step
	 */
	spend(share: number): boolean {
		this.spent += share;
		return this.spent >= 1;
	}

	async pause(): Promise<void> {
		this.spent = 0;
		await this.turn();
	}
}

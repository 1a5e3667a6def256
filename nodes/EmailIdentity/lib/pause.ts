/**
 * Lets n8n do other work before more of an email is read. n8n allows nodes no timers, so its own `sleep(0)` is handed in
 * where the nodes call `email/` and `dns/`.
 */
export type Pause = () => Promise<unknown>;

/**
 * Tells long work when to pause. Each step counts as a share of what may be done in one piece, a few milliseconds; the
 * shares of all stages of the work add up.
 *
 * @example if (pace.isDue(1 / 50_000)) await pace.pause();
 */
export class Pace {
	private done = 0;

	constructor(private readonly turn: Pause) {}

	isDue(share: number): boolean {
		this.done += share;
		return this.done >= 1;
	}

	async pause(): Promise<void> {
		this.done = 0;
		await this.turn();
	}
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

/** Continuing after an answer takes fewer turns of the event loop. */
const TURNS_UNTIL_QUIET = 20;

/**
 * Counts how often a process waits for the service: requests that are open at the same time are one round. With a service
 * that takes a second for each request, the rounds are seconds.
 */
export class Rounds {
	count = 0;
	private waiting: Array<() => void> = [];
	private underWay = 0;
	private running = false;

	supply<Context extends IHookFunctions | ITriggerFunctions>(context: Context): Context {
		const { helpers } = context;
		const request = helpers.httpRequestWithAuthentication;
		const inRound = async <T>(work: () => Promise<T>) => await this.inRound(work);
		helpers.httpRequestWithAuthentication = async function (...parameters) {
			return await inRound(async () => (await request.apply(this, parameters)) as unknown);
		};
		return context;
	}

	private async inRound<T>(work: () => Promise<T>): Promise<T> {
		await new Promise<void>((resolve) => {
			this.waiting.push(resolve);
			if (!this.running) void this.run();
		});
		return await work().finally(() => this.underWay--);
	}

	private async run(): Promise<void> {
		this.running = true;
		while (this.waiting.length > 0) {
			await this.quiet();
			const released = this.waiting;
			this.waiting = [];
			this.count++;
			this.underWay = released.length;
			for (const release of released) release();
			await this.quiet();
		}
		this.running = false;
	}

	/** Until all answers are there and no further request comes. */
	private async quiet(): Promise<void> {
		let quietTurns = 0;
		let known = this.waiting.length;
		while (quietTurns < TURNS_UNTIL_QUIET) {
			await nextTurn();
			const isQuiet = this.underWay === 0 && this.waiting.length === known;
			quietTurns = isQuiet ? quietTurns + 1 : 0;
			known = this.waiting.length;
		}
	}
}

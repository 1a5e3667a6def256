import { wait } from './cancellation';
import { readRetryAfter } from './retryPolicy';
import type { Exchange } from './sendRequest';

/** The service says that it has too much to do. */
const REFUSALS: ReadonlySet<number> = new Set([429, 503]);

/** When the service does not say how long it wants to be left alone; milliseconds. */
const USUAL_PAUSE = 1000;

/** One that asks for more than this is not waited for by all: each request then ends by its own rules. */
const LONGEST_PAUSE = 60_000;

/**
 * So many answers for each request under way before one more is tried. Doubled when that one was refused,
 * as the limit is a firm one then; halved when it was not, as the service recovers.
 */
const CAUTION = { least: 1, usual: 8, most: 64 };

/**
 * Lets requests through to the service, so many at a time, and learns from refusals how many it takes:
 *
 * - a request refused beside others says that they were too many: from then on one fewer than there were;
 * - a request refused although it was the only one says that there were too many in a time: then nothing
 *   is sent until the pause that the service asks for (`Retry-After`) is over.
 *
 * Without this, requests that wait and come back together are refused again until their attempts run out.
 */
export class RequestLimiter {
	private limit: number;

	private underWay = 0;

	private pauses = 0;

	private answers = 0;

	private caution = CAUTION.usual;

	/** Whether the limit was raised since the last refusal. */
	private hasGrown = false;

	private readonly waiting: Array<(requestsUnderWay: number) => void> = [];

	/**
	 * @param bound how many requests may be under way at most
	 * @param signal ends pauses early
	 */
	constructor(
		private readonly bound: number,
		private readonly signal: AbortSignal | undefined,
	) {
		this.limit = bound;
	}

	/** Sends when it is the request's turn: first come, first served. */
	async run(send: () => Promise<Exchange>): Promise<Exchange> {
		const requestsUnderWay = this.isOpen() ? ++this.underWay : await this.turn();
		try {
			const exchange = await send();
			this.learn(exchange, requestsUnderWay);
			return exchange;
		} finally {
			this.underWay--;
			this.admit();
		}
	}

	private async turn(): Promise<number> {
		return await new Promise((resolve) => this.waiting.push(resolve));
	}

	private isOpen(): boolean {
		return this.pauses === 0 && this.underWay < this.limit;
	}

	private admit(): void {
		while (this.waiting.length > 0 && this.isOpen()) {
			this.waiting.shift()?.(++this.underWay);
		}
	}

	private learn(exchange: Exchange, requestsUnderWay: number): void {
		const response = 'response' in exchange ? exchange.response : undefined;
		if (response === undefined || !REFUSALS.has(response.status)) {
			this.grow();
			return;
		}
		if (this.hasGrown) this.caution = Math.min(CAUTION.most, this.caution * 2);
		this.hasGrown = false;
		this.answers = 0;
		this.limit = Math.max(1, Math.min(this.limit, requestsUnderWay - 1));
		if (requestsUnderWay === 1) {
			this.pause(readRetryAfter(response.headers) ?? USUAL_PAUSE);
		}
	}

	private grow(): void {
		this.answers++;
		if (this.limit >= this.bound || this.answers < this.caution * this.limit) return;
		if (this.hasGrown) this.caution = Math.max(CAUTION.least, this.caution / 2);
		this.hasGrown = true;
		this.answers = 0;
		this.limit++;
	}

	private pause(milliseconds: number): void {
		if (milliseconds > LONGEST_PAUSE) return;
		this.pauses++;
		void wait(milliseconds, this.signal).then(() => {
			this.pauses--;
			this.admit();
		});
	}
}

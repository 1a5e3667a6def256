import { Turns } from '../lib/concurrency';
import { wait } from './request';
import { readRetryAfter } from './retry';

/** What a request came to, as far as it tells how many may be under way. */
type Outcome =
	| { response: { status: number; headers: Record<string, string | undefined> } }
	| { failure: unknown };

/** The service says that it has too much to do. */
const REFUSALS: ReadonlySet<number> = new Set([429, 503]);

/** When the service does not say how long it wants to be left alone; milliseconds. */
const USUAL_PAUSE = 1000;

/** One that asks for more than this is not waited for by all: each request then ends by its own rules. */
const LONGEST_PAUSE = 60_000;

/** What is left of the limit after a refusal; measured: with a half, a service that takes 20 at once is left idle. */
const DECREASED_TO = 0.75;

/**
 * Lets requests through to the service, so many at a time: additive increase, multiplicative decrease (RFC 5681, for
 * requests in place of segments).
 *
 * - As many answers as requests may be under way allow one more, up to the bound.
 * - A refusal takes a part of those that were under way, once for all that were sent before it was heard.
 * - A request refused although it was the only one says that there were too many in a time: then nothing is sent until
 *   the pause that the service asks for (`Retry-After`) is over.
 *
 * Without this, requests that wait and come back together are refused again until their attempts run out.
 */
export class RequestLimiter extends Turns {
	/** How many may be under way; its whole part counts. */
	private limit: number;

	private sent = 0;

	/** How many had been sent when the limit was last decreased. */
	private sentAtDecrease = 0;

	private pauses = 0;

	/**
	 * @param bound how many requests may be under way at most
	 * @param signal ends pauses early
	 */
	constructor(
		bound: number,
		private readonly signal: AbortSignal | undefined,
	) {
		super(bound);
		this.limit = bound;
	}

	/** Sends when it is the request's turn: first come, first served. */
	async send<Result extends Outcome>(request: () => Promise<Result>): Promise<Result> {
		return await this.run(async () => {
			const turn = ++this.sent;
			const beside = this.underWay;
			const outcome = await request();
			this.learn(outcome, turn, beside);
			return outcome;
		});
	}

	protected override isOpen(): boolean {
		return this.pauses === 0 && this.underWay < Math.floor(this.limit);
	}

	private learn(outcome: Outcome, turn: number, beside: number): void {
		const response = 'response' in outcome ? outcome.response : undefined;
		if (response === undefined || !REFUSALS.has(response.status)) {
			this.limit = Math.min(this.bound, this.limit + 1 / this.limit);
			return;
		}
		if (turn > this.sentAtDecrease) {
			this.limit = Math.max(1, Math.min(this.limit, beside) * DECREASED_TO);
			this.sentAtDecrease = this.sent;
		}
		if (beside === 1) this.pause(readRetryAfter(response.headers) ?? USUAL_PAUSE);
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

import { backoff, monotonicNow } from '../../../../lib/basics';
import type { ApiResponse } from '../request';
import { readRetryAfter, type RetryPolicy } from './retry';

/**
 * Pauses all requests of a client after a busy service refused one. Gives up after `attempts` rounds, or after the time of
 * `busy`, in which no request was accepted.
 */
export class RefusalPause {
	/** The end of the pause, see `monotonicNow`. */
	private notBefore = -Infinity;

	/** Time of the first refusal since the last accepted request. */
	private refusedSince: number | undefined;

	/** Refusals since then; those of concurrent requests count as one. */
	private rounds = 0;

	constructor(private readonly policy: RetryPolicy) {}

	/** 0 if there is no pause. */
	get msLeft(): number {
		return Math.max(0, this.notBefore - monotonicNow());
	}

	accepted(): void {
		this.refusedSince = undefined;
		this.rounds = 0;
	}

	/**
	 * Pauses for as long as the service asks, or else for a growing delay.
	 *
	 * @param sentAt when the refused request was sent, see `monotonicNow`
	 * @returns whether the request is sent again after the pause
	 */
	refused({ headers }: Pick<ApiResponse, 'headers'>, sentAt: number): boolean {
		const now = monotonicNow();
		this.refusedSince ??= now;

		const isNewRound = sentAt >= this.notBefore;
		if (isNewRound) this.rounds++;
		if (this.rounds >= this.policy.attempts) return false;

		const retryAfter = readRetryAfter(headers);
		// Another request of this round has set the pause already.
		if (!isNewRound && retryAfter === undefined) return true;

		const delay = backoff(this.rounds, this.policy);
		let until = now + delay;
		// A share of the delay, so that clients that were told the same time do not return at the same time.
		if (retryAfter !== undefined) until = now + retryAfter + delay / 4;

		const patience = this.policy.busy ?? this.policy.total;
		if (until - this.refusedSince > patience) return false;
		this.notBefore = Math.max(this.notBefore, until);
		return true;
	}
}

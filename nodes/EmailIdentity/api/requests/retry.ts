import { wallClockNow, type RetryDelays } from '../../../../lib/basics';
import type { ApiResponse } from '../request';

/** Times in milliseconds. */
export interface RetryPolicy extends RetryDelays {
	/** Including the first one. Refusals of a busy service count for all requests together. */
	attempts: number;
	/** Until the start of the last attempt, including waits. */
	total: number;
	/** The same while the service refuses requests because it is busy; default: `total`. */
	busy?: number;
	/** For the complete response to one attempt. */
	timeout: number;
}

/** How long requests may take, by who waits for them. A time that is missing is that of `production`. */
export const PATIENCE = {
	production: {
		attempts: 6,
		total: 120_000,
		firstDelay: 500,
		maxDelay: 15_000,
		timeout: 60_000,
	},
	/** An unreachable service is reported within seconds. */
	editor: { total: 4_000, busy: 120_000, timeout: 30_000 },
	dropDown: { attempts: 3, total: 4_000, timeout: 10_000 },
	credentialTest: { timeout: 10_000 },
	/** Webhook → Audit asks this n8n's own triggers; `total` is for all of them. */
	ownTriggers: { total: 30_000, timeout: 5_000 },
} satisfies Record<string, Partial<RetryPolicy>>;

/** The limit unless the user sets another. */
export const MAX_CONCURRENT_REQUESTS = 20;

/** Milliseconds from now. `Retry-After` has seconds or an HTTP date (RFC 9110, section 10.2.3). */
export function readRetryAfter(headers: ApiResponse['headers']): number | undefined {
	const value = headers['retry-after']?.trim() ?? '';
	if (value === '') return undefined;
	let milliseconds = Number(value) * 1000;
	if (Number.isNaN(milliseconds)) milliseconds = Date.parse(value) - wallClockNow();
	if (!Number.isFinite(milliseconds)) return undefined;
	return Math.max(0, milliseconds);
}

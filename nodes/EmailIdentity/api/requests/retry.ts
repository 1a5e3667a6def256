import { wallClockNow, type RetryDelays } from '../../../../lib/basics';
import type { ApiRequest, ApiResponse } from '../request';
import type { Exchange, TransportProblem } from '../failures/transportFailure';

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

const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];
const REPEATABLE: readonly TransportProblem[] = ['unreachable', 'brokenConnection', 'timeout'];

/** Whether a repeat may succeed and is safe: a creation only if the service did nothing. Refusals are left to `RefusalPause`. */
export function mayRepeat({ method }: Pick<ApiRequest, 'method'>, exchange: Exchange): boolean {
	if (!isTemporary(exchange)) return false;
	return method !== 'POST' || !mayHaveActed(exchange);
}

function isTemporary(exchange: Exchange): boolean {
	if ('problem' in exchange) return REPEATABLE.includes(exchange.problem);
	return GATEWAY_STATUSES.includes(exchange.status) && !isRefusal(exchange);
}

/** Whether the service is too busy and did nothing: 429, and 503 with `Retry-After`. */
export function isRefusal({ status, headers }: Pick<ApiResponse, 'status' | 'headers'>): boolean {
	if (status === 429) return true;
	return status === 503 && readRetryAfter(headers) !== undefined;
}

/**
 * Whether the service may have carried out a failed request. 303 points to the result. 503 excludes it only with
 * `Retry-After`: proxies such as Envoy also respond with 503 if the service disconnects after receiving the request.
 */
export function mayHaveActed(exchange: Exchange): boolean {
	if ('problem' in exchange) return exchange.mayHaveActed;
	if (isRefusal(exchange)) return false;
	return exchange.status >= 500 || exchange.status === 303;
}

/** Milliseconds from now. `Retry-After` has seconds or an HTTP date (RFC 9110, section 10.2.3). */
export function readRetryAfter(headers: ApiResponse['headers']): number | undefined {
	const value = headers['retry-after']?.trim() ?? '';
	if (value === '') return undefined;
	let milliseconds = Number(value) * 1000;
	if (Number.isNaN(milliseconds)) milliseconds = Date.parse(value) - wallClockNow();
	if (!Number.isFinite(milliseconds)) return undefined;
	return Math.max(0, milliseconds);
}

import type { Exchange } from './sendRequest';
import type { TransportProblem } from './transportFailures';
import type { ApiRequest, ApiResponse } from './types';

/** How long and how often a request is repeated. Times in milliseconds. */
export interface RetryPolicy {
	/** The first one included. */
	attempts: number;
	/** Until the last attempt has to begin, waits included. */
	total: number;
	/** The same while the service gives no sign of life: no connection, or a gateway that speaks for it. */
	lifeless: number;
	firstDelay: number;
	longestDelay: number;
	/** For one attempt, until the whole answer is there. */
	timeout: number;
}

/** For executions, where a user or a schedule can wait. */
export const PATIENT: RetryPolicy = {
	attempts: 6,
	total: 120_000,
	lifeless: 120_000,
	firstDelay: 500,
	longestDelay: 15_000,
	timeout: 60_000,
};

/**
 * For an execution that somebody started in the editor and looks at: a service that is alive may ask for patience (429,
 * `Retry-After`), one that is dead is told within seconds.
 */
export const WATCHED: Partial<RetryPolicy> = { lifeless: 4_000, timeout: 30_000 };

/** For a drop-down that somebody has opened. */
export const BRIEF: Partial<RetryPolicy> = {
	attempts: 3,
	total: 4_000,
	lifeless: 4_000,
	timeout: 10_000,
};

const REPEATABLE_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const UNAVAILABLE = 503;

const REPEATABLE_PROBLEMS: ReadonlySet<TransportProblem> = new Set([
	'unreachable',
	'brokenConnection',
	'timeout',
]);

/**
 * Decides whether and when an attempt is repeated: exponential backoff with jitter, or what the
 * service asks for in `Retry-After` (RFC 9110, section 10.2.3).
 *
 * @param attempt counted from 1
 * @param elapsed milliseconds since the first attempt began
 * @returns milliseconds to wait, or undefined when this was the last attempt
 */
export function delayBeforeRepeat(
	request: ApiRequest,
	exchange: Exchange,
	attempt: number,
	elapsed: number,
	policy: RetryPolicy,
): number | undefined {
	if (attempt >= policy.attempts || !isRepeatable(request, exchange)) return undefined;
	const asked = 'response' in exchange ? readRetryAfter(exchange.response.headers) : undefined;
	const jitter = 0.5 + Math.random() / 2;
	const backoff = jitter * Math.min(policy.firstDelay * 2 ** (attempt - 1), policy.longestDelay);
	// Jitter goes on top of a wait that was asked for: those who were refused together must not return together.
	const delay = asked === undefined ? backoff : asked + backoff / 4;
	const budget = asked === undefined && isLifeless(exchange) ? policy.lifeless : policy.total;
	return elapsed + delay > budget ? undefined : delay;
}

function isLifeless(exchange: Exchange): boolean {
	return 'failure' in exchange || exchange.response.status !== 429;
}

function isRepeatable({ method, isUndone }: ApiRequest, exchange: Exchange): boolean {
	if ('failure' in exchange) {
		const { problem, mayHaveActed } = exchange.failure;
		return REPEATABLE_PROBLEMS.has(problem) && (method !== 'POST' || !mayHaveActed);
	}
	const { response } = exchange;
	if (!REPEATABLE_STATUSES.has(response.status)) return false;
	const canLook = response.status === UNAVAILABLE && isUndone !== undefined;
	return method !== 'POST' || isNothingDone(response) || canLook;
}

/**
 * Whether an answer means for sure that nothing was done.
 *
 * 303 points to what came of it. 503 means it only with `Retry-After`, with which the service says that it refused: proxies
 * such as Envoy answer 503, too, when the service broke off after it had taken the request.
 */
export function isNothingDone({
	status,
	headers,
}: Pick<ApiResponse, 'status' | 'headers'>): boolean {
	if (status === UNAVAILABLE) return readRetryAfter(headers) !== undefined;
	return status < 500 && status !== 303;
}

/**
 * Reads `Retry-After`: seconds, or an HTTP date, which counts from the service's own clock where it tells its time.
 *
 * @param headers of the answer
 * @returns milliseconds from now, never negative; undefined when there is no such header or it is broken
 */
export function readRetryAfter(headers: ApiResponse['headers']): number | undefined {
	const asked = headers['retry-after']?.trim();
	if (asked === undefined) return undefined;
	if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
	const date = readDate(asked);
	return date === undefined
		? undefined
		: Math.max(0, date - (readDate(headers.date) ?? Date.now()));
}

function readDate(header: string | undefined): number | undefined {
	// A date always names its day or month; Date.parse would take "-5" for one, too.
	const date = header !== undefined && /[a-z]{3}/i.test(header) ? Date.parse(header) : NaN;
	return Number.isNaN(date) ? undefined : date;
}

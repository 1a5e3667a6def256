import type { ApiRequest, ApiResponse } from '../request';
import type { Exchange, TransportProblem } from '../failures/transportFailure';
import { readRetryAfter } from './retry';

const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];
const REPEATABLE: readonly TransportProblem[] = ['unreachable', 'brokenConnection', 'timeout'];

/** What decides whether a request may be sent again. */
type RequestKind = Pick<ApiRequest, 'method' | 'resource'>;

/** Whether a repeat may succeed and is safe: a creation only if the service did nothing. Refusals are left to `RefusalPause`. */
export function mayRepeat(request: RequestKind, exchange: Exchange): boolean {
	if (!isTemporary(request, exchange)) return false;
	return request.method !== 'POST' || !mayHaveActed(request, exchange);
}

function isTemporary(request: RequestKind, exchange: Exchange): boolean {
	if ('problem' in exchange) return REPEATABLE.includes(exchange.problem);
	return GATEWAY_STATUSES.includes(exchange.status) && !isRefusal(request, exchange);
}

/**
 * Whether the service is too busy and did nothing: 429, and 503 with `Retry-After`. After an email, 503 does not say so: a proxy
 * can answer it when its time is over, although the service sends the email. Nothing shows afterwards whether it did.
 */
export function isRefusal(
	{ resource }: RequestKind,
	{ status, headers }: Pick<ApiResponse, 'status' | 'headers'>,
): boolean {
	if (status === 429) return true;
	if (resource === 'email') return false;
	return status === 503 && readRetryAfter(headers) !== undefined;
}

/**
 * Whether the service may have carried out a failed request. 303 points to the result. 503 excludes it only with
 * `Retry-After`: proxies such as Envoy also respond with 503 if the service disconnects after receiving the request.
 */
export function mayHaveActed(request: RequestKind, exchange: Exchange): boolean {
	if ('problem' in exchange) return exchange.mayHaveActed;
	if (isRefusal(request, exchange)) return false;
	return exchange.status >= 500 || exchange.status === 303;
}

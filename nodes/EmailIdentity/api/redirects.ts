import { parseUrl, toUrl } from '../lib/hosts';
import type { RedirectTarget } from './errorAdvice';
import type { Exchange } from './sendRequest';
import type { ApiRequest, ApiResponse } from './types';

const MOST_REDIRECTS = 5;

/** These repeat the request as it is (RFC 9110, section 15.4); the others turn it into a GET. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/**
 * Sends a request and follows redirects within its origin, as the key goes nowhere else. Those that would change the
 * method are followed for reads only.
 *
 * @param send sends it to an address, once
 * @param address absolute
 * @returns what came of it; the redirect itself where it is not followed
 */
export async function followRedirects(
	send: (address: string) => Promise<Exchange>,
	address: string,
	method: ApiRequest['method'],
): Promise<Exchange> {
	const { origin } = toUrl(address);
	let target = address;
	for (let redirects = 0; ; redirects++) {
		const exchange = await send(target);
		if ('failure' in exchange) return exchange;
		const next = locationOf(exchange.response);
		const isRepeatable = method === 'GET' || KEEPS_METHOD.has(exchange.response.status);
		if (next?.origin !== origin || !isRepeatable || redirects === MOST_REDIRECTS) return exchange;
		target = next.href;
	}
}

/**
 * Where a redirect that was not followed leads, as it may be shown: without a query, which may hold a secret.
 *
 * @returns undefined when the answer is no redirect
 */
export function redirectTarget(response: ApiResponse): RedirectTarget | undefined {
	const target = locationOf(response);
	if (target === undefined) return undefined;
	const isElsewhere = target.origin !== toUrl(response.url).origin;
	return { address: isElsewhere ? target.origin : target.pathname, isElsewhere };
}

function locationOf({ status, headers, url }: ApiResponse): URL | undefined {
	const { location } = headers;
	const isRedirect = status >= 300 && status < 400 && location !== undefined;
	return isRedirect ? parseUrl(location, url) : undefined;
}

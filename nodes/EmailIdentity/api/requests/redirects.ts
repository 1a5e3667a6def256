import { toUrl } from '../../../../lib/basics';
import { redirectTarget, type ApiRequest } from '../request';
import type { Exchange } from '../failures/transportFailure';

const MAX_REDIRECTS = 5;

/** Redirects that keep the method (RFC 9110, section 15.4); the others change it to GET. */
const KEEPS_METHOD: readonly number[] = [307, 308];

/**
 * Follows redirects within the origin, and only for reads if they change the method. Whoever can make the service redirect, for example by
 * an open redirect on its host, would otherwise be sent the API key, with which all mail can be read.
 *
 * @returns the redirect itself if it is not followed
 */
export async function followRedirects(
	send: (url: string) => Promise<Exchange>,
	url: string,
	method: ApiRequest['method'],
): Promise<Exchange> {
	const { origin } = toUrl(url);
	let exchange = await send(url);
	for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
		if ('problem' in exchange) return exchange;
		const target = redirectTarget(exchange);
		if (target?.origin !== origin) return exchange;
		const isRepeatable = method === 'GET' || KEEPS_METHOD.includes(exchange.status);
		if (!isRepeatable) return exchange;
		exchange = await send(target.href);
	}
	return exchange;
}

import * as fc from 'fast-check';

import { withSecret } from '../../../../nodes/EmailIdentity/trigger/secret';
import {
	carriesMark,
	deliveredTo,
	markOf,
} from '../../../../nodes/EmailIdentity/trigger/subscription/gateway';
import { readShownUrl } from '../../../../nodes/EmailIdentity/trigger/subscription/shownUrl';
import { nodeTarget } from './nodeTarget';

const SECRET = 'aB3_dE5-gH7iJ9kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD';

const urlFor = (deliveryUrl: string) =>
	withSecret(deliveredTo(nodeTarget(undefined, { deliveryUrl }), 'production'), SECRET);

const mark = markOf(nodeTarget());

describe('the address of a subscription that delivers to a gateway', () => {
	it.each([
		['https://gateway.example', `https://gateway.example/?node=${mark}&token=${SECRET}`],
		['https://gateway.example/in/', `https://gateway.example/in/?node=${mark}&token=${SECRET}`],
		[
			'https://gateway.example/in?sig=a%20b+c&flag&x=%E4',
			`https://gateway.example/in?sig=a%20b+c&flag&x=%E4&node=${mark}&token=${SECRET}`,
		],
		['https://gateway.example/in#top', `https://gateway.example/in?node=${mark}&token=${SECRET}`],
	])('keeps what %s says, as it is spelled', (deliveryUrl, url) => {
		expect(urlFor(deliveryUrl)).toBe(url);
	});

	it('is n8n’s own for test events, and without the option', () => {
		const gatewayed = nodeTarget(undefined, { deliveryUrl: 'https://gateway.example/in' });
		expect(deliveredTo(gatewayed, 'test')).toBe(gatewayed.address);
		expect(deliveredTo(nodeTarget(), 'production')).toBe(gatewayed.address);
	});

	const urls = fc.webUrl({ withQueryParameters: true }).filter((url) => {
		const { searchParams } = new URL(url);
		return !searchParams.has('node') && !searchParams.has('token');
	});

	it('holds whatever Delivery URL in front, is recognised, and is right as it was given', () => {
		fc.assert(
			fc.property(urls, (deliveryUrl) => {
				const url = urlFor(deliveryUrl);
				const { search } = new URL(deliveryUrl);
				expect(new URL(url).search.startsWith(search)).toBe(true);
				expect(new URL(url).pathname).toBe(new URL(deliveryUrl).pathname);
				expect(carriesMark(url, nodeTarget())).toBe(true);
				expect(readShownUrl(url, url)).toBe('right');
			}),
		);
	});

	it('is not right for another Delivery URL', () => {
		fc.assert(
			fc.property(urls, urls, (one, other) => {
				fc.pre(new URL(one).href !== new URL(other).href);
				const [shown, desired] = [urlFor(one), urlFor(other)];
				fc.pre(sortedQuery(shown) !== sortedQuery(desired));
				expect(readShownUrl(shown, desired)).not.toBe('right');
			}),
		);
	});
});

/** Nothing but the order of the parameters, and what is added to them, may differ. */
function sortedQuery(url: string): string {
	const result = new URL(url);
	result.searchParams.sort();
	return result.href;
}

describe('what the service shows of it', () => {
	const DESIRED = urlFor('https://gateway.example/in/a?key=own');

	it.each([
		['as given', DESIRED, 'right'],
		['in another order', DESIRED.replace('key=own&', '').replace(/$/, '&key=own'), 'right'],
		['with another parameter', `${DESIRED}&by=service`, 'right'],
		['with a masked secret', DESIRED.replace(SECRET, '***'), 'hidden'],
		['with everything masked', DESIRED.replace(/=[^&]+/g, '=***'), 'hidden'],
		['without the secret', DESIRED.replace(/&token.*/, ''), 'secretLost'],
		['without its query', DESIRED.replace(/\?.*/, ''), 'secretLost'],
		['without the gateway’s key', DESIRED.replace('key=own&', ''), 'elsewhere'],
		['with another key', DESIRED.replace('key=own', 'key=other'), 'elsewhere'],
		['for another node', DESIRED.replace(mark, 'other'), 'elsewhere'],
		['with a slash more', DESIRED.replace('/a?', '/a/?'), 'elsewhere'],
		['at another path', DESIRED.replace('/a?', '/b?'), 'elsewhere'],
	])('%s', (_, shown, reading) => {
		expect(readShownUrl(shown, DESIRED)).toBe(reading);
	});
});

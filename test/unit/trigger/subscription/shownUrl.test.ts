import * as fc from 'fast-check';

import {
	carriesMark,
	markOf,
	readShownUrl,
	subscriptionUrl,
	type Endpoint,
} from '../../../../nodes/EmailIdentity/trigger/subscription/address';

const ADDRESS = 'https://n8n.example/webhook/0a1b/webhook';
const SECRET = 'aB3_dE5-gH7iJ9kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD';
const DESIRED = `${ADDRESS}?token=${SECRET}`;

const withToken = (token: string) => `${ADDRESS}?token=${token}`;

it.each([
	['as given', DESIRED],
	['in another spelling', `HTTPS://N8N.example:443/webhook/0a1b/%77ebhook/?token=${SECRET}`],
	['with a secret in percent', withToken(SECRET.replace('_', '%5F').replace('-', '%2d'))],
	['with another parameter', `${ADDRESS}?by=service&token=${SECRET}`],
])('%s it is right', (_, shown) => {
	expect(readShownUrl(shown, DESIRED)).toBe('right');
});

it.each([
	null,
	'',
	withToken('***'),
	withToken('•••'),
	withToken(`${SECRET.slice(0, 4)}…`),
	withToken('aB3_...B7cD'),
	withToken(`aB3_${'x'.repeat(20)}`),
	withToken('aB3_XXXXXX'),
	withToken('00000000'),
	withToken('REDACTED'),
	withToken('[hidden]'),
	`${ADDRESS}?***`,
])('%s hides the secret', (shown) => {
	expect(readShownUrl(shown, DESIRED)).toBe('hidden');
});

it.each([
	ADDRESS,
	withToken(''),
	withToken(SECRET.toLowerCase()),
	withToken(SECRET.slice(0, 32)),
	withToken('one-letter-X-of-five-xxxxx-XXXXX-is-no-mask'),
	`${DESIRED}&token=${SECRET}`,
	`${ADDRESS}?by=service`,
])('%s has lost the secret', (shown) => {
	expect(readShownUrl(shown, DESIRED)).toBe('secretLost');
});

it.each([
	DESIRED.replace('n8n.', 'old.'),
	DESIRED.replace('0a1b', '0A1B'),
	DESIRED.replace('https', 'http'),
	'no URL',
])('%s leads elsewhere', (shown) => {
	expect(readShownUrl(shown, DESIRED)).toBe('elsewhere');
});

describe('through the gateway of a Delivery URL', () => {
	const node: Endpoint = {
		instanceId: 'this-n8n',
		webhookPath: '0a1b',
		address: ADDRESS,
		deliveryUrl: '',
		name: 'Flow / Mail',
	};
	const mark = markOf(node);
	const urlFor = (deliveryUrl: string) =>
		subscriptionUrl({ ...node, deliveryUrl }, 'production', SECRET);

	it.each([
		['https://gateway.example', `https://gateway.example/?node=${mark}&token=${SECRET}`],
		[
			'https://gateway.example/in/?sig=a%20b+c&flag&x=%E4#top',
			`https://gateway.example/in/?sig=a%20b+c&flag&x=%E4&node=${mark}&token=${SECRET}`,
		],
	])('the subscription points at %s, spelled as it is', (deliveryUrl, url) => {
		expect(urlFor(deliveryUrl)).toBe(url);
		expect(subscriptionUrl({ ...node, deliveryUrl }, 'test')).toBe(ADDRESS);
	});

	const urls = fc.webUrl({ withQueryParameters: true }).filter((url) => {
		const { searchParams } = new URL(url);
		return !searchParams.has('node') && !searchParams.has('token');
	});

	it('every Delivery URL is kept in front, recognised, and right as it was given', () => {
		fc.assert(
			fc.property(urls, (deliveryUrl) => {
				const url = urlFor(deliveryUrl);
				const { search, pathname } = new URL(deliveryUrl);
				expect(new URL(url).search.startsWith(search)).toBe(true);
				expect(new URL(url).pathname).toBe(pathname);
				expect(carriesMark(url, node)).toBe(true);
				expect(readShownUrl(url, url)).toBe('right');
			}),
		);
	});

	const GIVEN = urlFor('https://gateway.example/in/a?key=own');

	it.each([
		['in another order', GIVEN.replace('key=own&', '').replace(/$/, '&key=own'), 'right'],
		['with another parameter', `${GIVEN}&by=service`, 'right'],
		['with a masked secret', GIVEN.replace(SECRET, '***'), 'hidden'],
		['with everything masked', GIVEN.replace(/=[^&]+/g, '=***'), 'hidden'],
		['without the secret', GIVEN.replace(/&token.*/, ''), 'secretLost'],
		['without its query', GIVEN.replace(/\?.*/, ''), 'secretLost'],
		['without the gateway’s key', GIVEN.replace('key=own&', ''), 'elsewhere'],
		['with another key', GIVEN.replace('key=own', 'key=other'), 'elsewhere'],
		['for another node', GIVEN.replace(mark, 'other'), 'elsewhere'],
		['with a slash more', GIVEN.replace('/a?', '/a/?'), 'elsewhere'],
		['at another path', GIVEN.replace('/a?', '/b?'), 'elsewhere'],
	])('%s it is %s', (_, shown, reading) => {
		expect(readShownUrl(shown, GIVEN)).toBe(reading);
	});
});

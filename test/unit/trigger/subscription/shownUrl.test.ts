import * as fc from 'fast-check';

import {
	carriesMark,
	isSameUrl,
	markOf,
	subscriptionUrl,
	type Endpoint,
} from '../../../../nodes/EmailIdentity/trigger/subscription/address';

const ADDRESS = 'https://n8n.example/webhook/0a1b/webhook';
const SECRET = 'aB3_dE5-gH7iJ9kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD';
const DESIRED = `${ADDRESS}?token=${SECRET}`;

const NODE: Endpoint = {
	instanceId: 'this-n8n',
	webhookPath: '0a1b',
	address: ADDRESS,
	deliveryUrl: '',
	name: 'Flow / Mail',
};
const MARK = markOf(NODE);
const urlFor = (deliveryUrl: string) =>
	subscriptionUrl({ ...NODE, deliveryUrl }, 'production', SECRET);

test.each([
	['as given', DESIRED, true],
	['in another spelling', `HTTPS://N8N.example:443/webhook/0a1b/%77ebhook/?token=${SECRET}`, true],
	['with the secret in percent', DESIRED.replace('_', '%5F').replace('-', '%2d'), true],
	['with another parameter', `${ADDRESS}?by=service&token=${SECRET}`, true],
	['without the secret', ADDRESS, false],
	['with another secret', DESIRED.toLowerCase(), false],
	['with a secret more, which n8n makes a list of', `${DESIRED}&token=${SECRET}`, false],
	['at another host', DESIRED.replace('n8n.', 'old.'), false],
	['at another path', DESIRED.replace('0a1b', '0A1B'), false],
	['without TLS', DESIRED.replace('https', 'http'), false],
	['as nonsense', 'no URL', false],
])('a URL that is shown %s: %s is right: %s', (_, shown, isRight) => {
	expect(isSameUrl(shown, DESIRED)).toBe(isRight);
});

const GIVEN = urlFor('https://gateway.example/in/a?key=own');

test.each([
	['in another order', GIVEN.replace('key=own&', '').replace(/$/, '&key=own'), true],
	['with another parameter', `${GIVEN}&by=service`, true],
	['without the secret', GIVEN.replace(/&token.*/, ''), false],
	['without the gateway’s key', GIVEN.replace('key=own&', ''), false],
	['with another key', GIVEN.replace('key=own', 'key=other'), false],
	['for another node', GIVEN.replace(MARK, 'other'), false],
	['with a slash more', GIVEN.replace('/a?', '/a/?'), false],
])('a Delivery URL that is shown %s: %s is right: %s', (_, shown, isRight) => {
	expect(isSameUrl(shown, GIVEN)).toBe(isRight);
});

test.each([
	['https://gateway.example', `https://gateway.example/?node=${MARK}&token=${SECRET}`],
	[
		'https://gateway.example/in/?sig=a%20b+c&flag&x=%E4#top',
		`https://gateway.example/in/?sig=a%20b+c&flag&x=%E4&node=${MARK}&token=${SECRET}`,
	],
])('the subscription points at %s, spelled as it is', (deliveryUrl, url) => {
	expect(urlFor(deliveryUrl)).toBe(url);
	expect(subscriptionUrl({ ...NODE, deliveryUrl }, 'test', SECRET)).toBe(DESIRED);
});

const urls = fc.webUrl({ withQueryParameters: true }).filter((url) => {
	const { searchParams } = new URL(url);
	return !searchParams.has('node') && !searchParams.has('token');
});

test('every Delivery URL is kept in front, recognised, and right as it was given', () => {
	fc.assert(
		fc.property(urls, (deliveryUrl) => {
			const url = urlFor(deliveryUrl);
			const { search, pathname } = new URL(deliveryUrl);
			expect(new URL(url).search.startsWith(search)).toBe(true);
			expect(new URL(url).pathname).toBe(pathname);
			expect(carriesMark(url, NODE)).toBe(true);
			expect(isSameUrl(url, url)).toBe(true);
		}),
	);
});

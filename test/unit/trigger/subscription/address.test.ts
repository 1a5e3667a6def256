import * as fc from 'fast-check';

import {
	carriesMark,
	isAtAddress,
	markOf,
	subscriptionUrl,
	type Endpoint,
} from '../../../../nodes/EmailIdentity/trigger/subscription/address';
import '../../../propertySeed';

const NODE: Endpoint = {
	instanceId: 'this-n8n',
	webhookPath: '0a1b',
	listening: 'production',
	address: 'https://n8n.example/webhook/0a1b/webhook',
	deliveryUrl: '',
	name: 'Flow / Mail',
};
const MARK = markOf(NODE);
const SECRET = 'aB3_dE5-gH7iJ9kL1mN3oP5qR7sT9uV1wX3yZ5aB7cD';

test.each([
	['https://gateway.example', `https://gateway.example/?node=${MARK}&token=${SECRET}`],
	[
		'https://gateway.example/in/?sig=a%20b+c&flag&x=%E4#top',
		`https://gateway.example/in/?sig=a%20b+c&flag&x=%E4&node=${MARK}&token=${SECRET}`,
	],
])('the subscription points at %s, spelled as it is; test events go to n8n', (deliveryUrl, url) => {
	expect(subscriptionUrl({ ...NODE, deliveryUrl }, SECRET)).toBe(url);
	expect(subscriptionUrl({ ...NODE, deliveryUrl, listening: 'test' }, SECRET)).toBe(
		`${NODE.address}?token=${SECRET}`,
	);
});

const urls = fc.webUrl({ withQueryParameters: true }).filter((url) => {
	const { searchParams } = new URL(url);
	return !searchParams.has('node') && !searchParams.has('token');
});

test('every Delivery URL is kept in front, and recognised', () => {
	fc.assert(
		fc.property(urls, (deliveryUrl) => {
			const url = subscriptionUrl({ ...NODE, deliveryUrl }, SECRET);
			const { search, pathname } = new URL(deliveryUrl);
			expect(new URL(url).search.startsWith(search)).toBe(true);
			expect(new URL(url).pathname).toBe(pathname);
			expect(carriesMark(url, NODE)).toBe(true);
			expect(isAtAddress(url, { ...NODE, deliveryUrl })).toBe(true);
		}),
	);
});

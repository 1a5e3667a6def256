import * as fc from 'fast-check';

import type { Webhook } from '../../../../nodes/EmailIdentity/api/data/resources';
import type { EmailIdentityService } from '../../../../nodes/EmailIdentity/api/service';
import { deriveSecret, digestSecret } from '../../../../nodes/EmailIdentity/shared/secret';
import type { StoredSubscription } from '../../../../nodes/EmailIdentity/trigger/staticData';
import {
	fingerprintOf,
	subscriptionUrl,
} from '../../../../nodes/EmailIdentity/trigger/webhooks/subscriptionUrl';
import { failure } from '../delivery/support/requests';
import { NODE, ownWebhooks, targetOf } from './support/node';
import '../../../support/propertySeed';

/** Which subscriptions a node may change. */

const GATEWAY = 'https://gateway.example/in?key=own';
const AT_GATEWAY = { ...NODE, deliveryUrl: GATEWAY };
const FINGERPRINT = fingerprintOf(NODE);

const secretOf = (webhookPath: string, listening: 'production' | 'test', key = 'key') =>
	deriveSecret(key, { instanceId: NODE.instanceId, webhookPath, listening });
const MINE = secretOf('0a1b', 'production');

async function see(
	webhooks: Array<Partial<Webhook>>,
	node = NODE,
	stored?: Partial<StoredSubscription>,
) {
	const target = targetOf(node, stored);
	const listed = webhooks.map((webhook, index) => ({ id: `w${index}`, ...webhook }));
	const service = {
		ownerId: async () => await Promise.resolve('me'),
		listWebhooks: async () => await Promise.resolve(listed),
		getWebhook: async () => await Promise.reject(failure(404)),
	} as unknown as EmailIdentityService;
	const { own, leftovers } = await ownWebhooks(service, target, NOW).observe();
	return { own: own.map(({ id }) => id), leftovers: leftovers.map(({ id }) => id) };
}

const NOW = Date.parse('2026-11-25T12:00:00Z');

const NOT_OWN = { own: [], leftovers: [] };

test.each([
	['https://gateway.example', `https://gateway.example/?node=${FINGERPRINT}&token=${MINE}`],
	[
		'https://gateway.example/in/?sig=a%20b+c&flag&x=%E4#top',
		`https://gateway.example/in/?sig=a%20b+c&flag&x=%E4&node=${FINGERPRINT}&token=${MINE}`,
	],
])('the subscription points at %s, spelled as it is; test events go to n8n', (deliveryUrl, url) => {
	expect(subscriptionUrl({ ...NODE, deliveryUrl }, MINE)).toBe(url);
	expect(subscriptionUrl({ ...NODE, deliveryUrl, listening: 'test' }, MINE)).toBe(
		`${NODE.address}?token=${MINE}`,
	);
});

const urls = fc.webUrl({ withQueryParameters: true }).filter((url) => {
	const { searchParams } = new URL(url);
	return !searchParams.has('node') && !searchParams.has('token');
});

test('a subscription keeps any Delivery URL at its start, and is recognised by it', async () => {
	await fc.assert(
		fc.asyncProperty(urls, async (deliveryUrl) => {
			const url = subscriptionUrl({ ...NODE, deliveryUrl }, 'of-a-former-key');
			const { search, pathname } = new URL(deliveryUrl);
			expect(new URL(url).search.startsWith(search)).toBe(true);
			expect(new URL(url).pathname).toBe(pathname);
			expect((await see([{ url }], { ...NODE, deliveryUrl })).own).toEqual(['w0']);
		}),
	);
});

test.each([
	['at its address', NODE, NODE.address],
	['at its address with any query', NODE, `${NODE.address}?token=lost&a=b`],
	['in another spelling', NODE, 'https://N8N.example:443/%77ebhook/0a1b/webhook/'],
	['at a former address with its secret', NODE, `https://old.example/x/0a1b/webhook?token=${MINE}`],
	[
		'at the gateway of a removed Delivery URL',
		NODE,
		`${GATEWAY}&node=${FINGERPRINT}&token=${MINE}`,
	],
	['at its gateway with another secret', AT_GATEWAY, `${GATEWAY}&node=${FINGERPRINT}&token=former`],
	['at its gateway, made by hand', AT_GATEWAY, `${GATEWAY}&node=${FINGERPRINT}`],
	['at a former gateway', AT_GATEWAY, `https://former.example/?node=${FINGERPRINT}&token=${MINE}`],
	['at n8n in spite of a Delivery URL', AT_GATEWAY, `${NODE.address}?token=${MINE}`],
])('one %s is the node’s own', async (_, node, url) => {
	expect((await see([{ url }], node)).own).toEqual(['w0']);
});

test.each([
	['at a longer path', `${NODE.address}/more`],
	['of another n8n', 'https://other.example/webhook/0a1b/webhook?token=theirs'],
	['without TLS', 'http://n8n.example/webhook/0a1b/webhook'],
	['of another node', 'https://n8n.example/webhook/ffff/webhook?token=theirs'],
	['somewhere else with the secret', `https://debug.example/?token=${MINE}`],
	['at a former gateway without the secret', `https://former.example/?node=${FINGERPRINT}&token=x`],
	['for test events of another key', testUrl('ffff', secretOf('ffff', 'test', 'other'))],
	['for test events of another node', testUrl('ffff', secretOf('eeee', 'test'))],
	['without a URL', ''],
])('one %s is not its own', async (_, url) => {
	expect(await see([{ url }])).toEqual(NOT_OWN);
});

test.each([
	['that names no node', GATEWAY],
	['that names no node, with the secret', `${GATEWAY}&token=${MINE}`],
	['of another node', `${GATEWAY}&node=${fingerprintOf({ ...NODE, webhookPath: 'ffff' })}`],
	['of another n8n', `${GATEWAY}&node=${fingerprintOf({ ...NODE, instanceId: 'other' })}`],
])('one %s at the same gateway is another node’s', async (_, url) => {
	expect(await see([{ url }], AT_GATEWAY)).toEqual(NOT_OWN);
});

/** In the URL of a subscription that was made with a former API key. */
const FORMER = secretOf('0a1b', 'production', 'former key');

const storedBefore = (changed: Partial<StoredSubscription> = {}): Partial<StoredSubscription> => ({
	id: 'w0',
	instanceId: NODE.instanceId,
	url: 'https://old.example/webhook/0a1b/webhook',
	listening: 'production',
	secretDigest: digestSecret(FORMER),
	...changed,
});

test.each([
	['a former address of n8n', `https://old.example/webhook/0a1b/webhook?token=${FORMER}`],
	[
		'a former gateway, with the fingerprint',
		`https://former.example/?node=${FINGERPRINT}&token=${FORMER}`,
	],
])('one at %s with the secret whose digest was stored is the node’s own', async (_, url) => {
	expect((await see([{ url }], NODE, storedBefore())).own).toEqual(['w0']);
});

test.each([
	['the stored ID at the stored URL', 'https://old.example/webhook/0a1b/webhook'],
	['another secret', 'https://old.example/webhook/0a1b/webhook?token=theirs'],
	['an empty secret', 'https://old.example/webhook/0a1b/webhook?token='],
	['the fingerprint without the secret', `https://former.example/?node=${FINGERPRINT}&token=x`],
	['the stored secret in the URL of another node', `https://a.example/b/webhook?token=${FORMER}`],
	['the stored secret somewhere else', `https://crm.example/?token=${FORMER}`],
])('one with %s is not its own', async (_, url) => {
	expect(await see([{ url }], NODE, storedBefore())).toEqual(NOT_OWN);
});

/** A workflow from a file can have any webhook ID and any static data. */
test.each([
	['hooks', 'https://crm.example/hooks/webhook?token=theirs'],
	['hooks', 'https://crm.example/api/hooks/7'],
	['incoming', 'https://crm.example/incoming/webhook'],
	['incoming', 'https://crm.example/incoming?token=theirs'],
	['incoming', 'https://crm.example/incoming/webhook?token='],
])('a node with the webhook ID %s and made-up static data does not own %s', async (path, url) => {
	const node = {
		...NODE,
		webhookPath: path,
		address: `https://n8n.example/webhook/${path}/webhook`,
	};
	for (const secretDigest of ['', digestSecret(''), digestSecret('guessed')])
		expect(await see([{ url }], node, storedBefore({ url, secretDigest }))).toEqual(NOT_OWN);
});

test('the exported static data of another node of this n8n do not give its webhook away', async () => {
	const secret = secretOf('ffff', 'production');
	const url = `https://n8n.example/webhook/ffff/webhook?token=${secret}`;
	const exported = { id: 'w0', secretDigest: digestSecret(secret) };
	for (const storedUrl of [url, NODE.address])
		expect(await see([{ url }], NODE, storedBefore({ ...exported, url: storedUrl }))).toEqual(
			NOT_OWN,
		);
});

test('a subscription that another n8n or node stored, or for test events, is not used', () => {
	const known = (changed: Partial<StoredSubscription>, node = NODE) =>
		targetOf(node, storedBefore(changed)).stored?.id;
	expect(known({})).toBe('w0');
	expect(known({ instanceId: 'other' })).toBeUndefined();
	expect(known({ url: 'https://n8n.example/webhook/ffff/webhook' })).toBeUndefined();
	expect(known({ url: 'https://n8n.example/webhook/ffff0a1b/webhook' })).toBeUndefined();
	expect(known({}, { ...NODE, listening: 'test' })).toBeUndefined();
});

test.each([
	['own', null],
	['own', 'ME'],
	['of another user', 'colleague'],
])('a subscription at the node’s address is %s if its owner is %s', async (whose, ownerId) => {
	const webhooks = [NODE.address, testUrl('ffff')].map((url) => ({ url, ownerId }));
	const expected = whose === 'own' ? { own: ['w0'], leftovers: ['w1'] } : NOT_OWN;
	expect(await see(webhooks)).toEqual(expected);
});

function testUrl(path: string, secret = secretOf(path, 'test')): string {
	return `https://n8n.example/webhook-test/${path}/webhook?until=2026-01-01T00:00:00Z&token=${secret}`;
}

test('test subscriptions of all nodes of this n8n are recognised by their secrets', async () => {
	const webhooks = [{ url: testUrl('0a1b') }, { url: testUrl('ffff') }];
	expect(await see(webhooks)).toEqual({ ...NOT_OWN, leftovers: ['w0', 'w1'] });
});

describe('a test subscription of this n8n', () => {
	const MINUTE = 60_000;
	const at = (minutes: number) => {
		const endpoint = { ...NODE, webhookPath: 'ffff', listening: 'test' } as const;
		const address = 'https://n8n.example/webhook-test/ffff/webhook';
		const secret = secretOf('ffff', 'test');
		return { url: subscriptionUrl({ ...endpoint, address }, secret, NOW + minutes * MINUTE) };
	};

	test.each([2, 0, -1])(
		'for which another process listens until %i minutes from now is left alone',
		async (minutes) => {
			expect(await see([at(minutes)])).toEqual(NOT_OWN);
		},
	);

	test.each([-4, 60])(
		'that says it is in use until %i minutes from now is a leftover',
		async (minutes) => {
			expect(await see([at(minutes)])).toEqual({ ...NOT_OWN, leftovers: ['w0'] });
		},
	);
});

test('a production subscription is not recognized as one for test events', async () => {
	const url = `${GATEWAY}&node=${FINGERPRINT}&token=${MINE}`;
	expect(await see([{ url }], { ...AT_GATEWAY, listening: 'test' })).toEqual(NOT_OWN);
});

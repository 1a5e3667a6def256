import type { Webhook } from '../../../../nodes/EmailIdentity/api/resources';
import { deriveSecret, digestSecret } from '../../../../nodes/EmailIdentity/trigger/secret';
import type { StoredSubscription } from '../../../../nodes/EmailIdentity/trigger/staticData';
import {
	markOf,
	type Endpoint,
} from '../../../../nodes/EmailIdentity/trigger/subscription/address';
import {
	OwnWrites,
	recognise,
	targetOf,
} from '../../../../nodes/EmailIdentity/trigger/subscription/observe';

/** No subscription that the node did not make is ever touched. */

const NODE: Endpoint = {
	instanceId: 'this-n8n',
	webhookPath: '0a1b',
	address: 'https://n8n.example/webhook/0a1b/webhook',
	deliveryUrl: '',
	name: 'Flow / Mail',
};
const GATEWAY = 'https://gateway.example/in?key=own';
const AT_GATEWAY = { ...NODE, deliveryUrl: GATEWAY };
const MARK = markOf(NODE);

const secretOf = (webhookPath: string, listening: 'production' | 'test', key = 'key') =>
	deriveSecret(key, { instanceId: NODE.instanceId, webhookPath, listening });
const MINE = secretOf('0a1b', 'production');

function see(
	webhooks: Array<Partial<Webhook>>,
	{
		node = NODE,
		stored,
		listening = 'production' as const,
		writes = new OwnWrites(),
	}: {
		node?: Endpoint;
		stored?: Partial<StoredSubscription>;
		listening?: 'production' | 'test';
		writes?: OwnWrites;
	} = {},
) {
	const known = {
		id: 'stored',
		instanceId: NODE.instanceId,
		url: NODE.address,
		listening: 'production',
		secretDigest: digestSecret(MINE),
		...stored,
	} as StoredSubscription;
	const target = targetOf(node, listening, 'key', stored && known);
	const { own, leftovers } = recognise(
		webhooks.map((webhook, index) => ({ id: `w${index}`, ...webhook }) as Webhook),
		target,
		writes,
		() => true,
	);
	return { own: own.filter(({ shown }) => shown).map(({ id }) => id), leftovers };
}

const NOT_OWN = { own: [], leftovers: [] };

test.each([
	['at its address', NODE.address],
	['at its address with any query', `${NODE.address}?token=lost&a=b`],
	['in another spelling', 'https://N8N.example:443/%77ebhook/0a1b/webhook/'],
	['at a former address with its secret', `https://old.example/x/0a1b/webhook?token=${MINE}`],
	['at the gateway of a Delivery URL that was removed', `${GATEWAY}&node=${MARK}&token=${MINE}`],
])('one %s is the node’s own', (_, url) => {
	expect(see([{ url }]).own).toEqual(['w0']);
});

test.each([
	['as it was made', `${GATEWAY}&node=${MARK}&token=${MINE}`],
	['with the secret of a former API key', `${GATEWAY}&node=${MARK}&token=former`],
	['made by hand', `${GATEWAY}&node=${MARK}`],
	['at another gateway', `https://former.example/?node=${MARK}&token=${MINE}`],
	['at n8n’s address', `${NODE.address}?token=${MINE}`],
])('with a Delivery URL, one %s is the node’s own', (_, url) => {
	expect(see([{ url }], { node: AT_GATEWAY }).own).toEqual(['w0']);
});

test.each([
	['at a longer path', `${NODE.address}/more`],
	['of another n8n', 'https://other.example/webhook/0a1b/webhook?token=theirs'],
	['on another port', 'https://n8n.example:8443/webhook/0a1b/webhook'],
	['without TLS', 'http://n8n.example/webhook/0a1b/webhook'],
	['of another node', 'https://n8n.example/webhook/ffff/webhook?token=theirs'],
	['somewhere else with the secret', `https://debug.example/?token=${MINE}`],
	['at a former gateway without the secret', `https://former.example/?node=${MARK}&token=x`],
	['for test events of another key', testUrl('ffff', secretOf('ffff', 'test', 'other'))],
	['for test events of another node', testUrl('ffff', secretOf('eeee', 'test'))],
	['without a URL', ''],
])('one %s is not its own', (_, url) => {
	expect(see([{ url }])).toEqual(NOT_OWN);
});

test.each([
	['that names no node', GATEWAY],
	['that names no node, with the secret', `${GATEWAY}&token=${MINE}`],
	['of another node', `${GATEWAY}&node=${markOf({ ...NODE, webhookPath: 'ffff' })}`],
	['of another n8n', `${GATEWAY}&node=${markOf({ ...NODE, instanceId: 'other' })}`],
])('one %s at the same gateway is another node’s', (_, url) => {
	expect(see([{ url }], { node: AT_GATEWAY })).toEqual(NOT_OWN);
});

test('the stored ID counts wherever it points, and comes first; that of another n8n or node does not', () => {
	const elsewhere = { id: 'stored', url: 'https://typing-error.example/' };
	const webhooks = [{ url: NODE.address }, elsewhere];
	expect(see(webhooks, { stored: {} }).own).toEqual(['stored', 'w0']);
	expect(see(webhooks, { stored: { instanceId: 'other' } }).own).toEqual(['w0']);
	const url = 'https://n8n.example/webhook/ffff/webhook';
	expect(see(webhooks, { stored: { url } }).own).toEqual(['w0']);
	expect(see(webhooks, { stored: {}, listening: 'test' }).own).toEqual(['w0']);
});

test('the secret of a former API key counts as long as its digest is stored', () => {
	const webhooks = [{ url: 'https://old.example/webhook/0a1b/webhook?token=former' }];
	expect(see(webhooks, { stored: { secretDigest: digestSecret('former') } }).own).toEqual(['w0']);
	expect(see(webhooks).own).toEqual([]);
});

test('an ID that this process was given counts, until it was deleted', () => {
	const writes = new OwnWrites();
	writes.wrote('made', {}, true);
	const made = [{ id: 'made', url: 'https://typing-error.example/' }];
	expect(see(made, { writes }).own).toEqual(['made']);
	writes.removed('made');
	expect(see([{ id: 'made', url: NODE.address }], { writes }).own).toEqual([]);
});

function testUrl(path: string, secret = secretOf(path, 'test')): string {
	return `https://n8n.example/webhook-test/${path}/webhook?token=${secret}`;
}

test('test subscriptions of all nodes of this n8n are told by their secrets', () => {
	const webhooks = [{ url: testUrl('0a1b') }, { url: testUrl('ffff') }];
	expect(see(webhooks)).toEqual({ ...NOT_OWN, leftovers: ['w0', 'w1'] });
});

test('one for production is never taken for one for test events', () => {
	const url = `${GATEWAY}&node=${MARK}&token=${MINE}`;
	expect(see([{ url }], { node: AT_GATEWAY, listening: 'test' })).toEqual(NOT_OWN);
});

import type { Webhook } from '../../../../nodes/EmailIdentity/api/types';
import { deriveSecret, digestSecret } from '../../../../nodes/EmailIdentity/trigger/secret';
import { recognise } from '../../../../nodes/EmailIdentity/trigger/subscription/observedState';
import { markOf } from '../../../../nodes/EmailIdentity/trigger/subscription/gateway';
import { OwnWrites } from '../../../../nodes/EmailIdentity/trigger/subscription/ownWrites';
import type { Target } from '../../../../nodes/EmailIdentity/trigger/subscription/target';
import { nodeTarget } from './nodeTarget';

const target = nodeTarget();
const mine = target.secrets.production;

const at = (url: string, id = url): Webhook => ({
	id,
	url,
	events: [],
	enabled: true,
	identityId: null,
	workspaceId: null,
	ownerId: null,
	description: null,
	createdAt: null,
	updatedAt: null,
});

const see = (webhooks: Webhook[], as: Target = target, ownWrites = new OwnWrites()) =>
	recognise(webhooks, as, 'production', ownWrites);

const idsOf = (webhooks: Webhook[]) => webhooks.map(({ id }) => id);

describe('a subscription is the node’s own', () => {
	it.each([
		['at its address', 'https://n8n.example/webhook/0a1b/webhook'],
		[
			'at its address with whatever query',
			'https://n8n.example/webhook/0a1b/webhook?token=lost&a=b',
		],
		['in another spelling of the origin', 'https://N8N.example:443/webhook/0a1b/webhook'],
		['with a slash at the end', 'https://n8n.example/webhook/0a1b/webhook/'],
		['in percent', 'https://n8n.example/%77ebhook/0a1b/webhook'],
		[
			'at a former address with its secret',
			`https://old.example/webhook/0a1b/webhook?token=${mine}`,
		],
		['under a former path with its secret', `https://n8n.example/hooks/0a1b/webhook?token=${mine}`],
	])('%s', (_, url) => {
		expect(idsOf(see([at(url)]).own)).toEqual([url]);
	});

	it('with the secret of a former API key, at an address that n8n had before', () => {
		const double = at('https://old.example/webhook/0a1b/webhook?token=former');
		const secretDigest = digestSecret('former');
		expect(see([double], nodeTarget({ secretDigest })).own).toEqual([double]);
		expect(see([double]).own).toEqual([]);
	});

	it('with the stored ID, wherever it points, and before all others', () => {
		const stored = at('https://typing-error.example/', 'stored');
		const { own } = see([at(target.address), stored], nodeTarget({}));
		expect(idsOf(own)).toEqual(['stored', target.address]);
	});

	it('with an ID that this process was given', () => {
		const ownWrites = new OwnWrites();
		ownWrites.wrote('made', {});
		const made = at('https://typing-error.example/', 'made');
		expect(see([made], target, ownWrites).own).toEqual([made]);
	});
});

describe('a subscription is someone else’s', () => {
	it.each([
		['at a longer path', 'https://n8n.example/webhook/0a1b/webhook/more'],
		[
			'at another n8n, into which the workflow was copied',
			'https://other.example/webhook/0a1b/webhook?token=theirs',
		],
		['on another port', 'https://n8n.example:8443/webhook/0a1b/webhook'],
		['without TLS', 'http://n8n.example/webhook/0a1b/webhook'],
		['of another node', 'https://n8n.example/webhook/ffff/webhook?token=theirs'],
		['somewhere else with the secret', `https://debug.example/?token=${mine}`],
		['without a URL', ''],
	])('%s', (_, url) => {
		expect(see([at(url)])).toEqual({ own: [], tests: [], neighbours: [] });
	});

	it.each([
		['another n8n', { instanceId: 'other' }],
		['another node', { url: 'https://n8n.example/webhook/ffff/webhook' }],
	])('with an ID that was stored by %s', (_, stored) => {
		expect(see([at('https://somewhere.example/', 'stored')], nodeTarget(stored)).own).toEqual([]);
	});
});

describe('a test subscription', () => {
	const secretFor = (webhookPath: string, instanceId = 'this-n8n', key = 'key') =>
		deriveSecret(key, { instanceId, webhookPath, listening: 'test' });
	const test = (webhookPath: string, secret = secretFor(webhookPath)) =>
		at(`https://n8n.example/webhook-test/${webhookPath}/webhook?token=${secret}`);

	it.each(['0a1b', 'ffff'])('of node %s of this n8n is told by its secret', (webhookPath) => {
		const webhook = test(webhookPath);
		expect(see([webhook, at(target.address)])).toEqual({
			own: [at(target.address)],
			tests: [{ webhook, webhookPath }],
			neighbours: [],
		});
	});

	it.each([
		['another n8n', test('ffff', secretFor('ffff', 'other'))],
		['another API key', test('ffff', secretFor('ffff', 'this-n8n', 'other'))],
		['another node', test('ffff', secretFor('eeee'))],
		['nobody', test('ffff', '')],
	])('of %s is not this n8n’s', (_, webhook) => {
		expect(see([webhook]).tests).toEqual([]);
	});
});

describe('at the gateway of a Delivery URL', () => {
	const GATEWAY = 'https://gateway.example/in?key=own';
	const gatewayed = nodeTarget(undefined, { deliveryUrl: GATEWAY });
	const mark = markOf(gatewayed);

	it.each([
		['as it was made', `${GATEWAY}&node=${mark}&token=${mine}`],
		['with the secret of a former API key, or none', `${GATEWAY}&node=${mark}&token=former`],
		['made by hand', `${GATEWAY}&node=${mark}`],
		["at n8n's address, before the option was added", `${target.address}?token=${mine}`],
		['at another gateway', `https://former.example/?node=${mark}&token=${mine}`],
	])('one %s is its own', (_, url) => {
		expect(idsOf(see([at(url)], gatewayed).own)).toEqual([url]);
	});

	it('one of before the option was removed is its own', () => {
		const url = `${GATEWAY}&node=${mark}&token=${mine}`;
		expect(idsOf(see([at(url)]).own)).toEqual([url]);
		expect(see([at(url)], nodeTarget(undefined, { instanceId: 'other' })).own).toEqual([]);
	});

	it.each([
		['that names no node', GATEWAY],
		["that names no node, with the node's secret", `${GATEWAY}&token=${mine}`],
		['of another node', `${GATEWAY}&node=${markOf({ ...target, webhookPath: 'ffff' })}`],
		['of another n8n', `${GATEWAY}&node=${markOf({ ...target, instanceId: 'other' })}`],
	])('one %s is someone else’s, and a neighbour', (_, url) => {
		const seen = { own: [], tests: [], neighbours: [url] };
		expect(see([at(url)], gatewayed)).toEqual(seen);
		expect(see([{ ...at(url), enabled: false }], gatewayed).neighbours).toEqual([]);
	});

	it('one at a former gateway without the secret is someone else’s', () => {
		const url = `https://former.example/?node=${mark}&token=former`;
		expect(see([at(url)], gatewayed).own).toEqual([]);
	});

	it('one for production is never taken for one for test events', () => {
		const url = `${GATEWAY}&node=${mark}&token=${mine}`;
		expect(recognise([at(url)], gatewayed, 'test', new OwnWrites()).own).toEqual([]);
	});
});

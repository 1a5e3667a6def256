import type { Webhook } from '../../../../nodes/EmailIdentity/api/types';
import {
	isSameAddress,
	recognise,
	type Marks,
} from '../../../../nodes/EmailIdentity/trigger/subscription/recognise';
import { digestSecret } from '../../../../nodes/EmailIdentity/trigger/secret';

const MARKS: Marks = {
	address: 'https://n8n.example/webhook/0a1b/webhook',
	webhookPath: '0a1b',
	secret: 'mine',
	otherSecret: 'test',
};

const at = (url: string, id = url): Webhook => ({
	id,
	url,
	events: [],
	enabled: true,
	identityId: null,
	ownerId: null,
	description: null,
	createdAt: null,
	updatedAt: null,
});

const idsOf = (webhooks: Webhook[]) => webhooks.map(({ id }) => id);

describe('a subscription is the node’s own', () => {
	it.each([
		['at its address', 'https://n8n.example/webhook/0a1b/webhook'],
		[
			'at its address with whatever query',
			'https://n8n.example/webhook/0a1b/webhook?token=lost&a=b',
		],
		['in another spelling of the origin', 'https://N8N.example:443/webhook/0a1b/webhook'],
		['at a former address with its secret', 'https://old.example/webhook/0a1b/webhook?token=mine'],
		['under a former path with its secret', 'https://n8n.example/hooks/0a1b/webhook?token=mine'],
	])('%s', (_, url) => {
		expect(idsOf(recognise([at(url)], MARKS).own)).toEqual([url]);
	});

	it('with the secret of a former API key, at an address that n8n had before', () => {
		const double = at('https://old.example/webhook/0a1b/webhook?token=former');
		const storedDigest = digestSecret('former');
		expect(recognise([double], { ...MARKS, storedDigest }).own).toEqual([double]);
		expect(recognise([double], MARKS).own).toEqual([]);
	});

	it('with the stored ID, wherever it points, and before all others', () => {
		const stored = at('https://typing-error.example/', 'stored');
		const { own } = recognise([at(MARKS.address), stored], { ...MARKS, storedId: 'stored' });
		expect(idsOf(own)).toEqual(['stored', MARKS.address]);
	});
});

describe('a subscription is someone else’s', () => {
	it.each([
		['at a longer path', 'https://n8n.example/webhook/0a1b/webhook/more'],
		['at a path with a slash more', 'https://n8n.example/webhook/0a1b/webhook/'],
		[
			'at another n8n, into which the workflow was copied',
			'https://other.example/webhook/0a1b/webhook?token=theirs',
		],
		['on another port', 'https://n8n.example:8443/webhook/0a1b/webhook'],
		['without TLS', 'http://n8n.example/webhook/0a1b/webhook'],
		['of another node', 'https://n8n.example/webhook/ffff/webhook?token=theirs'],
		['somewhere else with the secret', 'https://debug.example/?token=mine'],
		['without a URL', ''],
	])('%s', (_, url) => {
		expect(recognise([at(url)], MARKS)).toEqual({ own: [], other: [] });
	});
});

it('test subscriptions of the node are told apart', () => {
	const test = at('https://n8n.example/webhook-test/0a1b/webhook?token=test');
	expect(recognise([test, at(MARKS.address)], MARKS)).toEqual({
		own: [at(MARKS.address)],
		other: [test],
	});
});

it('two texts that are no URLs are not the same address', () => {
	expect(isSameAddress('', '')).toBe(false);
});

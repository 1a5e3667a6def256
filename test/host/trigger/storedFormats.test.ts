import { EmailIdentity } from '../../../nodes/EmailIdentity/EmailIdentity.node';
import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';
import { deriveSecret } from '../../../nodes/EmailIdentity/shared/secret';
import { subscriptionUrl } from '../../../nodes/EmailIdentity/trigger/webhooks/subscriptionUrl';
import type { Sandbox } from '../../../sandbox';
import { received, startDeliveryHost } from './delivery/support/deliveries';
import { forOne, identityOf, setTheScene, type Scene } from './subscription/support/scene';

/** What services and databases of users contain. If a test fails, an update of the package has the effect that its name says. */

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

const API_KEY = 'sk_golden';
const SCOPE = { instanceId: 'n8n-1', webhookPath: 'w-1', listening: 'production' } as const;
const SECRET = 'Ro2adPIaM_FgQzNqQcT3xe2ZnOGt_7hiHQqDzYmjSLs';
const ADDRESS = 'https://n8n.example/webhook/w-1/webhook';

const urlWith = (deliveryUrl: string) =>
	subscriptionUrl({ ...SCOPE, address: ADDRESS, deliveryUrl, name: 'Flow / Mail' }, SECRET);

test('with other secrets, deliveries are refused until the next start rewrites every URL', () => {
	expect(deriveSecret(API_KEY, SCOPE)).toBe(SECRET);
	expect(urlWith('')).toBe(`${ADDRESS}?token=${SECRET}`);
});

test('with other secrets for test events, webhooks that a crash left behind stay for ever', () => {
	expect(deriveSecret(API_KEY, { ...SCOPE, listening: 'test' })).toBe(
		'Qp3JffEPYwXwOyWHjj6BeVOtyYvQACs_VDTM03ht3Bw',
	);
});

test('with another fingerprint, webhooks at a gateway are not found again, and stay beside new ones', () => {
	expect(urlWith('https://gateway.example/in')).toBe(
		`https://gateway.example/in?node=UTEohtiUUEmayZgN&token=${SECRET}`,
	);
});

test('with another name or version of a node, n8n does not find it in stored workflows', () => {
	expect(new EmailIdentityTrigger().description).toMatchObject({
		name: 'emailIdentityTrigger',
		version: 2,
		credentials: [{ name: 'emailIdentityApi' }],
	});
	expect(new EmailIdentity().description).toMatchObject({ name: 'emailIdentity', version: 1 });
});

test('with another URL of the node, n8n answers 404 to deliveries until the next start', () => {
	expect(new EmailIdentityTrigger().description.webhooks).toMatchObject([
		{ name: 'default', httpMethod: 'POST', path: 'webhook' },
	]);
});

test('with other names in static data, what n8n stored before is lost', async () => {
	const parameters = forOne(identityOf(sandbox, 'email').id);
	const { subscription } = (await scene.create({ parameters })).staticData;
	expect(Object.keys(subscription as object).sort()).toEqual(
		'id identity instanceId listening ownerId restriction secretDigest url workspaceId'.split(' '),
	);
});

describe('with static data of an earlier version', () => {
	const start = async (options = {}) =>
		await startDeliveryHost(
			{ options },
			{
				webhookId: SCOPE.webhookPath,
				instanceId: SCOPE.instanceId,
				staticData: {
					subscription: {
						id: 's-1',
						instanceId: SCOPE.instanceId,
						url: ADDRESS,
						ownerId: 'o-1',
						workspaceId: null,
						secretDigest: 'INYehilLLm9xeXentvKiFHD1KfiOIP0f8YTrdZlupSM',
						listening: 'production',
					},
					// The ID of the first email, the bytes of the second one, and the Message-ID of both.
					seen: { 498_000: 'M2A5wdWs', 498_001: 'z9lZdewoMi6YRFbM' },
				},
			},
		);

	const outcomeOf = async (host: Awaited<ReturnType<typeof start>>, id: string, trace: string) => {
		const answer = await host.post(received(id, { trace }), { url: `${host.url}?token=${SECRET}` });
		return (await answer.json()) as unknown;
	};

	test('read in another way, deliveries are refused after a change of the API key', async () => {
		expect(await outcomeOf(await start(), 'new', 'new')).toEqual({ status: 'started' });
	});

	test('read in another way, repeats of earlier emails start the workflow again', async () => {
		const host = await start();
		const duplicate = { status: 'ignored', reason: 'duplicate' };
		expect(await outcomeOf(host, 'by-id', 'new')).toEqual(duplicate);
		expect(await outcomeOf(host, 'new', 'by-bytes')).toEqual(duplicate);
		const byMessageId = await start({ ignoreDuplicates: 'sameMessageId' });
		expect(await outcomeOf(byMessageId, 'new', 'new')).toEqual(duplicate);
	});
});

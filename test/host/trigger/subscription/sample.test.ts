import type { Sandbox } from '../../../../sandbox';
import { setTheScene, TEST, type Call, type Scene } from './support/scene';

const SAMPLE: Call = { parameters: { useSampleEmail: true } };
const NOWHERE: Call = { ...TEST, ...SAMPLE, webhookTestBaseUrl: 'http://127.0.0.1:1/webhook-test' };

let sandbox: Sandbox;
let scene: Scene;

setTheScene((fresh) => ({ sandbox, scene } = fresh));

test('Use Sample Email in an n8n that does not reach itself fails at once, and says what else to do', async () => {
	expect(await scene.failure(NOWHERE)).toMatch(
		/http:\/\/127\.0\.0\.1:1, .*cannot reach.* 'set mock data'/,
	);
	expect(sandbox.requests()).toEqual([]);
});

test('Use Sample Email fails when something other than the node answers at its URL', async () => {
	const there = { webhookTestBaseUrl: `${sandbox.baseUrl}/webhook-test` };
	expect(await scene.failure({ ...NOWHERE, ...there })).toMatch(/cannot reach/);
});

test('publishing with Use Sample Email creates a subscription', async () => {
	await scene.create(SAMPLE);
	expect(sandbox.webhooks()).toMatchObject([{ enabled: true }]);
});

test('a test event after a sample email, for which n8n called no delete, leaves no subscription behind', async () => {
	const { baseUrl, accounts } = sandbox;
	const there: Call = {
		webhookTestBaseUrl: `${baseUrl}/webhook-test`,
		credential: { baseUrl, apiKey: accounts.owner.apiKey, allowPrivateWebhookUrls: true },
	};
	// What n8n answers to itself at its test address.
	const answer = { type: 'status', status: 200, body: { status: 'ready' } } as const;
	sandbox.addFault({ path: '/webhook-test/*/webhook', answer });
	await scene.create({ ...TEST, ...SAMPLE, ...there });
	await sandbox.waitForRequest(({ body }) => body.includes('send'));

	await scene.create({ ...TEST, ...there });
	expect(sandbox.webhooks()).toHaveLength(1);
	await scene.remove({ isTest: true, ...there });
	expect(sandbox.webhooks()).toEqual([]);
});

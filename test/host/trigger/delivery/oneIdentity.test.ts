import { forgetLook, noteLook } from '../../../../nodes/EmailIdentity/trigger/restriction';
import {
	deriveSecret,
	withSecret,
	type SecretScope,
} from '../../../../nodes/EmailIdentity/trigger/secret';
import { startSandbox, type Sandbox } from '../../../../sandbox';
import { forOne, onlyWebhook, startScene, WEBHOOK_ID } from '../subscription/scene';
import { INSTANCE, mail, startDeliveryHost, type DeliveryHost } from './deliveries';

/** Services were seen to deliver everybody's mail to a subscription whose identity was deleted. */

let sandbox: Sandbox;
let host: DeliveryHost | undefined;
let nodes = 0;

beforeAll(async () => {
	sandbox = await startSandbox({ dialect: 'observed' });
});

afterAll(async () => {
	await sandbox.stop();
});

beforeEach(() => {
	sandbox.clearFaults();
	sandbox.setOddities({});
	sandbox.clearRecordings();
});

afterEach(async () => {
	await host?.stop();
	sandbox.replaceState({ webhooks: [] });
});

const identityOf = (value: string) => {
	const found = sandbox.accounts.owner.identities.find((identity) => identity.value === value);
	return found ?? sandbox.addIdentity({ value, kind: value.includes('@') ? 'email' : 'domain' });
};

/** An active node with its subscription, as an activation leaves them. */
async function start(value: string, { stores = true, isRestricted = true } = {}) {
	const { id: identityId } = identityOf(value);
	const isForDomain = !value.includes('@');
	const webhookId = `one-identity-${++nodes}`;
	const scope: SecretScope = {
		instanceId: INSTANCE,
		webhookPath: webhookId,
		listening: 'production',
	};
	const secret = deriveSecret(sandbox.accounts.owner.apiKey, scope);
	const webhook = sandbox.addWebhook({
		url: withSecret('https://n8n.example/webhook', secret),
		identityId: isRestricted && !isForDomain ? identityId : null,
	});
	host = await startDeliveryHost(
		{ receiveFor: 'one', identityId: { __rl: true, mode: 'id', value: identityId } },
		{
			webhookId,
			credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.accounts.owner.apiKey },
			staticData: {
				subscription: {
					id: webhook.id,
					instanceId: INSTANCE,
					listening: 'production',
					...(stores && { identityId, identityValue: value, isForDomain }),
				},
			},
		},
	);
	return { webhook, scope };
}

interface Letter {
	deliveredTo?: string;
	header?: string;
	to?: string;
}

let letters = 0;

async function deliver(
	{ deliveredTo, header, to = 'undisclosed-recipients:;' }: Letter,
	instanceId = INSTANCE,
) {
	const id = `m-${++letters}`;
	const rawEmail = `${header === undefined ? '' : `${header}\r\n`}${mail({ to, messageId: `<${id}@a.b>` })}`;
	const message = { id, ...(deliveredTo !== undefined && { deliveredTo }) };
	const { apiKey } = sandbox.accounts.owner;
	const answer = await host!.post(
		{ event: 'message.received', data: { message, rawEmail } },
		{ url: host!.urlFor({ instanceId }, apiKey) },
	);
	const body = (await answer.json()) as { status: string; reason?: string };
	return answer.status === 200 ? (body.reason ?? body.status) : answer.status;
}

const requests = () => sandbox.requests().map(({ method, path }) => `${method} ${path}`);

test.each<[string, Letter]>([
	['the address', { deliveredTo: 'sales@example.test' }],
	['the address in capitals', { deliveredTo: 'Sales@Example.TEST' }],
	['the address with a plus tag', { deliveredTo: 'sales+orders@example.test' }],
	['nobody knows whom', {}],
	['a header that says so', { header: 'Delivered-To: <sales@example.test>' }],
	[
		'the topmost of several headers',
		{ header: 'X-Original-To: sales@example.test\r\nX-Original-To: list@b.c' },
	],
])('mail to %s starts the workflow, and costs no request', async (_, letter) => {
	await start('sales@example.test');
	expect(await deliver(letter)).toBe('started');
	expect(requests()).toEqual([]);
});

test.each<[string, Letter]>([
	['what the service says', { deliveredTo: 'support@example.test' }],
	['Delivered-To', { header: 'Delivered-To: support@example.test' }],
	['Envelope-To', { header: 'Envelope-To: support@example.test' }],
	['an address that only begins like it', { deliveredTo: 'sales@example.test.evil.example' }],
])(
	'mail to somebody else by %s starts nothing where the restriction is lost',
	async (_, letter) => {
		const { scope } = await start('sales@example.test', { isRestricted: false });
		expect(await deliver(letter)).toBe('otherIdentity');
		noteLook(scope, { restriction: 'lost', identity: undefined });
		expect(await deliver(letter)).toBe('otherIdentity');
		expect(host?.started()).toEqual([]);
	},
);

const ALIAS: Letter = { deliveredTo: 'verkauf@example.test' };

test('mail to an alias starts the workflow as long as the service picks it out', async () => {
	const { webhook } = await start('sales@example.test');
	expect(await deliver(ALIAS)).toBe('started');
	expect(requests()).toEqual([`GET /webhooks/${webhook.id}`]);
	sandbox.editWebhook(webhook.id, { identityId: null });
	expect(await deliver(ALIAS)).toBe('otherIdentity');
	sandbox.addFault({ answer: { type: 'status', status: 500 } });
	expect(await deliver(ALIAS)).toBe(503);
	expect(host?.started()).toHaveLength(1);
});

test('mail to an alias starts the workflow after a check made the subscription anew', async () => {
	const scene = startScene(sandbox);
	const { apiKey } = sandbox.accounts.owner;
	const parameters = forOne(identityOf('sales@example.test').id);
	const { staticData } = await scene.create({ parameters });
	const cron = await scene.trigger({ parameters });
	sandbox.removeWebhook(onlyWebhook(sandbox).id);
	scene.clock.now += 15 * 60_000;
	await cron?.tick();
	scene.clock.now += 60_000;
	await cron?.tick();
	const { id } = onlyWebhook(sandbox);
	const instanceId = 'this-n8n';
	host = await startDeliveryHost(parameters, {
		webhookId: WEBHOOK_ID,
		instanceId,
		credential: { baseUrl: sandbox.baseUrl, apiKey },
		staticData,
	});
	sandbox.clearRecordings();
	expect(await deliver(ALIAS, instanceId)).toBe('started');
	expect(requests()).toEqual([`GET /webhooks/${id}`]);
	// As a process that only takes deliveries has it.
	forgetLook({ instanceId, webhookPath: WEBHOOK_ID, listening: 'production' });
	expect(await deliver(ALIAS, instanceId)).toBe('started');
	sandbox.editWebhook(id, { identityId: null });
	expect(await deliver(ALIAS, instanceId)).toBe('otherIdentity');
});

test('mail to an alias starts the workflow where the service shows no single subscriptions', async () => {
	const { webhook } = await start('sales@example.test');
	sandbox.setOddities({ hidesSingle: true });
	expect(await deliver(ALIAS)).toBe('started');
	sandbox.editWebhook(webhook.id, { url: 'https://n8n.example/webhook?token=***' });
	expect(await deliver(ALIAS)).toBe('started');
	sandbox.editWebhook(webhook.id, { identityId: null });
	expect(await deliver(ALIAS)).toBe('otherIdentity');
});

test('mail to an alias is put off while the service shows no such subscription', async () => {
	const { webhook } = await start('sales@example.test');
	sandbox.removeWebhook(webhook.id);
	sandbox.addWebhook({ url: 'https://n8n.example/webhook?token=of-somebody' });
	expect(await deliver(ALIAS)).toBe(503);
});

test('mail to an alias starts the workflow where the service tells of no subscription what it is restricted to', async () => {
	const { webhook } = await start('sales@example.test');
	const untold = (shown: object) => ({ ...shown, identityId: undefined });
	sandbox.setOddities({ show: untold });
	expect(await deliver(ALIAS)).toBe('started');
	sandbox.setOddities({ show: untold, hidesSingle: true });
	expect(await deliver(ALIAS)).toBe('started');
	// Restricted ones are told, so that this one is not.
	sandbox.addWebhook({ url: 'https://crm.example/hook', identityId: webhook.identityId });
	sandbox.setOddities({ show: (shown) => (shown.id === webhook.id ? untold(shown) : shown) });
	expect(await deliver(ALIAS)).toBe('otherIdentity');
});

test('an email that nobody knows for whom it is starts nothing while the restriction is lost, and is not forgotten', async () => {
	const { scope } = await start('sales@example.test', { isRestricted: false });
	noteLook(scope, { restriction: 'lost', identity: undefined });
	expect(await deliver({})).toBe(503);
	expect(await deliver({ deliveredTo: 'sales@example.test' })).toBe('started');
	letters -= 2;
	noteLook(scope, { restriction: 'held', identity: undefined });
	expect(await deliver({})).toBe('started');
});

test('while the identity is gone everything is refused', async () => {
	const { scope } = await start('sales@example.test', { isRestricted: false });
	noteLook(scope, { restriction: 'gone', identity: undefined });
	expect(await deliver({})).toBe(503);
	expect(await deliver({ deliveredTo: 'sales@example.test' })).toBe(503);
	expect(host?.started()).toEqual([]);
});

test.each<[string, Letter, string]>([
	['an address in it', { deliveredTo: 'anybody+tag@EXAMPLE.test' }, 'started'],
	['an address in another one', { deliveredTo: 'sales@pending.test' }, 'otherIdentity'],
	['an address in a subdomain', { deliveredTo: 'sales@mail.example.test' }, 'otherIdentity'],
	['an address in one that ends so', { deliveredTo: 'sales@notexample.test' }, 'otherIdentity'],
	['one in To, where nothing else tells', { to: 'Ada <ada@example.test>' }, 'started'],
	['somebody in To, where nothing else tells', { to: 'ada@elsewhere.test' }, 'otherIdentity'],
	[
		'somebody else, with one in To',
		{ deliveredTo: 'a@b.c', to: 'ada@example.test' },
		'otherIdentity',
	],
])('for a domain, mail to %s: %s', async (_, letter, outcome) => {
	await start('example.test');
	expect(await deliver(letter)).toBe(outcome);
	// Once it is to start, the output's recipient is looked for, and then nothing but the identities tell.
	const isUntold = outcome === 'started' && letter.deliveredTo === undefined;
	expect(requests()).toEqual(isUntold ? ['GET /identities'] : []);
});

test('a domain is the same in both of its spellings', async () => {
	await start('bücher.example');
	expect(await deliver({ deliveredTo: 'info@xn--bcher-kva.example' })).toBe('started');
});

test('before n8n saved the identity it is asked for, and one that is missing starts nothing', async () => {
	await start('sales@example.test', { stores: false });
	expect(await deliver({ deliveredTo: 'sales@example.test' })).toBe('started');
	const { id } = identityOf('sales@example.test');
	expect(requests()).toContain(`GET /identities/${id}`);
	const state = sandbox.dumpState();
	sandbox.removeIdentity(id);
	expect(await deliver({ deliveredTo: 'sales@example.test' })).toBe(503);
	sandbox.replaceState({ identities: state.identities });
	expect(host?.started()).toHaveLength(1);
});

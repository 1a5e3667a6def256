import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { N8n, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import type { Sandbox, StoredWebhook } from '../../sandbox';
import { ADDRESS, CREDENTIAL_TYPE, credentialData, deploy } from './support/deployment';
import { addForeign, foreignOf } from './support/foreignSubscriptions';
import { sendMail } from './support/sendMail';
import {
	createTriggerWorkflow,
	subscriptionOf,
	subscriptionsOf,
	testSubscriptions,
	TRIGGER,
} from './support/triggers';

const QUIET = { options: { checkEvery: 0 } };

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;
let foreign: StoredWebhook[];

beforeAll(async () => {
	n8n = await N8n.shared();
	({ sandbox, credential } = await deploy(n8n, 'observed'));
});

afterAll(async () => {
	await sandbox?.stop();
});

beforeEach(async () => {
	workflow = await createTriggerWorkflow(n8n, credential);
	foreign = addForeign(sandbox, n8n, workflow);
});

afterEach(async () => {
	expect(foreignOf(sandbox, foreign)).toEqual(foreign);
	await n8n.workflows.delete(workflow.id);
	expect(foreignOf(sandbox, foreign)).toEqual(foreign);
	for (const { id } of sandbox.webhooks()) sandbox.removeWebhook(id);
});

const activate = async () => {
	await n8n.workflows.activate(workflow.id);
	return subscriptionOf(sandbox, workflow);
};

/** Saves a changed trigger; on 2.x a change takes effect when it is published. */
const edit = async (changes: Parameters<N8n['workflows']['updateNode']>[2]) => {
	await n8n.workflows.updateNode(workflow.id, TRIGGER, changes);
	if (n8n.line === '2') await n8n.workflows.activate(workflow.id);
};

const mail = async (subject: string) =>
	await sendMail(sandbox.smtpPort, { from: 'a@example.org', to: ADDRESS, subject, text: 'Hello' });

const noTestIsLeft = async () =>
	await until(() => testSubscriptions(sandbox).length === 0, {
		describe: 'the test subscription is gone',
	});

it('resumes in two requests what it paused itself, also if the list shows it enabled', async () => {
	const { id } = await activate();
	await n8n.workflows.deactivate(workflow.id);
	// As a list does that lags: for n8n there is no difference.
	sandbox.editWebhook(id, { enabled: true });
	sandbox.clearRecordings();
	await n8n.workflows.activate(workflow.id);
	expect(sandbox.requests().map(({ method, path }) => `${method} ${path}`)).toEqual([
		'GET /webhooks',
		`PATCH /webhooks/${id}`,
	]);
});

it('names the workflow and the node, and keeps up with an edit', async () => {
	const before = await activate();
	expect(before.description).toBe(`n8n: On email / ${TRIGGER}`);

	const identityId = sandbox.accounts.owner.identities.find(({ value }) => value === ADDRESS)!.id;
	const locator = { __rl: true, mode: 'id', value: identityId };
	await edit({ parameters: { ...QUIET, receiveFor: 'one', identityId: locator } });
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({
		id: before.id,
		enabled: true,
		identityId,
	});

	await edit({ parameters: QUIET });
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({
		id: before.id,
		enabled: true,
		identityId: null,
	});
});

it('survives the renaming of its node, which loses its static data', async () => {
	const { id, url } = await activate();
	await edit({ name: 'Renamed' });
	expect(sandbox.webhooks().filter((webhook) => webhook.url === url)).toEqual([
		expect.objectContaining({ id, enabled: true, description: 'n8n: On email / Renamed' }),
	]);
});

it('is paused by archiving', async () => {
	const { id } = await activate();
	await n8n.workflows.archive(workflow.id);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id, enabled: false });
});

it('is not shared with a duplicate', async () => {
	const original = await activate();
	const { name, nodes, connections } = await n8n.workflows.get(workflow.id);
	const duplicate = await n8n.workflows.create({
		name: `${name} copy`,
		connections,
		nodes: nodes.map((node) =>
			node.webhookId ? { ...node, id: randomUUID(), webhookId: randomUUID() } : node,
		),
	});
	await n8n.workflows.activate(duplicate.id);
	expect(subscriptionOf(sandbox, duplicate)).toMatchObject({ enabled: true });
	await n8n.workflows.delete(duplicate.id);
	expect(subscriptionOf(sandbox, duplicate)).toMatchObject({ enabled: false });
	expect(subscriptionOf(sandbox, workflow)).toEqual(original);
});

it('leaves the account that the credential no longer belongs to', async () => {
	const { id } = await activate();
	const other = await n8n.credentials.create(CREDENTIAL_TYPE, {
		...credentialData(sandbox),
		apiKey: sandbox.accounts.other.apiKey,
	});
	await edit({ credentials: { [CREDENTIAL_TYPE]: other } });
	const [former, present] = subscriptionsOf(sandbox, workflow).sort((one) =>
		one.id === id ? -1 : 1,
	);
	expect(former).toMatchObject({ id, enabled: false, ownerId: sandbox.accounts.owner.userId });
	expect(present).toMatchObject({ enabled: true, ownerId: sandbox.accounts.other.userId });
});

it('takes the place of one that was meddled with, and removes surplus ones', async () => {
	const { id, ...fields } = await activate();
	await n8n.workflows.deactivate(workflow.id);
	sandbox.addWebhook({ ...fields, id: randomUUID() });
	sandbox.editWebhook(id, {
		events: ['message.sent'],
		url: fields.url.replace(/\?.*/, '?token=x'),
	});
	const { enabled, events, url } = await activate();
	expect({ enabled, events, url }).toEqual({
		enabled: true,
		events: ['message.received'],
		url: fields.url,
	});
});

it('says which address cannot be delivered to, and what to set, before any request', async () => {
	const strict = await n8n.credentials.create(CREDENTIAL_TYPE, {
		...credentialData(sandbox),
		allowPrivateWebhookUrls: false,
	});
	await n8n.workflows.updateNode(workflow.id, TRIGGER, {
		credentials: { [CREDENTIAL_TYPE]: strict },
	});
	sandbox.clearRecordings();
	const reason = new RegExp(`http://127\\.0\\.0\\.1:${n8n.port}.*WEBHOOK_URL`);
	await expect(n8n.workflows.activate(workflow.id)).rejects.toThrow(reason);
	expect(sandbox.requests(({ method }) => method !== 'GET')).toEqual([]);
});

describe('listening for a test event', () => {
	it('leaves nothing behind before the workflow was ever active', async () => {
		await n8n.workflows.listen(workflow.id, TRIGGER);
		expect(testSubscriptions(sandbox)).toEqual([
			expect.objectContaining({ enabled: true, description: `[Test] n8n: On email / ${TRIGGER}` }),
		]);
		await mail('Before');
		await n8n.executions.atLeast(workflow.id, 1);
		await noTestIsLeft();
		expect(subscriptionsOf(sandbox, workflow)).toEqual([]);
	});

	it('leaves the production subscription as it is, active and paused', async () => {
		for (const end of [async () => {}, () => n8n.workflows.deactivate(workflow.id)]) {
			await activate();
			await end();
			const production = subscriptionOf(sandbox, workflow);
			const cancel = await n8n.workflows.listen(workflow.id, TRIGGER);
			expect(testSubscriptions(sandbox)).toHaveLength(1);
			expect(subscriptionOf(sandbox, workflow)).toEqual(production);
			await cancel();
			await noTestIsLeft();
			expect(subscriptionOf(sandbox, workflow)).toEqual(production);
		}
	});

	it('uses one subscription for two people, and leaves none', async () => {
		await n8n.workflows.listen(workflow.id, TRIGGER);
		const cancel = await n8n.workflows.listen(workflow.id, TRIGGER);
		expect(testSubscriptions(sandbox)).toHaveLength(1);
		await cancel();
		await noTestIsLeft();
	});
});

it('a workflow that is deactivated while the service is down is inactive; the log says so, and its subscription starts nothing', async () => {
	const { id } = await activate();
	await sandbox.goDown();
	const mark = n8n.log.mark();
	await n8n.workflows.deactivate(workflow.id);
	expect((await n8n.workflows.get(workflow.id)).active).toBe(false);
	expect(n8n.log.text(mark)).toContain('On email');
	expect(n8n.log.text(mark)).not.toContain(sandbox.accounts.owner.apiKey);

	await sandbox.comeBack();
	await mail('While switched off');
	await sandbox.deliveriesSettled();
	expect(await n8n.executions.list(workflow.id)).toEqual([]);
	expect(await activate()).toMatchObject({ id, enabled: true });
});

it('a service that crashes before it was done delivers again, and the workflow starts once', async () => {
	const { id } = await activate();
	// Another receiver never answers: the service waits for it.
	const stuck = createServer().listen(0, '127.0.0.1');
	const reached = once(stuck, 'request');
	await once(stuck, 'listening');
	const { port } = stuck.address() as AddressInfo;
	const other = sandbox.addWebhook({ url: `http://127.0.0.1:${port}/` });
	sandbox.clearRecordings();

	await mail('Twice');
	await reached;
	await sandbox.crash();
	stuck.closeAllConnections();
	stuck.close();
	sandbox.removeWebhook(other.id);
	await sandbox.comeBack();
	await sandbox.deliveriesSettled();

	const ownDeliveries = sandbox.deliveries(({ webhookId }) => webhookId === id);
	expect(ownDeliveries.map(({ status }) => status)).toEqual([200, 200]);
	expect(await n8n.executions.atLeast(workflow.id, 1)).toHaveLength(1);
});

it('restores while active what someone deleted in the service', async () => {
	await n8n.workflows.updateNode(workflow.id, TRIGGER, {
		parameters: { options: { checkEvery: 1 } },
	});
	const { id, ...fields } = await activate();
	sandbox.removeWebhook(id);
	await until(() => subscriptionsOf(sandbox, workflow).length > 0, {
		describe: 'the deleted subscription is there again',
		timeout: 170_000,
	});
	const { url, events, enabled, ownerId } = fields;
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ url, events, enabled, ownerId });
	await mail('After the repair');
	await n8n.executions.atLeast(workflow.id, 1);
});

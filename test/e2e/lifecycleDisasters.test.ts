import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { N8n, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import type { Sandbox, StoredWebhook } from '../../sandbox';
import { CREDENTIAL_TYPE, credentialData, deploy } from './support/deployment';
import { addForeign, foreignOf } from './support/foreignSubscriptions';
import {
	createTriggerWorkflow,
	subscriptionOf,
	testSubscriptions,
	TRIGGER,
} from './support/triggers';

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;
let foreign: StoredWebhook[];

beforeAll(async () => {
	// 2.x takes up what a crash interrupted when the lease on it has ended, after two minutes by default.
	n8n = await N8n.start({ environment: { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10' } });
	({ sandbox, credential } = await deploy(n8n, 'contract'));
});

afterAll(async () => {
	await sandbox?.stop();
	await n8n?.stop();
});

beforeEach(async () => {
	workflow = await createTriggerWorkflow(n8n, credential);
	foreign = addForeign(sandbox, n8n, workflow);
});

afterEach(async () => {
	sandbox.clearFaults();
	await n8n.workflows.delete(workflow.id);
	expect(foreignOf(sandbox, foreign)).toEqual(foreign);
	for (const { id } of sandbox.webhooks()) sandbox.removeWebhook(id);
});

const own = () => sandbox.webhooks().filter(({ id }) => !foreign.some((other) => other.id === id));

const isRight = () => {
	const [only, ...surplus] = own();
	return only?.enabled === true && surplus.length === 0 && only.url.startsWith(n8n.url);
};

it.each(['before', 'after'] as const)(
	'n8n that was killed %s the service made the subscription has one when it is back',
	async (moment) => {
		// Longer than it takes to kill n8n, shorter than it takes to start it.
		const delay = moment === 'before' ? { delayBefore: 3_000 } : { delayAfter: 3_000 };
		sandbox.addFault({ method: 'POST', path: '/webhooks', count: 1, ...delay });
		const activation = n8n.workflows.activate(workflow.id).catch((error: Error) => error);
		await until(
			() => (moment === 'before' ? sandbox.listFaults()[0]?.count === 0 : own().length === 1),
			{
				describe: 'the service is creating the subscription',
			},
		);
		await n8n.kill();
		await n8n.restart();
		await activation;
		await until(isRight, { describe: 'exactly one right subscription is there', timeout: 60_000 });
	},
);

it('test subscriptions that a crash left behind go when n8n comes back, also of what was never published', async () => {
	const draft = await createTriggerWorkflow(n8n, credential);
	await n8n.workflows.activate(workflow.id);
	await n8n.workflows.listen(workflow.id, TRIGGER);
	await n8n.workflows.listen(draft.id, TRIGGER);
	expect(testSubscriptions(sandbox)).toHaveLength(2);
	await n8n.kill();
	await n8n.restart();
	await until(() => testSubscriptions(sandbox).length === 0, {
		describe: 'the test subscriptions are gone',
	});
	expect(isRight()).toBe(true);
	await n8n.workflows.delete(draft.id);
});

it('an outage of the service while n8n starts costs no delivery and no subscription', async () => {
	await n8n.workflows.activate(workflow.id);
	const before = subscriptionOf(sandbox, workflow);
	await sandbox.goDown();
	const mark = n8n.log.mark();
	await n8n.restart();
	await until(() => n8n.log.text(mark).includes('could not be checked'), {
		describe: 'the log says that the check failed',
		timeout: 60_000,
	});
	await sandbox.comeBack();
	expect((await n8n.workflows.get(workflow.id)).active).toBe(true);
	expect(subscriptionOf(sandbox, workflow)).toEqual(before);
	const response = await fetch(before.url, {
		method: 'POST',
		body: JSON.stringify({
			event: 'message.received',
			data: { message: { id: 'during-the-outage' }, rawEmail: 'Subject: Hello\r\n\r\nHello' },
		}),
	});
	expect(response.status).toBe(200);
	await n8n.executions.atLeast(workflow.id, 1);
});

it('an answer that was lost makes no second subscription', async () => {
	sandbox.addFault({
		method: 'POST',
		path: '/webhooks',
		count: 1,
		acts: true,
		answer: { type: 'drop' },
	});
	await n8n.workflows.activate(workflow.id);
	expect(own()).toHaveLength(1);
	expect(isRight()).toBe(true);
});

it('a second n8n, into which the workflow was imported with its static data, makes its own', async () => {
	await n8n.workflows.activate(workflow.id);
	const first = subscriptionOf(sandbox, workflow);
	const second = await N8n.start();
	try {
		const ownCredential = await second.credentials.create(CREDENTIAL_TYPE, credentialData(sandbox));
		await second.pause();
		await importInto(second, await n8n.workflows.get(workflow.id));
		await second.restart();
		await second.workflows.updateNode(workflow.id, TRIGGER, {
			credentials: { [CREDENTIAL_TYPE]: ownCredential },
		});
		await second.workflows.activate(workflow.id);
		expect(own()).toHaveLength(2);
		expect(own()).toContainEqual(first);
		expect(own().filter(({ url }) => url.startsWith(second.url))).toEqual([
			expect.objectContaining({ enabled: true }),
		]);
		await second.workflows.deactivate(workflow.id);
		expect(own()).toContainEqual(first);
	} finally {
		await second.stop();
	}
});

/** As an operator moves workflows between n8n. */
async function importInto(target: N8n, stored: StoredWorkflow): Promise<void> {
	const file = join(target.userFolder, 'workflow.json');
	const { id, name, nodes, connections, settings, staticData } = stored;
	expect(JSON.stringify(staticData)).toContain('instanceId');
	const exported = { id, name, nodes, connections, settings, staticData, active: false };
	await writeFile(file, JSON.stringify([exported]));
	const output = await target.command(['import:workflow', `--input=${file}`]);
	expect(output).not.toContain('An error occurred');
}

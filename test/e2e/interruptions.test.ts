import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { N8n, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import type { Sandbox, StoredWebhook } from '../../sandbox';
import { ADDRESS, CREDENTIAL_TYPE, credentialData, deploy } from './support/deployment';
import { addForeign, foreignOf } from './support/foreignSubscriptions';
import { sendMail } from './support/sendMail';
import {
	createTriggerWorkflow,
	startedWith,
	subscriptionOf,
	testSubscriptions,
	TRIGGER,
	untilRegistered,
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

/** Sends an email, and expects the workflow to have started for all these subjects. */
const mailStarts = async (subject: string, before: string[] = []) => {
	await untilRegistered(n8n, workflow);
	await sendMail(sandbox.smtpPort, { from: 'a@example.org', to: ADDRESS, subject, text: 'Hello' });
	const executions = await n8n.executions.atLeast(workflow.id, before.length + 1);
	const subjects = executions.map((execution) => startedWith(execution).json.subject);
	expect(subjects).toEqual([...before, subject]);
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
			{ describe: 'the service is creating the subscription' },
		);
		await n8n.kill();
		await n8n.restart();
		await activation;
		await until(isRight, { describe: 'exactly one right subscription is there', timeout: 60_000 });
	},
);

it('after a crash emails start the workflow as before, and test subscriptions that were left behind go', async () => {
	const draft = await createTriggerWorkflow(n8n, credential);
	await n8n.workflows.activate(workflow.id);
	await mailStarts('Before');
	await n8n.workflows.listen(workflow.id, TRIGGER);
	await n8n.workflows.listen(draft.id, TRIGGER);
	expect(testSubscriptions(sandbox)).toHaveLength(2);
	await n8n.kill();
	await n8n.restart();
	await until(() => testSubscriptions(sandbox).length === 0, {
		describe: 'the test subscriptions are gone',
	});
	expect(isRight()).toBe(true);
	await mailStarts('After', ['Before']);
	await n8n.workflows.delete(draft.id);
});

it('an outage of the service while n8n starts costs no email and no subscription', async () => {
	await n8n.workflows.activate(workflow.id);
	const before = subscriptionOf(sandbox, workflow);
	await sandbox.goDown();
	const mark = n8n.log.mark();
	await n8n.restart();
	await until(() => n8n.log.text(mark).includes('On email'), {
		describe: 'the log says that the subscription could not be checked',
		timeout: 60_000,
	});
	await sandbox.comeBack();
	expect((await n8n.workflows.get(workflow.id)).active).toBe(true);
	expect(subscriptionOf(sandbox, workflow)).toEqual(before);
	await mailStarts('After the outage');
});

it('the subscription moves along when n8n comes back under another address', async () => {
	await n8n.workflows.activate(workflow.id);
	const { id } = subscriptionOf(sandbox, workflow);
	await n8n.restart({ WEBHOOK_URL: `http://localhost:${n8n.port}/` });
	await until(
		() => subscriptionOf(sandbox, workflow).url.startsWith(`http://localhost:${n8n.port}/`),
		{ describe: 'the subscription has the new address' },
	);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id, enabled: true });
	await mailStarts('To the new address');
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
		expect(own().filter(({ url }) => url.startsWith(second.url))).toMatchObject([
			{ enabled: true },
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

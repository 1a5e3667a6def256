import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { N8n } from './driver';
import type { StoredWorkflow } from './driver';
import { ADDRESS, deploy, DIALECTS } from './support/deployment';
import type { Deployment } from './support/deployment';
import { sendMail } from './support/sendMail';
import {
	createTriggerWorkflow,
	startedWith,
	subscriptionOf,
	untilRegistered,
} from './support/triggers';

interface ActiveDeployment extends Deployment {
	workflow: StoredWorkflow;
}

let n8n: N8n;

/** One of each dialect, so that one restart of n8n tells about all. */
let deployments: ActiveDeployment[];

beforeAll(async () => {
	n8n = await N8n.start();
});

afterAll(async () => {
	await n8n?.stop();
});

beforeEach(async () => {
	deployments = [];
	for (const dialect of DIALECTS) {
		const deployment = await deploy(n8n, dialect);
		const workflow = await createTriggerWorkflow(n8n, deployment.credential);
		deployments.push({ ...deployment, workflow });
		await n8n.workflows.activate(workflow.id);
	}
});

afterEach(async () => {
	for (const { sandbox, workflow } of deployments) {
		await n8n.workflows.delete(workflow.id);
		await sandbox.stop();
	}
});

const mail = async ({ sandbox }: Deployment, subject: string) =>
	await sendMail(sandbox.smtpPort, { from: 'a@example.org', to: ADDRESS, subject, text: 'Hello' });

it.each([
	['a restart', () => n8n.pause()],
	['a crash', () => n8n.kill()],
])('deliveries go on after %s of n8n', async (_, end) => {
	const before = deployments.map(({ sandbox, workflow }) => subscriptionOf(sandbox, workflow));
	for (const deployment of deployments) {
		await mail(deployment, 'Before');
		await n8n.executions.atLeast(deployment.workflow.id, 1);
	}

	await end();
	await n8n.restart();
	for (const deployment of deployments) {
		const { sandbox, workflow } = deployment;
		await untilRegistered(n8n, workflow);
		await mail(deployment, 'After');
		const executions = await n8n.executions.atLeast(workflow.id, 2);
		const subjects = executions.map((execution) => startedWith(execution).json.subject);
		expect(subjects).toEqual(['Before', 'After']);
		expect(before).toContainEqual(subscriptionOf(sandbox, workflow));
	}
});

it('a workflow that is deactivated while the service is down is inactive, and the log says what is left', async () => {
	for (const deployment of deployments) {
		const { sandbox, workflow } = deployment;
		const { id } = subscriptionOf(sandbox, workflow);
		await sandbox.goDown();
		const mark = n8n.log.mark();
		await n8n.workflows.deactivate(workflow.id);
		expect((await n8n.workflows.get(workflow.id)).active).toBe(false);
		expect(n8n.log.text(mark)).toMatch(/subscription could not be switched off/);
		expect(n8n.log.text(mark)).not.toContain(sandbox.accounts.owner.apiKey);

		await sandbox.comeBack();
		await mail(deployment, 'While switched off');
		await sandbox.deliveriesSettled();
		expect(await n8n.executions.list(workflow.id)).toEqual([]);

		await n8n.workflows.activate(workflow.id);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id, enabled: true });
	}
});

it('a service that crashes before it was done delivers again, and the workflow starts once', async () => {
	const deployment = deployments.find(({ sandbox }) => sandbox.dialect.repeatsAfterCrash)!;
	const { sandbox, workflow } = deployment;
	await untilRegistered(n8n, workflow);
	const { id } = subscriptionOf(sandbox, workflow);
	const ownDeliveries = () => sandbox.deliveries(({ webhookId }) => webhookId === id);
	// Somebody else's receiver, which never answers: the service hangs at it.
	const stuck = createServer().listen(0, '127.0.0.1');
	const reached = once(stuck, 'request');
	await once(stuck, 'listening');
	const { port } = stuck.address() as AddressInfo;
	const other = sandbox.addWebhook({ url: `http://127.0.0.1:${port}/` });

	await mail(deployment, 'Twice');
	await reached;
	await sandbox.crash();
	stuck.closeAllConnections();
	stuck.close();
	sandbox.removeWebhook(other.id);
	await sandbox.comeBack();
	await sandbox.deliveriesSettled();

	expect(ownDeliveries().map(({ status }) => status)).toEqual([200, 200]);
	expect(await n8n.executions.atLeast(workflow.id, 1)).toHaveLength(1);
});

it('subscriptions move along when n8n comes back under another address', async () => {
	const before = deployments.map(({ sandbox, workflow }) => subscriptionOf(sandbox, workflow).id);
	await n8n.restart({ WEBHOOK_URL: `http://localhost:${n8n.port}/` });
	for (const [index, deployment] of deployments.entries()) {
		const { sandbox, workflow } = deployment;
		await sandbox.waitForRequest(
			({ method, status }) => method === 'PATCH' && status !== null && status < 300,
		);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({
			id: before[index],
			enabled: true,
			url: expect.stringMatching(`^http://localhost:${n8n.port}/`),
		});
		await untilRegistered(n8n, workflow);
		await mail(deployment, 'To the new address');
		const [execution] = await n8n.executions.atLeast(workflow.id, 1);
		expect(startedWith(execution!).json.subject).toBe('To the new address');
	}
});

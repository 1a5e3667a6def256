import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8n, until } from './driver';
import type { StoredWorkflow } from './driver';
import { ADDRESS, deploy } from './support/deployment';
import type { Deployment } from './support/deployment';
import { Forwarder } from './support/forwarder';
import { sendMail } from './support/sendMail';
import {
	createTriggerWorkflow,
	startedWith,
	TRIGGER,
	untilRegistered,
	webhookPath,
} from './support/triggers';

let n8n: N8n;
let deployment: Deployment;
let folder: string;
let forwarder: Forwarder;
let workflow: StoredWorkflow;

beforeAll(async () => {
	n8n = await N8n.shared();
	deployment = await deploy(n8n, 'observed');
	folder = await mkdtemp(join(tmpdir(), 'forwarder-'));
});

beforeEach(async () => {
	forwarder = await Forwarder.start({ folder });
	const options = { checkEvery: 0, deliveryUrl: `${forwarder.url}/in/emails?key=own%20key` };
	workflow = await createTriggerWorkflow(n8n, deployment.credential, { options });
});

afterEach(async () => {
	await n8n.workflows.delete(workflow.id);
	await forwarder.crash();
	await rm(folder, { recursive: true, force: true });
	for (const { id } of deployment.sandbox.webhooks()) deployment.sandbox.removeWebhook(id);
});

afterAll(async () => {
	await deployment?.sandbox.stop();
});

const receiver = () => ({
	url: `${n8n.url}${webhookPath(workflow)}`,
	readiness: `${n8n.url}/healthz/readiness`,
});

const subscription = () => {
	const all = deployment.sandbox.webhooks();
	expect(all).toHaveLength(1);
	return all[0]!;
};

const mail = async (subject: string) =>
	await sendMail(deployment.sandbox.smtpPort, {
		from: 'a@example.org',
		to: ADDRESS,
		subject,
		text: 'Hello',
	});

const subjects = async (count: number) => {
	const executions = await n8n.executions.atLeast(workflow.id, count);
	return executions.map((execution) => startedWith(execution).json.subject);
};

it('emails go by way of the gateway, where n8n’s log says; the subscription is paused, resumed, and moved back', async () => {
	const mark = n8n.log.mark();
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	const { id, url } = subscription();
	expect(url).toMatch(`${forwarder.url}/in/emails?key=own%20key&node=`);
	expect(n8n.log.text(mark)).toContain(
		`hand on each delivery, with its query, to ${receiver().url}`,
	);
	expect(n8n.log.text(mark)).not.toMatch(/own%20key|token=/);

	await mail('Kept');
	await deployment.sandbox.deliveriesSettled();
	expect(await n8n.executions.list(workflow.id)).toEqual([]);
	forwarder.handOnTo(receiver());
	expect(await subjects(1)).toEqual(['Kept']);

	await n8n.workflows.deactivate(workflow.id);
	expect(subscription()).toMatchObject({ id, enabled: false });
	await n8n.workflows.activate(workflow.id);
	expect(subscription()).toMatchObject({ id, url, enabled: true });

	await n8n.workflows.updateNode(workflow.id, TRIGGER, {
		parameters: { options: { checkEvery: 0 } },
	});
	if (n8n.line === '2') await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	expect(subscription()).toMatchObject({ id, enabled: true });
	expect(subscription().url).toMatch(`${receiver().url}?token=`);
	await mail('Direct');
	expect(await subjects(2)).toEqual(['Kept', 'Direct']);
	expect(forwarder.taken).toBe(1);
});

it('a gateway that drops the query gets 401, and n8n’s log says why; set right, it brings the email after all', async () => {
	const mark = n8n.log.mark();
	await n8n.workflows.activate(workflow.id);
	// Without a secret, too; of what happens again within a minute there is one line.
	await untilRegistered(n8n, workflow);
	forwarder.handOnTo({ ...receiver(), dropsQuery: true });
	await mail('Refused at first');
	await until(() => forwarder.handedOn.length > 0, { describe: 'the email was handed on' });
	expect(forwarder.handedOn[0]?.status).toBe(401);
	expect(n8n.log.text(mark)).toMatch(/401, The secret of this address is missing: a gateway/);
	expect(await n8n.executions.list(workflow.id)).toEqual([]);

	await forwarder.crash();
	forwarder = await Forwarder.start({ folder });
	forwarder.handOnTo(receiver());
	expect(await subjects(1)).toEqual(['Refused at first']);
});

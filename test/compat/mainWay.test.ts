import type { Sandbox } from '../../sandbox';
import { N8n, until } from '../e2e/driver';
import type { CredentialReference, StoredWorkflow } from '../e2e/driver';
import { ACTION_NODE, actionOutput } from '../e2e/support/actions';
import { ADDRESS, CREDENTIAL_TYPE, credentialData, deploy } from '../e2e/support/deployment';
import { sendMail } from '../e2e/support/sendMail';
import {
	createTriggerWorkflow,
	startedWith,
	subscriptionOf,
	testSubscriptions,
	TRIGGER,
} from '../e2e/support/triggers';

/**
 * What everybody who uses the package needs, told as one story: each test goes on where the one before it ended. Small
 * enough for every n8n that is supported; all the rest is tested in two of them.
 */
const TRIGGER_NODE = 'n8n-nodes-email-identity.emailIdentityTrigger';
const CONTENT = 'item,quantity\r\nstamps,80\r\n';

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;

beforeAll(async () => {
	n8n = await N8n.start();
	({ sandbox, credential } = await deploy(n8n, 'contract'));
	workflow = await createTriggerWorkflow(n8n, credential);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

const mail = async (subject: string) =>
	await sendMail(sandbox.smtpPort, {
		from: { name: 'Zoë Sender', address: 'zoe@example.org' },
		to: ADDRESS,
		subject,
		text: 'The list is attached.',
		attachments: [{ filename: 'stock list.csv', content: CONTENT, contentType: 'text/csv' }],
	});

/** The subjects of the emails that have started the workflow so far, once there are as many as expected. */
const subjects = async (count: number) => {
	const executions = await n8n.executions.atLeast(workflow.id, count);
	return executions.map((execution) => startedWith(execution).json.subject);
};

it('loads the credential and both nodes', async () => {
	const names = async (kind: string) =>
		(await n8n.session.call<{ name: string }[]>('GET', `/types/${kind}.json`)).map(
			({ name }) => name,
		);
	expect(await names('nodes')).toEqual(expect.arrayContaining([ACTION_NODE, TRIGGER_NODE]));
	expect(await names('credentials')).toContain(CREDENTIAL_TYPE);
});

it('tests the credential', async () => {
	const data = credentialData(sandbox);
	expect(await n8n.credentials.test(CREDENTIAL_TYPE, data)).toMatchObject({ status: 'OK' });
	expect(
		await n8n.credentials.test(CREDENTIAL_TYPE, { ...data, apiKey: 'no-such-key' }),
	).toMatchObject({ status: 'Error', message: expect.stringMatching(/API key/) });
});

it('runs an operation', async () => {
	const parameters = { resource: 'identity', operation: 'getAll', returnAll: true };
	const values = (await actionOutput(n8n, credential, parameters)).map(({ value }) => value);
	expect(values).toEqual(expect.arrayContaining([ADDRESS]));
});

it('registers one subscription when the workflow is published', async () => {
	await n8n.workflows.activate(workflow.id);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ enabled: true });
	expect(sandbox.webhooks()).toHaveLength(1);
});

it('starts the workflow once for an email, with its text and its file', async () => {
	await mail('Grüße aus Köln');
	const [execution, ...others] = await n8n.executions.atLeast(workflow.id, 1);
	await sandbox.deliveriesSettled();
	expect(others).toEqual([]);
	const { json, binary } = startedWith(execution!);
	expect(json).toMatchObject({
		subject: 'Grüße aus Köln',
		text: expect.stringContaining('The list is attached.'),
		attachments: [{ fileName: 'stock list.csv', size: Buffer.byteLength(CONTENT) }],
	});
	expect(Object.values(binary ?? {})).toEqual([
		expect.objectContaining({ fileName: 'stock list.csv', mimeType: 'text/csv' }),
	]);
});

it('pauses the subscription, and resumes the same one', async () => {
	const { id } = subscriptionOf(sandbox, workflow);
	await n8n.workflows.deactivate(workflow.id);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id, enabled: false });
	await n8n.workflows.activate(workflow.id);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id, enabled: true });
	await mail('After a break');
	expect(await subjects(2)).toEqual(['Grüße aus Köln', 'After a break']);
});

it('mends at its start what happened meanwhile, and starts on emails as before', async () => {
	const { id } = subscriptionOf(sandbox, workflow);
	await n8n.pause();
	sandbox.editWebhook(id, { enabled: false });
	await n8n.restart();
	await until(() => subscriptionOf(sandbox, workflow).enabled, {
		describe: 'the subscription is resumed',
	});
	await mail('After a restart');
	expect(await subjects(3)).toEqual(['Grüße aus Köln', 'After a break', 'After a restart']);
});

it('listens for a test event, and leaves nothing behind', async () => {
	await n8n.workflows.deactivate(workflow.id);
	await n8n.workflows.listen(workflow.id, TRIGGER);
	await until(() => testSubscriptions(sandbox).length === 1, {
		describe: 'the test subscription exists',
	});
	await mail('A test');
	expect((await subjects(4)).at(-1)).toBe('A test');
	await until(() => testSubscriptions(sandbox).length === 0, {
		describe: 'the test subscription is gone',
	});
});

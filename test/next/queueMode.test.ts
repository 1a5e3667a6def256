import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import {
	itemsOf,
	until,
	type CredentialReference,
	type N8n,
	type StoredWorkflow,
} from '../e2e/driver';
import { NODE_NAME, runAction } from '../e2e/support/actions';
import { ADDRESS, deploy } from '../e2e/support/deployment';
import { sendMail } from '../e2e/support/sendMail';
import {
	createTriggerWorkflow,
	startedWith,
	subscriptionOf,
	testSubscriptions,
	TRIGGER,
	untilRegistered,
	webhookPath,
} from '../e2e/support/triggers';
import { QueueHost } from '../scale/queueHost';
import { announcedDefaults, WITH_THIS_MACHINE_ALLOWED } from '../e2e/driver/announcedDefaults';

const CONTENT = 'item,quantity\r\nstamps,80\r\n';

let storage: string;
let queue: QueueHost;
let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;

beforeAll(async () => {
	storage = await mkdtemp(join(tmpdir(), 'email-identity-files-'));
	queue = await QueueHost.start({
		helpers: ['worker'],
		environment: {
			...announcedDefaults(storage),
			...WITH_THIS_MACHINE_ALLOWED,
			// A worker names the executions that it takes in lines of this level.
			N8N_LOG_LEVEL: 'info',
		},
	});
	n8n = queue.main;
	({ sandbox, credential } = await deploy(n8n, 'observed'));
});

afterAll(async () => {
	await sandbox?.stop();
	await queue?.stop();
	if (storage) await rm(storage, { recursive: true, force: true });
});

beforeEach(async () => {
	workflow = await createTriggerWorkflow(n8n, credential);
});

afterEach(async () => {
	await n8n.workflows.delete(workflow.id);
});

const mail = async (subject: string) =>
	await sendMail(sandbox.smtpPort, {
		from: 'zoe@example.org',
		to: ADDRESS,
		subject,
		text: 'The list is attached.',
		attachments: [{ filename: 'stock list.csv', content: CONTENT, contentType: 'text/csv' }],
	});

/** An execution that the main ran itself is in no worker's log. */
const untilWorkerTook = async (executionId: string) =>
	await until(
		() => queue.helpers.some(({ log }) => log.text().includes(`execution ${executionId} `)),
		{ describe: `a worker's log names execution ${executionId}` },
	);

const contentOf = async (fileId: string | undefined) =>
	(
		await n8n.session.download(
			`/rest/binary-data?id=${encodeURIComponent(fileId ?? '')}&action=download`,
		)
	).toString();

it('starts on an email, delivered to the address that N8N_WEBHOOK_URL names, with its file', async () => {
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	const { url } = subscriptionOf(sandbox, workflow);
	expect(url.startsWith(`${queue.proxy.url}${webhookPath(workflow)}?`)).toBe(true);

	await mail('For a worker');
	const [execution] = await n8n.executions.atLeast(workflow.id, 1);
	const { json, binary } = startedWith(execution!);
	expect(json.subject).toBe('For a worker');
	expect(await contentOf(Object.values(binary ?? {})[0]?.id)).toBe(CONTENT);
	await untilWorkerTook(execution!.id);
});

it('listens for a test event, which a worker executes, and leaves nothing behind', async () => {
	await n8n.workflows.listen(workflow.id, TRIGGER);
	await until(() => testSubscriptions(sandbox).length === 1, {
		describe: 'the test subscription exists',
	});
	await mail('A test');
	const [execution] = await n8n.executions.atLeast(workflow.id, 1);
	expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
	const { json, binary } = startedWith(execution!);
	expect(json.subject).toBe('A test');
	expect(await contentOf(Object.values(binary ?? {})[0]?.id)).toBe(CONTENT);
	await untilWorkerTook(execution!.id);
	await until(() => testSubscriptions(sandbox).length === 0, {
		describe: 'the test subscription is gone',
	});
});

it('says in the editor what holds a test event back, though a worker finds out', async () => {
	await n8n.workflows.updateNode(workflow.id, TRIGGER, {
		parameters: { filters: { subject: 'invoice' } },
	});
	await n8n.workflows.listen(workflow.id, TRIGGER);
	await mail('Something else');
	const [execution] = await n8n.executions.atLeast(workflow.id, 1);
	expect(execution?.error?.message).toMatch(/the filter Subject Contains holds it back/);
	await untilWorkerTook(execution!.id);
});

it('executes a step of the action node on a worker', async () => {
	const execution = await runAction(n8n, credential, {
		resource: 'identity',
		operation: 'getAll',
		returnAll: true,
	});
	const values = itemsOf(execution, NODE_NAME).map(({ json }) => json.value);
	expect(values).toEqual(expect.arrayContaining([ADDRESS]));
	await untilWorkerTook(execution.id);
});

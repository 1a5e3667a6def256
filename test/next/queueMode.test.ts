import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announcedDefaults, itemsOf, until } from '../support/n8n';
import { NODE_NAME, runAction } from '../e2e/support/actions';
import { ADDRESS } from '../e2e/support/deployment';
import { onStage, startedWith, webhookPath } from '../e2e/support/stage';
import { QueueHost } from '../scale/support/queueHost';

const CONTENT = 'item,quantity\r\nstamps,80\r\n';
const WITH_A_FILE = {
	attachments: [{ filename: 'stock list.csv', content: CONTENT, contentType: 'text/csv' }],
};

let storage: string;
let queue: QueueHost;

const stage = onStage({
	start: async () => {
		storage = await mkdtemp(join(tmpdir(), 'email-identity-files-'));
		// A worker names the executions that it takes in lines of the level "info".
		const environment = { ...announcedDefaults(storage), N8N_LOG_LEVEL: 'info' };
		queue = await QueueHost.start({ helpers: ['worker'], environment });
		return queue.main;
	},
});

afterAll(async () => {
	await queue?.stop();
	if (storage) await rm(storage, { recursive: true, force: true });
});

/** An execution that the main ran itself is in no worker's log. */
const untilWorkerTook = async (executionId: string) =>
	await until(`a worker's log names execution ${executionId}`, () =>
		queue.helpers.some(({ log }) => log.text().includes(`execution ${executionId} `)),
	);

it('an email that is delivered to N8N_WEBHOOK_URL starts the workflow on a worker, with its file', async () => {
	const workflow = await stage.publish();
	const { url } = stage.subscription(workflow);
	expect(url.startsWith(`http://localhost:${stage.n8n.port}${webhookPath(workflow)}?`)).toBe(true);

	await stage.mail('For a worker', WITH_A_FILE);
	const [execution] = await stage.n8n.executions.atLeast(workflow.id, 1);
	const { json, binary } = startedWith(execution!);
	expect(json.subject).toBe('For a worker');
	const content = await stage.n8n.session.download(Object.values(binary ?? {})[0]?.id);
	expect(content.toString()).toBe(CONTENT);
	await untilWorkerTook(execution!.id);
});

it('a worker executes a test event, and no test webhook is left', async () => {
	const workflow = await stage.create();
	await stage.listen(workflow);
	expect(stage.tests()).toHaveLength(1);
	await stage.mail('A test', WITH_A_FILE);
	const [execution] = await stage.n8n.executions.atLeast(workflow.id, 1);
	expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
	const { json, binary } = startedWith(execution!);
	expect(json.subject).toBe('A test');
	const content = await stage.n8n.session.download(Object.values(binary ?? {})[0]?.id);
	expect(content.toString()).toBe(CONTENT);
	await untilWorkerTook(execution!.id);
	await stage.noTestIsLeft();
});

it('the editor shows which filter a test event does not match, also if a worker executes it', async () => {
	const workflow = await stage.create({ filters: { subject: 'invoice' } });
	await stage.listen(workflow);
	await stage.mail('Something else');
	const [execution] = await stage.n8n.executions.atLeast(workflow.id, 1);
	expect(execution?.error?.message).toMatch(/Subject Contains/);
	await untilWorkerTook(execution!.id);
});

it('a worker executes the action node', async () => {
	const parameters = { resource: 'identity', operation: 'getAll', returnAll: true };
	const execution = await runAction(stage.n8n, stage.credential, parameters);
	const values = itemsOf(execution, NODE_NAME).map(({ json }) => json.value);
	expect(values).toEqual(expect.arrayContaining([ADDRESS]));
	await untilWorkerTook(execution.id);
});

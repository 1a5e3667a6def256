import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announcedDefaults, chain, itemsOf, manualTrigger, until } from '../support/n8n';
import type { Execution, StoredWorkflow } from '../support/n8n';
import { linksIn } from '../support/questionLinks';
import { NODE_NAME, runAction } from '../e2e/support/actions';
import { ADDRESS, STOCK_LIST } from '../e2e/support/deployment';
import { askingNode, sendAnswer } from '../e2e/support/questions';
import { onStage, startedWith, webhookPath } from '../e2e/support/stage';
import { QueueHost } from '../scale/support/queueHost';

let storage: string;
let queue: QueueHost;

const stage = onStage({
	start: async () => {
		storage = await mkdtemp(join(tmpdir(), 'email-identity-files-'));
		// A worker logs the executions that it takes at the level "info".
		const environment = { ...announcedDefaults(storage), N8N_LOG_LEVEL: 'info' };
		queue = await QueueHost.start({ helpers: ['worker', 'webhook'], environment });
		return queue.main;
	},
});

afterAll(async () => {
	await queue?.stop();
	if (storage) await rm(storage, { recursive: true, force: true });
});

/** An execution that the main process ran itself is in no worker's log. */
const untilWorkerTook = async (executionId: string) =>
	await until(`a worker's log names execution ${executionId}`, () =>
		queue.helpers.some(({ log }) => log.text().includes(`execution ${executionId} `)),
	);

/** Sends an email with a file, and expects a worker to execute the workflow with both. */
async function expectOnWorker(workflow: StoredWorkflow, subject: string): Promise<Execution> {
	await stage.mail(subject, { attachments: [STOCK_LIST] });
	const [execution] = await stage.n8n.executions.atLeast(workflow.id, 1);
	const { json, binary } = startedWith(execution!);
	expect(json.subject).toBe(subject);
	const content = await stage.n8n.session.download(Object.values(binary ?? {})[0]?.id);
	expect(content.toString()).toBe(STOCK_LIST.content);
	await untilWorkerTook(execution!.id);
	return execution!;
}

it('an email that is delivered to N8N_WEBHOOK_URL starts the workflow on a worker, with its file', async () => {
	const workflow = await stage.publish();
	const { url } = stage.subscription(workflow);
	expect(url.startsWith(`http://localhost:${stage.n8n.port}${webhookPath(workflow)}?`)).toBe(true);
	await expectOnWorker(workflow, 'For a worker');
});

it('a worker executes a test event, and no test webhook is left', async () => {
	const workflow = await stage.create();
	await stage.listen(workflow);
	expect(stage.tests()).toHaveLength(1);
	const execution = await expectOnWorker(workflow, 'A test');
	expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
	await stage.noTestIsLeft();
});

it('a worker executes the action node', async () => {
	const parameters = { resource: 'identity', operation: 'getAll', returnAll: true };
	const execution = await runAction(stage.n8n, stage.credential, parameters);
	const values = itemsOf(execution, NODE_NAME).map(({ json }) => json.value);
	expect(values).toEqual(expect.arrayContaining([ADDRESS]));
	await untilWorkerTook(execution.id);
});

it('a question that a worker asked is answered through a webhook processor, and a worker continues', async () => {
	const nodes = [manualTrigger('Start'), askingNode(stage.credential)];
	const workflow = stage.keep(await stage.n8n.workflows.create(chain('Ask', nodes)));
	const id = await stage.n8n.workflows.run(workflow.id, 'Start');
	const statusOf = async () => (await stage.n8n.executions.get(id)).status;
	await until('the workflow waits', async () => (await statusOf()) === 'waiting');
	await untilWorkerTook(id);

	const [processor] = queue.helpersOf('webhook');
	const [approve = '', decline = ''] = linksIn(stage.sandbox.sentEmails().at(-1)?.text).map(
		(link) => Object.assign(new URL(link), { port: processor?.port }).href,
	);
	expect(await (await fetch(approve)).text()).toContain('May we?');
	expect(await statusOf()).toBe('waiting');
	expect(await sendAnswer(approve.replace(/signature=\w/, 'signature=-'), {})).toBe(401);

	expect(await sendAnswer(decline, { answer: 'decline' })).toBe(200);
	const [item] = itemsOf(await stage.n8n.executions.ended(id), 'Ask');
	expect(item?.json).toMatchObject({ data: { approved: false } });
});

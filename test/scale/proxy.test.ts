import { N8n, until, type StoredWorkflow } from '../support/n8n';
import { onStage } from '../e2e/support/stage';
import { executionsInSqlite, sayResults, tally } from './support/counting';
import { Proxy } from './support/proxy';

const EMAILS = 60;
const BEFORE_THE_RESTART = 15;
/** Deliveries that n8n had on a connection that it closed: one to three in runs on a busy machine. */
const MAX_CUT = 5;

const stage = onStage({ isStory: true, start: async () => await N8n.start() });

let proxy: Proxy;
let workflow: StoredWorkflow;

beforeAll(async () => {
	const { n8n } = stage;
	proxy = await Proxy.start(n8n);
	workflow = await stage.create();
	await n8n.restart({ WEBHOOK_URL: `${proxy.url}/` });
	await stage.activate(workflow);
});

afterAll(async () => {
	await proxy?.stop();
});

test('a proxy that waits for n8n loses no more than the few deliveries that the stop of n8n cuts off, and starts no workflow twice', async () => {
	const { n8n, sandbox } = stage;
	expect(stage.subscription(workflow).url).toContain(proxy.url);
	const subjects = Array.from({ length: EMAILS }, (_, index) => `scale-${index}`);
	for (const subject of subjects) await stage.mail(subject, { text: '.' });
	const answered = () => sandbox.deliveries().filter(({ status }) => status !== null).length;
	await until('some emails are delivered', () => answered() >= BEFORE_THE_RESTART);
	await n8n.restart();
	await sandbox.deliveriesSettled();
	await n8n.pause();

	const executions = await executionsInSqlite(n8n, workflow.id);
	const started = tally(executions.map(({ message }) => message));
	const cut = sandbox.deliveries().filter(({ status }) => status !== 200);
	sayResults({
		'emails that were delivered in a restart of n8n': EMAILS,
		'of these, cut off by the stop': cut.length,
		'emails that started the workflow': started.size,
	});
	expect(sandbox.deliveries()).toHaveLength(EMAILS);
	expect(cut.length).toBeLessThanOrEqual(MAX_CUT);
	expect(started.size).toBeGreaterThanOrEqual(EMAILS - cut.length);
	expect([...started.values()].filter((times) => times > 1)).toEqual([]);
});

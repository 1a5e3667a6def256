import pLimit from 'p-limit';
import { N8n, until, type StoredWorkflow } from '../support/n8n';
import { post } from '../e2e/support/deliveries';
import { onStage, startedWith, webhookPath } from '../e2e/support/stage';
import { executionsInSqlite, sayResults, tally } from './support/counting';
import { Gateway } from './support/gateway';
import { SIZE } from './support/load';

/** The full size takes some minutes on a busy machine. */
const PATIENCE_MS = 900_000;
const SENT_AT_A_TIME = 3;

const { emails } = SIZE;

const stage = onStage({ isStory: true, start: async () => await N8n.start() });

let gateway: Gateway;
let workflow: StoredWorkflow;

beforeAll(async () => {
	gateway = await Gateway.start(stage.n8n);
	const created = await stage.create();
	const deliveryUrl = `${gateway.url}${webhookPath(created)}`;
	const parameters = { advanced: { checkEvery: 0, deliveryUrl } };
	const name = created.nodes[0]!.name;
	workflow = await stage.n8n.workflows.updateNode(created.id, name, { parameters });
	await stage.n8n.workflows.activate(workflow.id);
	await stage.registered(workflow);
});

afterAll(async () => {
	await gateway?.stop();
});

const subjectsFrom = (first: number, end: number) =>
	Array.from({ length: end - first }, (_, index) => `scale-${first + index}`);

/** Sends emails by SMTP, and waits until the service has delivered them. */
async function arrive(subjects: string[], atATime: number): Promise<void> {
	const limit = pLimit(atATime);
	const send = async (subject: string) => {
		await stage.mail(subject, { text: '.' });
		if (atATime === 1) await stage.sandbox.deliveriesSettled();
	};
	await Promise.all(subjects.map((subject) => limit(() => send(subject))));
	await stage.sandbox.deliveriesSettled();
}

const untilForwarded = async () =>
	await until(
		'the gateway has forwarded everything',
		async () => (await gateway.stored('waiting')).length === 0,
		PATIENCE_MS,
	);

/** The subjects that started the workflow, in this order. n8n is stopped meanwhile. */
async function started(): Promise<string[]> {
	await stage.n8n.pause();
	const executions = await executionsInSqlite(stage.n8n, workflow.id);
	return executions.map(({ message }) => message ?? '');
}

test(
	`each of ${emails} emails that arrive while n8n is stopped starts the workflow once, in their order, when it is up again`,
	async () => {
		const subjects = subjectsFrom(0, emails);
		await stage.n8n.pause();
		await arrive(subjects, 1);
		expect(await gateway.stored('waiting')).toHaveLength(emails);
		await stage.n8n.restart();
		await untilForwarded();

		expect(await started()).toEqual(subjects);
		await stage.n8n.restart();
	},
	PATIENCE_MS,
);

test(
	`no email of ${emails} is lost that the gateway accepted, although n8n and the gateway are killed meanwhile`,
	async () => {
		const { n8n, sandbox } = stage;
		sandbox.clearRecordings();
		const before = (await n8n.executions.list(workflow.id)).length;
		const half = emails + Math.floor(emails / 2);
		const firstHalf = arrive(subjectsFrom(emails, half), SENT_AT_A_TIME);
		await until('n8n works on the burst', async () => {
			const executions = await n8n.executions.list(workflow.id);
			return executions.length > Math.min(before + 5, 99);
		});
		await n8n.kill();
		await firstHalf;
		await n8n.restart();
		const secondHalf = arrive(subjectsFrom(half, 2 * emails), SENT_AT_A_TIME);
		await gateway.crash();
		await secondHalf;
		await untilForwarded();

		const counts = tally(await started());
		const deliveries = sandbox.deliveries();
		const subjectOf = new Map<string, string>(
			sandbox.dumpState().messages.map(({ fields: { id, subject } }) => [id, String(subject)]),
		);
		const accepted = deliveries
			.filter(({ status }) => status === 200)
			.map(({ messageId }) => subjectOf.get(messageId ?? '') ?? '');
		const twice = subjectsFrom(emails, 2 * emails).filter((one) => (counts.get(one) ?? 0) > 1);
		sayResults({
			'emails that the gateway accepted': accepted.length,
			'emails whose delivery the crash of the gateway cut off': deliveries.length - accepted.length,
			'emails that started the workflow twice': twice.length,
		});

		expect(accepted.length).toBeGreaterThan(emails / 2);
		expect(accepted.filter((subject) => !counts.has(subject))).toEqual([]);
		// n8n had recorded the execution and was killed before it answered.
		expect(twice.length).toBeLessThanOrEqual(1);
		expect(await gateway.stored('refused')).toEqual([]);
	},
	PATIENCE_MS,
);

test('deliveries that n8n refuses for good are put aside and hold up no others, and nothing but webhooks is forwarded', async () => {
	await stage.n8n.restart();
	await stage.registered(workflow);
	const { url } = stage.subscription(workflow);
	const wrongSecret = url.replace(/token=[^&]+/, 'token=wrong');
	expect(await post(wrongSecret, '{}')).toBe(200);
	expect(await post(url, 'nonsense')).toBe(200);
	for (const path of ['/rest/login', '//example.com/webhook/1']) {
		expect(await post(`${gateway.url}${path}`, '{}')).toBe(404);
	}
	await arrive(['scale-last'], 1);
	await untilForwarded();

	expect(await gateway.stored('refused')).toHaveLength(2);
	const runs = await stage.n8n.executions.list(workflow.id);
	expect(startedWith(await stage.n8n.executions.ended(runs[0]!.id)).json.subject).toBe(
		'scale-last',
	);
});

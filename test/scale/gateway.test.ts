import pLimit from 'p-limit';
import { N8n, until, type StoredWorkflow } from '../support/n8n';
import { isAccepted } from '../e2e/support/deliveries';
import { Forwarder } from './support/forwarder';
import { onStage } from '../e2e/support/stage';
import { executionsInSqlite, sayResults, tally } from './support/counting';
import { SIZE } from './support/load';

/** The full size takes some minutes on a busy machine. */
const PATIENCE_MS = 900_000;
const HANDED_ON_AT_A_TIME = 2;
const SENT_AT_A_TIME = 3;

const { emails } = SIZE;

const stage = onStage({ isStory: true, start: async () => await N8n.start() });

let forwarder: Forwarder;
let workflow: StoredWorkflow;

beforeAll(async () => {
	forwarder = await Forwarder.start();
	const deliveryUrl = `${forwarder.url}/in/emails`;
	workflow = await stage.create({ advanced: { checkEvery: 0, deliveryUrl } });
	await stage.n8n.workflows.activate(workflow.id);
	await stage.registered(workflow);
	forwarder.handOnTo(stage.n8n, workflow, HANDED_ON_AT_A_TIME);
});

afterAll(async () => {
	await forwarder?.stop();
});

/** Sends emails by SMTP, and waits until the service has delivered them. */
async function arrive(first: number, end: number): Promise<void> {
	const subjects = Array.from({ length: end - first }, (_, index) => `scale-${first + index}`);
	const atOnce = pLimit(SENT_AT_A_TIME);
	const sending = subjects.map((subject) => atOnce(() => stage.mail(subject, { text: '.' })));
	await Promise.all(sending);
	await stage.sandbox.deliveriesSettled();
}

const untilAccepted = async (count: number) =>
	await until(`n8n has taken ${count} emails`, () => forwarder.accepted >= count, PATIENCE_MS);

test(
	`each of ${emails} emails starts the workflow, although n8n is killed and stopped meanwhile`,
	async () => {
		const { n8n } = stage;
		const third = Math.floor(emails / 3);
		const firstThird = arrive(0, third);
		await untilAccepted(Math.floor(third / 4));
		await n8n.kill();
		await firstThird;
		const keptThroughCrash = forwarder.taken - forwarder.accepted;

		await n8n.restart();
		const secondThird = arrive(third, 2 * third);
		await untilAccepted(Math.floor(third * 1.25));
		await n8n.pause();
		await secondThird;
		await arrive(2 * third, emails);
		const keptWhileStopped = forwarder.taken - forwarder.accepted;

		await n8n.restart();
		await untilAccepted(emails);
		await n8n.pause();

		const executions = await executionsInSqlite(n8n, workflow.id);
		const started = tally(executions.map(({ message }) => message));
		const subjects = Array.from({ length: emails }, (_, index) => `scale-${index}`);
		const missing = subjects.filter((subject) => !started.has(subject));
		const twice = subjects.filter((subject) => (started.get(subject) ?? 0) > 1);
		// n8n recorded the execution, and ended before it could answer.
		const unanswered = forwarder.handedOn.filter((attempt) => !isAccepted(attempt));
		const isIn = (subject: string, body: string) => new RegExp(`${subject}\\b`).test(body);
		const excused = twice.filter((subject) => unanswered.some(({ body }) => isIn(subject, body)));
		sayResults({
			'emails that the service delivered once': forwarder.taken,
			'of these, while n8n was killed or stopped': keptThroughCrash + keptWhileStopped,
			'attempts of the gateway that n8n did not answer, or not with 2xx': unanswered.length,
			'emails that started the workflow': subjects.length - missing.length,
			'emails that started it twice': twice.length,
			'of these, first answered with a 5xx or not at all, as n8n ended': excused.length,
		});

		expect(forwarder.taken).toBe(emails);
		expect(keptThroughCrash).toBeGreaterThan(0);
		expect(keptWhileStopped).toBeGreaterThanOrEqual(emails - 2 * third);
		expect(missing).toEqual([]);
		expect(twice).toEqual(excused);
		expect(excused.length).toBeLessThanOrEqual(2 * HANDED_ON_AT_A_TIME);
	},
	2 * PATIENCE_MS,
);

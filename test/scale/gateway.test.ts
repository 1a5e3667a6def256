import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8n, until, type StoredWorkflow } from '../e2e/driver';
import type { Sandbox } from '../../sandbox';
import { ADDRESS, deploy } from '../e2e/support/deployment';
import { Forwarder, type HandOn } from '../e2e/support/forwarder';
import { sendMail } from '../e2e/support/sendMail';
import { createTriggerWorkflow, untilRegistered, webhookPath } from '../e2e/support/triggers';
import { executionsInSqlite, tally } from './counting';
import { chosenSize } from './load';
import { keepResults, say } from './results';

/** A busy machine needs some minutes for the full size. */
const PATIENCE = { timeout: 900_000, interval: 100 };
const HANDED_ON_AT_A_TIME = 2;
const SENT_AT_A_TIME = 3;

const { emails } = chosenSize();

let n8n: N8n;
let sandbox: Sandbox;
let folder: string;
let forwarder: Forwarder;
let workflow: StoredWorkflow;
/** what the gateway did before its own crash */
const before: HandOn[] = [];
let takenBefore = 0;

beforeAll(async () => {
	n8n = await N8n.start();
	const deployment = await deploy(n8n, 'observed');
	sandbox = deployment.sandbox;
	folder = await mkdtemp(join(tmpdir(), 'forwarder-'));
	forwarder = await Forwarder.start({ folder, atATime: HANDED_ON_AT_A_TIME });
	const options = { checkEvery: 0, deliveryUrl: `${forwarder.url}/in/emails` };
	workflow = await createTriggerWorkflow(n8n, deployment.credential, { options });
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	handOn();
});

afterAll(async () => {
	await forwarder?.crash();
	await n8n?.stop();
	await sandbox?.stop();
	if (folder) await rm(folder, { recursive: true, force: true });
});

const handOn = () =>
	forwarder.handOnTo({
		url: `${n8n.url}${webhookPath(workflow)}`,
		readiness: `${n8n.url}/healthz/readiness`,
	});

const attempts = () => [...before, ...forwarder.handedOn];
const taken = () => takenBefore + forwarder.taken;
const isAccepted = ({ status }: HandOn) => status !== undefined && status >= 200 && status < 300;
const accepted = () => attempts().filter(isAccepted).length;

/** Sends emails by SMTP, and waits until the service has delivered them. */
async function arrive(first: number, end: number): Promise<void> {
	const waiting = Array.from({ length: end - first }, (_, index) => `scale-${first + index}`);
	const connection = async () => {
		for (let subject = waiting.shift(); subject; subject = waiting.shift()) {
			await sendMail(sandbox.smtpPort, { from: 'a@example.org', to: ADDRESS, subject, text: '.' });
		}
	};
	await Promise.all(Array.from({ length: SENT_AT_A_TIME }, connection));
	await sandbox.deliveriesSettled();
}

const untilAccepted = async (count: number) =>
	await until(() => accepted() >= count, {
		...PATIENCE,
		describe: `n8n has taken ${count} emails`,
	});

/** The gateway forgets all but what is on its disk; nothing is on its way to it just then. */
async function restartGateway(): Promise<void> {
	const { port } = forwarder;
	await forwarder.crash();
	before.push(...forwarder.handedOn);
	takenBefore = taken();
	forwarder = await Forwarder.start({ folder, port, atATime: HANDED_ON_AT_A_TIME });
	handOn();
}

test(
	`${emails} emails arrive while n8n is killed, comes back, and is stopped: each starts the workflow`,
	async () => {
		const third = Math.floor(emails / 3);
		const isFirstThirdThere = arrive(0, third);
		await untilAccepted(Math.floor(third / 4));
		await n8n.kill();
		const acceptedBeforeCrash = accepted();
		say(`n8n was killed when it had taken ${acceptedBeforeCrash} of ${third} emails`);
		await isFirstThirdThere;
		await restartGateway();
		const keptThroughRestart = forwarder.waiting;

		await n8n.restart();
		const isSecondThirdThere = arrive(third, 2 * third);
		await untilAccepted(Math.floor(third * 1.25));
		await n8n.pause();
		say(`n8n was stopped when it had taken ${accepted()} emails`);
		await isSecondThirdThere;
		await arrive(2 * third, emails);
		const keptWhileStopped = forwarder.waiting;

		await n8n.restart();
		await until(() => forwarder.waiting === 0, {
			...PATIENCE,
			describe: 'the gateway has handed on everything',
		});
		await n8n.pause();

		const executions = await executionsInSqlite(n8n, workflow.id);
		const started = tally(executions.map(({ message }) => message));
		const subjects = Array.from({ length: emails }, (_, index) => `scale-${index}`);
		const missing = subjects.filter((subject) => !started.has(subject));
		const twice = subjects.filter((subject) => (started.get(subject) ?? 0) > 1);
		// n8n recorded its execution, and ended before it could store and say so.
		const refused = attempts().filter((attempt) => !isAccepted(attempt));
		const excused = twice.filter((subject) => refused.some(({ body }) => isOf(subject, body)));
		for (const subject of twice) {
			const tries = attempts().filter(({ body }) => isOf(subject, body));
			say(`${subject} was answered ${tries.map(({ status }) => status).join(', ')}`);
		}
		keepResults('gateway', {
			'emails that the service delivered once': taken(),
			'of these, while n8n was killed or stopped': keptThroughRestart + keptWhileStopped,
			"tries of the gateway's that n8n did not answer, or not with 2xx":
				attempts().length - accepted(),
			'emails that started the workflow': subjects.length - missing.length,
			'emails that started it twice': twice.length,
			'of these, first answered with a 5xx or not at all, as n8n ended': excused.length,
		});

		expect(taken()).toBe(emails);
		expect(keptThroughRestart).toBeGreaterThan(0);
		expect(keptWhileStopped).toBeGreaterThanOrEqual(emails - 2 * third);
		expect(missing).toEqual([]);
		expect(twice).toEqual(excused);
		expect(excused.length).toBeLessThanOrEqual(2 * HANDED_ON_AT_A_TIME);
	},
	2 * PATIENCE.timeout,
);

/** Whether a delivery holds the email with that subject, in its raw text or as a field. */
function isOf(subject: string, body: string): boolean {
	return new RegExp(`${subject}\\b`).test(body);
}

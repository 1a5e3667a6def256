import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DialectName } from '../../sandbox';
import { ActivationFailed } from '../../test/support/n8n';
import type { StoredWorkflow } from '../../test/support/n8n';
import { SetupFailure } from '../setup/failure.mjs';
import { whileSaying } from '../setup/progress.mjs';
import { describeAnswer, reportAnswers, reportArrivals } from './arrivals';
import { importExample, readExamples } from './examples';
import { KEYS } from './mails';
import { describeEditor, describeExecution, describeSurroundings } from './report';
import { startSurroundings, type Surroundings } from './surroundings';
import { onEachLine, runAndLeaveNothing, untilInterrupted, write, type Run } from './terminal';

/** A slow machine needs minutes. */
const MAX_WAIT_FOR_EXECUTION_MS = 900_000;

/** This example replies to emails. */
const REPLYING = 'answer-every-email';

/** The examples that emails start and that need nothing but the demo's credential. */
const STARTED_BY_EMAIL = ['received-email', 'save-attachments', REPLYING];
const PUBLISHED = [...STARTED_BY_EMAIL, 'identity-audit'];

interface DemoOptions {
	/** Ends after showing what the workflow did. */
	once: boolean;
	dialect: DialectName;
	/** Of the editor; a free one unless given. */
	port?: number;
}

/** Runs the demo to its end: until the workflow's work was shown, or until Ctrl-C. */
export async function runDemo(options: DemoOptions): Promise<void> {
	await runAndLeaveNothing((run) => demonstrate(options, run));
}

async function demonstrate({ once, dialect, port }: DemoOptions, run: Run): Promise<void> {
	const logFile = join(tmpdir(), 'n8n.log');
	const options = { dialect, port, logFile, environment: { N8N_LOG_LEVEL: 'info' } };
	const surroundings = await startSurroundings(options, run);
	const { n8n, mail } = surroundings;
	write(describeEditor(n8n));
	const workflows = await whileSaying('Importing and publishing the example workflows', () =>
		installExamples(surroundings),
	);
	await showFirstEmail(surroundings, workflows);
	if (once) return;
	const keys = [...KEYS, '  Ctrl-C     stops everything; nothing is left', ''];
	write([...describeSurroundings(surroundings, logFile), ...keys]);
	void reportArrivals(surroundings);
	void reportAnswers(surroundings);
	const sendOrHelp = async (key: string): Promise<void> => {
		if ((await mail(key)) === undefined) write(keys);
	};
	run.atEnd(onEachLine(sendOrHelp));
	await untilInterrupted(run.signal, n8n);
}

/** Sends an email, and shows what each workflow did. @throws {SetupFailure} if none started, or one failed */
async function showFirstEmail(
	surroundings: Surroundings,
	workflows: StoredWorkflow[],
): Promise<void> {
	const { sandbox, to, mail } = surroundings;
	const subject = await mail('');
	write(['', `Sent to ${to}: ${subject}`]);
	const results = await whileSaying('Waiting for the workflows that the email starts', async () => {
		await sandbox.waitForDelivery(() => true, MAX_WAIT_FOR_EXECUTION_MS);
		await sandbox.deliveriesSettled();
		const shown: Array<boolean | undefined> = [];
		for (const workflow of workflows) shown.push(await show(surroundings, workflow));
		return shown;
	});
	const succeeded = results.includes(true) && !results.includes(false);
	if (!succeeded) throw new SetupFailure('The email did not start the workflow, or it failed.');
	if (!canSend(surroundings)) return;
	write([describeAnswer(await sandbox.waitForSent(() => true, MAX_WAIT_FOR_EXECUTION_MS))]);
}

function canSend({ sandbox }: Surroundings): boolean {
	return sandbox.dialect.sending !== 'none';
}

/** Imports all examples, publishes some, and returns those that emails start. */
async function installExamples(surroundings: Surroundings): Promise<StoredWorkflow[]> {
	const { n8n, credential } = surroundings;
	const started: StoredWorkflow[] = [];
	for (const example of await readExamples()) {
		const workflow = await importExample(n8n, example, credential);
		const isPossible = example.name !== REPLYING || canSend(surroundings);
		if (!isPossible || !PUBLISHED.includes(example.name)) continue;
		if (STARTED_BY_EMAIL.includes(example.name)) started.push(workflow);
		await n8n.workflows.activate(workflow.id).catch((error: unknown) => {
			if (!(error instanceof ActivationFailed)) throw error;
			throw new SetupFailure(`n8n could not publish "${workflow.name}": ${error.message}`);
		});
	}
	return started;
}

/** Shows how a workflow handled the email. @returns whether it succeeded; undefined if it did not start */
async function show(
	{ n8n, sandbox }: Surroundings,
	workflow: StoredWorkflow,
): Promise<boolean | undefined> {
	const { id, name } = workflow;
	const hook = sandbox.webhooks().find(({ description }) => description?.includes(name));
	const [delivery] = sandbox.deliveries(({ webhookId }) => webhookId === hook?.id);
	const { status, responseBody = '' } = delivery ?? {};
	const [, reason] = /"reason":"(\w+)"/.exec(responseBody) ?? [];
	if (status !== 200 || reason !== undefined) {
		write([`Workflow "${name}": not started (${reason ?? status ?? 'not delivered'})`]);
		return undefined;
	}
	const [execution] = await n8n.executions.atLeast(id, 1, MAX_WAIT_FOR_EXECUTION_MS);
	write(describeExecution(n8n, workflow, execution!));
	return execution!.status === 'success';
}

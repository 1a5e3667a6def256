import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DialectName } from '../../sandbox';
import { ActivationFailed } from '../../test/support/n8n';
import type { CredentialReference, N8n, StoredWorkflow } from '../../test/support/n8n';
import { SetupFailure } from '../setup/failure.mjs';
import { whileSaying } from '../setup/progress.mjs';
import { importExample, readExamples } from './examples';
import { KEYS } from './mails';
import { describeExecution, describeSurroundings } from './report';
import { startSurroundings, type Surroundings } from './surroundings';
import { onEachLine, runAndLeaveNothing, untilInterrupted, write, type Run } from './terminal';

const WAIT_FOR_EXECUTION_MS = 60_000;

/** The examples that emails start and that need nothing but the demo's credential. */
const STARTED_BY_EMAIL = ['received-email', 'save-attachments'];
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
	const { n8n, sandbox, credential, to, mail } = surroundings;
	const workflows = await whileSaying('Importing and publishing the example workflows', () =>
		installExamples(n8n, credential),
	);
	/** The number of executions that were shown, by workflow. */
	const shown = new Map<string, number>();
	/** Sends the email of a key, and shows what it starts. @returns undefined for an unknown key */
	const send = async (key: string): Promise<boolean | undefined> => {
		sandbox.clearRecordings();
		const subject = await mail(key);
		if (subject === undefined) return undefined;
		write(['', `Sent to ${to}: ${subject}`]);
		await sandbox.waitForDelivery(() => true, WAIT_FOR_EXECUTION_MS);
		await sandbox.deliveriesSettled();
		const results: (boolean | undefined)[] = [];
		for (const workflow of workflows) results.push(await show(surroundings, workflow, shown));
		return results.includes(true) && !results.includes(false);
	};
	if (!(await send('')))
		throw new SetupFailure('The email did not start the workflow, or it failed.');
	if (once) return;
	const keys = [...KEYS, '  Ctrl-C     stops everything; nothing is left', ''];
	write([...describeSurroundings(surroundings, logFile), ...keys]);
	run.atEnd(onEachLine(async (key) => void ((await send(key)) ?? write(keys))));
	await untilInterrupted(run.signal, n8n);
}

/** Imports all examples, publishes some, and returns those that emails start. */
async function installExamples(
	n8n: N8n,
	credential: CredentialReference,
): Promise<StoredWorkflow[]> {
	const started: StoredWorkflow[] = [];
	for (const example of await readExamples()) {
		const workflow = await importExample(n8n, example, credential);
		if (STARTED_BY_EMAIL.includes(example.name)) started.push(workflow);
		if (!PUBLISHED.includes(example.name)) continue;
		await n8n.workflows.activate(workflow.id).catch((error: unknown) => {
			if (!(error instanceof ActivationFailed)) throw error;
			throw new SetupFailure(`n8n could not publish "${workflow.name}": ${error.message}`);
		});
	}
	return started;
}

/** Shows how a workflow handled the last email. @returns whether it succeeded; undefined if it did not start */
async function show(
	{ n8n, sandbox }: Surroundings,
	workflow: StoredWorkflow,
	shown: Map<string, number>,
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
	const before = shown.get(id) ?? 0;
	shown.set(id, before + 1);
	const all = await n8n.executions.atLeast(id, before + 1, WAIT_FOR_EXECUTION_MS);
	write(describeExecution(n8n, workflow, all[before]!));
	return all[before]!.status === 'success';
}

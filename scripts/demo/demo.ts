import { type DialectName, type Sandbox, startSandbox } from '../../sandbox';
import {
	ActivationFailed,
	N8n,
	PortTaken,
	packedPackage,
	type StoredWorkflow,
} from '../../test/e2e/driver';
import { emailTriggerOf, importExample, readExamples } from './examples';
import { describeExecution, describeSurroundings, makeFilesFolder } from './report';
import { DemoMailer, interrupted, interruption, mailOnKeys } from './person';

const WAIT_FOR_EXECUTION_MS = 60_000;

/** The example that the demo's email starts. */
const STARTED_BY_EMAIL = 'received-email';

/** The examples that start by themselves and need nothing but the demo's credential. */
const ACTIVATED = [STARTED_BY_EMAIL, 'identity-audit'];

/** The exit code that shells know for Ctrl-C. */
const INTERRUPTED = 130;

/** What `npm start` was asked for. */
export interface DemoOptions {
	/** end after showing what the workflow did */
	once: boolean;
	dialect: DialectName;
	/** of the editor; a free one unless given */
	port?: number;
}

/** How the demo talks to the person waiting. */
export interface DemoConsole {
	whileSaying<T>(
		activity: string,
		work: () => Promise<T>,
		options?: { usually?: string },
	): Promise<T>;
	/** an error whose message is shown without a stack */
	failure(message: string): Error;
}

/** Runs the demo to its end: until the workflow's work was shown, or until Ctrl-C. Leaves nothing running. */
export async function runDemo(options: DemoOptions, console: DemoConsole): Promise<void> {
	const signal = interruption();
	const closers: (() => unknown)[] = [];
	try {
		await demonstrate(options, console, signal, closers);
	} catch (error) {
		if (!signal.aborted) throw explained(error, console);
		process.exitCode = INTERRUPTED;
	} finally {
		for (const close of closers.reverse()) await close();
	}
}

async function demonstrate(
	{ once, dialect, port }: DemoOptions,
	{ whileSaying, failure }: DemoConsole,
	signal: AbortSignal,
	closers: (() => unknown)[],
): Promise<void> {
	const tarball = await whileSaying('Building and packing the package', packedPackage);
	signal.throwIfAborted();
	const sandbox = await startSandbox({ dialect });
	closers.push(() => sandbox.stop());
	const n8n = await whileSaying(
		'Starting n8n with the package installed',
		() => N8n.start({ release: '2', packages: [tarball], port, codeNodes: true, signal }),
		{ usually: '10 s' },
	);
	closers.push(() => n8n.stop());

	signal.throwIfAborted();
	const started = await whileSaying('Importing and activating the example workflows', () =>
		installExamples(n8n, sandbox),
	);
	const trigger = emailTriggerOf(started);
	const address = addressOf(sandbox);
	const mailer = new DemoMailer(sandbox.smtpPort, address);
	const files = await makeFilesFolder(n8n);
	const subject = await mailer.send();
	write([`Sent an email by SMTP to ${address}: ${subject}`]);
	const [execution] = await whileSaying('Waiting for the workflow', () =>
		n8n.executions.atLeast(started.id, 1, WAIT_FOR_EXECUTION_MS),
	);
	if (!execution) throw failure('The email started no workflow.');
	write(describeExecution(started, trigger, execution));
	if (execution.status !== 'success') {
		throw failure(`The workflow failed: ${execution.error?.message ?? execution.status}.`);
	}
	if (once) return;
	write(describeSurroundings(n8n, sandbox, address, files));
	closers.push(mailOnKeys(mailer, (line) => write([line])));
	await Promise.race([interrupted(signal), n8n.ended()]);
	if (!signal.aborted) throw failure(`n8n ended by itself:\n${n8n.log.tail()}`);
}

/** Imports all examples, activates some, and gives the one that starts on a received email. */
async function installExamples(n8n: N8n, sandbox: Sandbox): Promise<StoredWorkflow> {
	const credential = await n8n.credentials.create(
		'emailIdentityApi',
		{
			baseUrl: sandbox.baseUrl,
			apiKey: sandbox.accounts.owner.apiKey,
			allowPrivateWebhookUrls: true,
		},
		'Email Identity (demo)',
	);
	const stored = new Map<string, StoredWorkflow>();
	for (const example of await readExamples()) {
		stored.set(example.folder, await importExample(n8n, example, credential));
	}
	for (const folder of ACTIVATED) {
		await n8n.workflows.activate(inFolder(stored, folder).id);
	}
	return inFolder(stored, STARTED_BY_EMAIL);
}

function inFolder(stored: Map<string, StoredWorkflow>, folder: string): StoredWorkflow {
	const workflow = stored.get(folder);
	if (!workflow) throw new Error(`The example "${folder}" is missing.`);
	return workflow;
}

/** The first address among the owner's identities. */
function addressOf(sandbox: Sandbox): string {
	const identity = sandbox.accounts.owner.identities.find(({ kind }) => kind === 'email');
	if (!identity) throw new Error('The sandbox has no email identity.');
	return identity.value;
}

function explained(error: unknown, { failure }: DemoConsole): unknown {
	if (error instanceof PortTaken) {
		return failure(
			'The port of the editor is taken by another program: stop it or choose another with --port.',
		);
	}
	if (error instanceof ActivationFailed) {
		return failure(`n8n could not activate an example workflow: ${error.message}`);
	}
	return error;
}

function write(lines: string[]): void {
	process.stdout.write(`${lines.join('\n')}\n`);
}

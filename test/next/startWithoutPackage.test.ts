import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import { N8n, publicationStatus, until } from '../e2e/driver';
import type { CredentialReference, StoredWorkflow } from '../e2e/driver';
import { ADDRESS, deploy } from '../e2e/support/deployment';
import { sendMail } from '../e2e/support/sendMail';
import {
	createTriggerWorkflow,
	startedWith,
	subscriptionOf,
	webhookPath,
} from '../e2e/support/triggers';

/**
 * From 3.0 on n8n loads no package that it has not verified, unless it is told to; an installation that failed has the same
 * effect. The ways back are those that docs/operations.md tells operators.
 */
let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;

beforeAll(async () => {
	n8n = await N8n.start();
	({ sandbox, credential } = await deploy(n8n, 'contract'));
});

beforeEach(async () => {
	workflow = await createTriggerWorkflow(n8n, credential);
	await n8n.workflows.activate(workflow.id);
});

afterEach(async () => {
	await n8n.workflows.delete(workflow.id);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

const publication = async () => (await publicationStatus(n8n.session, workflow.id)).status;

/** What `curl -X POST` to the trigger's address shows an operator. */
const answer = async () =>
	(await fetch(`${n8n.url}${webhookPath(workflow)}`, { method: 'POST' })).status;

const start = async () => {
	await n8n.restart();
	await n8n.session.logIn();
};

/** Starts n8n without the package, and once more with it. */
const startWithoutPackage = async () => {
	const installed = join(n8n.userFolder, '.n8n/nodes/node_modules/n8n-nodes-email-identity');
	const aside = join(n8n.userFolder, 'aside');
	await n8n.pause();
	await rename(installed, aside);
	await start();
	await until(async () => (await publication()) === 'failed', {
		describe: 'the publication has failed',
	});
	await n8n.pause();
	await rename(aside, installed);
	await start();
};

let key: string | undefined;

const publicApi = async <T>(method: string, step: string, body?: unknown): Promise<T> => {
	key ??= (
		await n8n.session.call<{ rawApiKey: string }>('POST', '/rest/api-keys', {
			label: 'Operator',
			scopes: ['workflow:read', 'workflow:activate'],
			expiresAt: null,
		})
	).rawApiKey;
	const path = `/api/v1/workflows/${workflow.id}${step}`;
	return await n8n.session.call<T>(method, path, body, { 'X-N8N-API-KEY': key });
};

const activeVersion = async () => {
	const { activeVersionId } = await publicApi<{ activeVersionId: string }>('GET', '');
	return activeVersionId;
};

const onCommandLine = async (command: string, ...flags: string[]) =>
	await n8n.command([command, `--id=${workflow.id}`, ...flags]);

const untilUnpublished = async () =>
	await until(async () => (await publication()) === 'not_published', {
		describe: 'the workflow is unpublished',
	});

const WAYS_BACK: Record<string, () => Promise<void>> = {
	'unpublishing and publishing in the editor': async () => {
		await n8n.workflows.deactivate(workflow.id);
		await n8n.workflows.activate(workflow.id);
	},
	"publishing with n8n's public API": async () => {
		await publicApi('POST', '/publish', { versionId: await activeVersion() });
	},
	// n8n looks every ten seconds for what was changed beside it.
	"unpublishing and publishing on n8n's command line, while n8n runs": async () => {
		const versionId = await activeVersion();
		await onCommandLine('unpublish:workflow');
		await untilUnpublished();
		await onCommandLine('publish:workflow', `--versionId=${versionId}`);
	},
	"unpublishing and publishing on n8n's command line, with a start after each": async () => {
		const versionId = await activeVersion();
		await n8n.pause();
		await onCommandLine('unpublish:workflow');
		await start();
		await untilUnpublished();
		await n8n.pause();
		await onCommandLine('publish:workflow', `--versionId=${versionId}`);
		await start();
	},
};

it.each(Object.entries(WAYS_BACK))(
	'%s ends what a start without the package left behind',
	async (_, publishAgain) => {
		const { id } = subscriptionOf(sandbox, workflow);
		const mark = n8n.log.mark();
		await startWithoutPackage();
		expect(n8n.log.text(mark)).toContain(
			'Published version holds node types this instance cannot load',
		);

		// n8n publishes others by now, and leaves this one as it is.
		const other = await createTriggerWorkflow(n8n, credential);
		await n8n.workflows.activate(other.id);
		expect(await publication()).toBe('failed');
		expect(await answer()).toBe(404);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id, enabled: true });
		await n8n.workflows.delete(other.id);

		await publishAgain();
		await until(async () => (await answer()) === 401, { describe: 'the address is back' });
		await until(() => subscriptionOf(sandbox, workflow).enabled, {
			describe: 'the service delivers',
		});
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id });
		const mail = { from: 'a@example.org', to: ADDRESS, subject: 'Back again', text: 'Hello' };
		await sendMail(sandbox.smtpPort, mail);
		const [execution] = await n8n.executions.atLeast(workflow.id, 1);
		expect(startedWith(execution!).json).toMatchObject({ subject: 'Back again' });
	},
);

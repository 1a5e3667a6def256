import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { N8n, until } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { onStage } from '../e2e/support/stage';

/**
 * From 3.0 on, n8n loads only verified packages unless a setting allows others; a failed installation has the same effect. The
 * ways to repair it are those in docs/recovery.md.
 */
const stage = onStage({ dialect: 'contract', start: async () => await N8n.start() });

let n8n: N8n;
let workflow: StoredWorkflow;

beforeEach(async () => {
	({ n8n } = stage);
	workflow = await stage.publish();
});

const publication = async () => (await n8n.workflows.publication(workflow.id)).status;

const untilPublicationIs = async (status: string) =>
	await until(`the publication is ${status}`, async () => (await publication()) === status);

/** Starts n8n without the package, and once more with it. */
const startWithoutPackage = async () => {
	const installed = join(n8n.userFolder, '.n8n/nodes/node_modules/n8n-nodes-email-identity');
	const aside = join(n8n.userFolder, 'aside');
	await n8n.pause();
	await rename(installed, aside);
	await n8n.restart();
	await untilPublicationIs('failed');
	await n8n.pause();
	await rename(aside, installed);
	await n8n.restart();
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

const WAYS_BACK: Record<string, () => Promise<void>> = {
	'unpublishing and publishing in the editor': async () => {
		await n8n.workflows.deactivate(workflow.id);
		await n8n.workflows.activate(workflow.id);
	},
	"publishing with n8n's public API": async () => {
		await publicApi('POST', '/publish', { versionId: await activeVersion() });
	},
	// n8n looks every ten seconds for changes by other processes.
	"unpublishing and publishing on n8n's command line, while n8n runs": async () => {
		const versionId = await activeVersion();
		await onCommandLine('unpublish:workflow');
		await untilPublicationIs('not_published');
		await onCommandLine('publish:workflow', `--versionId=${versionId}`);
	},
	"unpublishing and publishing on n8n's command line, with a start after each": async () => {
		const versionId = await activeVersion();
		await n8n.pause();
		await onCommandLine('unpublish:workflow');
		await n8n.restart();
		await untilPublicationIs('not_published');
		await n8n.pause();
		await onCommandLine('publish:workflow', `--versionId=${versionId}`);
		await n8n.restart();
	},
};

it.each(Object.entries(WAYS_BACK))(
	'%s makes a workflow start on emails again after a start without the package',
	async (_, publishAgain) => {
		const { id } = stage.subscription(workflow);
		const mark = n8n.log.mark();
		await startWithoutPackage();
		expect(n8n.log.text(mark)).toContain(
			'Published version holds node types this instance cannot load',
		);

		// n8n can publish other workflows, and leaves this one as it is.
		await stage.publish();
		expect(await publication()).toBe('failed');
		expect(await stage.statusOf(workflow)).toBe(404);
		expect(stage.subscription(workflow)).toMatchObject({ id, enabled: true });

		await publishAgain();
		await until('n8n accepts deliveries', async () => (await stage.statusOf(workflow)) === 401);
		await until('the service delivers', () => stage.subscription(workflow).enabled);
		expect(stage.subscription(workflow)).toMatchObject({ id });
		await stage.mail('Back again');
		expect(await stage.subjects(workflow, 1)).toEqual(['Back again']);
	},
);

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { N8n, until } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { onStage } from '../e2e/support/stage';

/** From 3.0 on, n8n loads only verified packages unless a setting allows others; a failed installation has the same effect. */
const stage = onStage({ dialect: 'contract', start: async () => await N8n.start() });

let n8n: N8n;
let workflow: StoredWorkflow;

beforeEach(async () => {
	({ n8n } = stage);
	workflow = await stage.publish();
});

const publication = async () => (await n8n.workflows.publication(workflow.id)).status;

/** Starts n8n without the package, then again with it. */
const startWithoutPackage = async () => {
	const installed = join(n8n.userFolder, '.n8n/nodes/node_modules/n8n-nodes-email-identity');
	const aside = join(n8n.userFolder, 'aside');
	await n8n.pause();
	await rename(installed, aside);
	await n8n.restart();
	await until('the publication has failed', async () => (await publication()) === 'failed');
	await n8n.pause();
	await rename(aside, installed);
	await n8n.restart();
};

/** Those in docs/recovery.md. */
const WAYS: Record<string, () => Promise<void>> = {
	'unpublishing and publishing in the editor': async () => {
		await n8n.workflows.deactivate(workflow.id);
		await n8n.workflows.activate(workflow.id);
	},
	"publishing with n8n's public API": async () => {
		const { session } = n8n;
		const scopes = ['workflow:read', 'workflow:activate'];
		const key = { label: 'Operator', scopes, expiresAt: null };
		const { rawApiKey } = await session.call<{ rawApiKey: string }>('POST', '/rest/api-keys', key);
		const headers = { 'X-N8N-API-KEY': rawApiKey };
		const path = `/api/v1/workflows/${workflow.id}`;
		type Stored = { activeVersionId: string };
		const { activeVersionId } = await session.call<Stored>('GET', path, undefined, headers);
		await session.call('POST', `${path}/publish`, { versionId: activeVersionId }, headers);
	},
};

it.each(Object.entries(WAYS))(
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

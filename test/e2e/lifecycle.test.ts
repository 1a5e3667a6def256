import type { StoredWebhook } from '../../sandbox';
import { until } from '../support/n8n';
import type { NodeDefinition, StoredWorkflow } from '../support/n8n';
import { actionOutput } from './support/actions';
import { ADDRESS } from './support/deployment';
import { onStage, TRIGGER } from './support/stage';

const QUIET = { advanced: { checkEvery: 0 } };

const stage = onStage();

/** Another service, in which a subscription is missing from the start: the check takes a minute. */
const watched = onStage({ isStory: true });

let workflow: StoredWorkflow;
let watchedWorkflow: StoredWorkflow;
let deleted: StoredWebhook;

beforeAll(async () => {
	watchedWorkflow = await watched.publish({ advanced: { checkEvery: 1 } });
	deleted = watched.subscription(watchedWorkflow);
	watched.sandbox.removeWebhook(deleted.id);
});

beforeEach(async () => {
	workflow = await stage.create();
});

const activate = async () => {
	await stage.n8n.workflows.activate(workflow.id);
	return stage.subscription(workflow);
};

/** Saves a changed trigger; on 2.x a change takes effect when it is published. */
const edit = async (changes: Partial<NodeDefinition>) => {
	await stage.n8n.workflows.updateNode(workflow.id, TRIGGER, changes);
	if (stage.n8n.line === '2') await stage.n8n.workflows.activate(workflow.id);
};

it('the subscription names workflow and node, follows an edit, and is paused when the workflow is archived', async () => {
	const { id, description } = await activate();
	expect(description).toBe(`n8n: On email / ${TRIGGER}`);

	const { identities } = stage.sandbox.accounts.owner;
	const identityId = identities.find(({ value }) => value === ADDRESS)!.id;
	const locator = { __rl: true, mode: 'id', value: identityId };
	await edit({ parameters: { ...QUIET, receiveFor: 'one', identityId: locator } });
	expect(stage.subscription(workflow)).toMatchObject({ id, enabled: true, identityId });

	await edit({ parameters: QUIET });
	expect(stage.subscription(workflow)).toMatchObject({ id, enabled: true, identityId: null });

	await stage.n8n.workflows.archive(workflow.id);
	expect(stage.subscription(workflow)).toMatchObject({ id, enabled: false });
});

it('the subscription is kept when its node is renamed, which loses its static data', async () => {
	const { id, url } = await activate();
	await edit({ name: 'Renamed' });
	expect(stage.sandbox.webhooks().filter((webhook) => webhook.url === url)).toEqual([
		expect.objectContaining({ id, enabled: true, description: 'n8n: On email / Renamed' }),
	]);
});

it('a workflow that is unpublished while the service is down is inactive, and emails do not start it', async () => {
	const { sandbox, n8n } = stage;
	const { id } = await activate();
	await sandbox.goDown();
	const mark = n8n.log.mark();
	await n8n.workflows.deactivate(workflow.id);
	expect((await n8n.workflows.get(workflow.id)).active).toBe(false);
	expect(n8n.log.text(mark)).toContain('On email');
	expect(n8n.log.text(mark)).not.toContain(sandbox.accounts.owner.apiKey);

	await sandbox.comeBack();
	await stage.mail('While unpublished');
	await sandbox.deliveriesSettled();
	expect(await n8n.executions.list(workflow.id)).toEqual([]);
	expect(await activate()).toMatchObject({ id, enabled: true });
});

it('Webhook → Audit finds the webhook of a workflow that is not published, and starts no workflow', async () => {
	const { n8n, sandbox, credential } = stage;
	const { id } = await stage.activate(workflow);
	const audit = async () =>
		await actionOutput(n8n, credential, { resource: 'webhook', operation: 'audit' });
	expect(await audit()).toMatchObject([{ id, healthy: true, findings: [] }]);

	await n8n.workflows.deactivate(workflow.id);
	expect(await audit()).toMatchObject([{ id, findings: [{ code: 'paused' }] }]);
	sandbox.editWebhook(id, { enabled: true });
	expect(await audit()).toMatchObject([{ id, findings: [{ code: 'notPublished' }] }]);
	expect(await n8n.executions.list(workflow.id)).toEqual([]);
});

it('a subscription that someone deletes is created again within the check interval', async () => {
	await until(
		'the deleted subscription is there again',
		() => watched.subscriptions(watchedWorkflow).length > 0,
		240_000,
	);
	const { url, events, enabled, ownerId } = deleted;
	expect(watched.subscription(watchedWorkflow)).toMatchObject({ url, events, enabled, ownerId });
	await watched.mail('After the repair');
	await watched.n8n.executions.atLeast(watchedWorkflow.id, 1);
});

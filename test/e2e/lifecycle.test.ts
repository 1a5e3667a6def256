import { until } from '../support/n8n';
import type { NodeDefinition, StoredWorkflow } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { onStage, TRIGGER } from './support/stage';

const QUIET = { advanced: { checkEvery: 0 } };

const stage = onStage();

let workflow: StoredWorkflow;

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

it('names the workflow and the node, keeps up with an edit, and is paused by archiving', async () => {
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

it('survives the renaming of its node, which loses its static data', async () => {
	const { id, url } = await activate();
	await edit({ name: 'Renamed' });
	expect(stage.sandbox.webhooks().filter((webhook) => webhook.url === url)).toEqual([
		expect.objectContaining({ id, enabled: true, description: 'n8n: On email / Renamed' }),
	]);
});

it('a workflow that is unpublished while the service is down is inactive; the log says so, and its subscription has no effect', async () => {
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

it('restores while active what someone deleted in the service', async () => {
	await edit({ parameters: { advanced: { checkEvery: 1 } } });
	const { id, ...before } = await activate();
	stage.sandbox.removeWebhook(id);
	await until(() => stage.subscriptions(workflow).length > 0, {
		describe: 'the deleted subscription is there again',
		timeout: 240_000,
	});
	const { url, events, enabled, ownerId } = before;
	expect(stage.subscription(workflow)).toMatchObject({ url, events, enabled, ownerId });
	await stage.mail('After the repair');
	await stage.n8n.executions.atLeast(workflow.id, 1);
});

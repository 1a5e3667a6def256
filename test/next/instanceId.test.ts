import { N8n, until } from '../support/n8n';
import { onStage } from '../e2e/support/stage';

const stage = onStage({ start: async () => await N8n.start({ release: '2' }) });

/** From 2.48.5 on, the ID is random and kept in the database: a new database has another one. */
it('a workflow keeps its webhook when n8n gets another instance ID, with a new secret', async () => {
	const { n8n, sandbox } = stage;
	const workflow = await stage.publish();
	const before = stage.subscription(workflow);
	await stage.mail('Before');
	await n8n.executions.atLeast(workflow.id, 1);

	await n8n.restart({ N8N_INSTANCE_ID: 'another-instance' });
	const changed = () => sandbox.webhooks().some(({ url }) => url !== before.url);
	await until('the webhook has another URL', changed);
	expect(sandbox.webhooks()).toMatchObject([{ enabled: true, id: before.id }]);

	await stage.registered(workflow);
	const [oldSecret] = await sandbox.deliver({ url: before.url, body: '{}' });
	expect(oldSecret).toMatchObject({ status: 401 });
	await stage.mail('After');
	await n8n.executions.atLeast(workflow.id, 2);
	await sandbox.deliveriesSettled();
	expect(await n8n.executions.list(workflow.id)).toHaveLength(2);
});

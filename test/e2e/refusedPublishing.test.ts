import { ActivationFailed } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { onStage, webhookPath } from './support/stage';

const stage = onStage();

const failureOf = async (workflow: StoredWorkflow): Promise<string> => {
	const failure = await stage.n8n.workflows.activate(workflow.id).then(
		() => undefined,
		(error: Error) => error,
	);
	if (!(failure instanceof ActivationFailed)) throw new Error(`n8n shows no failure: ${failure}`);
	return failure.message;
};

it('n8n shows that the service cannot create webhooks, and logs the URL to enter there', async () => {
	const { sandbox, n8n } = stage;
	sandbox.setDialect({ createStatus: 500 });
	const workflow = await stage.create();
	const mark = n8n.log.mark();
	expect(await failureOf(workflow)).toMatch(/Production URL.*for any identity/);
	const log = n8n.log.text(mark);
	expect(log).toContain(`${n8n.url}${webhookPath(workflow)}`);
	expect(log).not.toContain('switched off');
});

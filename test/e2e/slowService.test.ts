import { ActivationFailed } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { onStage, webhookPath } from './support/stage';

/** A service that takes a second for each request, as on a busy machine. */

const stage = onStage();

beforeEach(() => {
	stage.sandbox.addFault({ delayBefore: 1_000 });
});

const failureOf = async (workflow: StoredWorkflow): Promise<string> => {
	const failure = await stage.n8n.workflows.activate(workflow.id).then(
		() => undefined,
		(error: Error) => error,
	);
	if (!(failure instanceof ActivationFailed)) throw new Error(`n8n shows no failure: ${failure}`);
	return failure.message;
};

it('a workflow for one identity is published, changed and unpublished', async () => {
	const { sandbox, n8n } = stage;
	const identity = sandbox.accounts.owner.identities.find(({ value }) => value === ADDRESS)!;
	const identityId = { __rl: true, mode: 'id', value: identity.id };
	const parameters = { advanced: { checkEvery: 0 }, receiveFor: 'one', identityId };
	const workflow = await stage.publish(parameters);
	expect(stage.subscription(workflow)).toMatchObject({ enabled: true, identityId: identity.id });

	await n8n.workflows.deactivate(workflow.id);
	expect(stage.subscription(workflow).enabled).toBe(false);
	await n8n.workflows.activate(workflow.id);
	expect(stage.subscription(workflow).enabled).toBe(true);
});

it('a service that cannot create webhooks is named within the minute of n8n, and asked once', async () => {
	const { sandbox, n8n } = stage;
	sandbox.setDialect({ createStatus: 500 });
	const workflow = await stage.create();
	const mark = n8n.log.mark();
	expect(await failureOf(workflow)).toMatch(/Production URL.*for any identity/);
	expect(sandbox.requests(({ method }) => method === 'POST')).toHaveLength(1);
	const log = n8n.log.text(mark);
	expect(log).toContain(`${n8n.url}${webhookPath(workflow)}`);
	expect(log).not.toContain('switched off');
	sandbox.setDialect({ createStatus: 200 });
});

it('a key that the service refuses is named, not the time that it took', async () => {
	const { sandbox } = stage;
	sandbox.clearFaults();
	sandbox.addFault({ delayBefore: 1_000, answer: { type: 'status', status: 401 } });
	const workflow = await stage.create();
	expect(await failureOf(workflow)).toMatch(/refused the API key/);
});

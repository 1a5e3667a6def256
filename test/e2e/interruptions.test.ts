import { N8n, until } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { onStage } from './support/stage';

const stage = onStage({
	dialect: 'contract',
	// 2.x resumes what a crash interrupted when its lease has ended, after two minutes by default.
	start: async () =>
		await N8n.start({ environment: { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10' } }),
});

let workflow: StoredWorkflow;

beforeEach(async () => {
	workflow = await stage.create();
});

const isRight = () => {
	const [only, ...duplicates] = stage.subscriptions(workflow);
	return only?.enabled === true && duplicates.length === 0 && only.url.startsWith(stage.n8n.url);
};

/** Sends an email, and expects the workflow to have started for all these subjects. */
const mailStarts = async (...subjects: string[]) => {
	await stage.registered(workflow);
	await stage.mail(subjects.at(-1)!);
	expect(await stage.subjects(workflow, subjects.length)).toEqual(subjects);
};

it.each(['before', 'after'] as const)(
	'n8n that was killed %s the service made the subscription has one when it is back',
	async (moment) => {
		const { n8n, sandbox } = stage;
		// Longer than it takes to kill n8n, shorter than it takes to start it.
		const delay = moment === 'before' ? { delayBefore: 3_000 } : { delayAfter: 3_000 };
		sandbox.addFault({ method: 'POST', path: '/webhooks', count: 1, ...delay });
		const activation = n8n.workflows.activate(workflow.id).catch((error: Error) => error);
		const hasReached = () =>
			moment === 'before'
				? sandbox.requests(({ faultId }) => faultId !== null).length === 1
				: stage.subscriptions(workflow).length === 1;
		await until(hasReached, { describe: 'the service is creating the subscription' });
		await n8n.kill();
		await n8n.restart();
		await activation;
		await until(isRight, { describe: 'exactly one right subscription is there' });
	},
);

it('after a crash emails start the workflow as before, and test subscriptions that were left behind go', async () => {
	const draft = await stage.create();
	await stage.n8n.workflows.activate(workflow.id);
	await mailStarts('Before');
	await stage.listen(workflow);
	await stage.listen(draft);
	expect(stage.tests()).toHaveLength(2);
	await stage.n8n.kill();
	await stage.n8n.restart();
	await stage.noTestIsLeft();
	expect(isRight()).toBe(true);
	await mailStarts('Before', 'After');
});

it('an outage of the service while n8n starts costs no email and no subscription', async () => {
	const { n8n, sandbox } = stage;
	await n8n.workflows.activate(workflow.id);
	const before = stage.subscription(workflow);
	await sandbox.goDown();
	const mark = n8n.log.mark();
	await n8n.restart();
	await stage.logged(mark, 'On email');
	await sandbox.comeBack();
	expect((await n8n.workflows.get(workflow.id)).active).toBe(true);
	expect(stage.subscription(workflow)).toEqual(before);
	await mailStarts('After the outage');
});

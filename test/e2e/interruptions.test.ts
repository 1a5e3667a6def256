import { STOP_MS } from '../../nodes/EmailIdentity/trigger/times';
import { N8n, until } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { onStage } from './support/stage';

const stage = onStage({
	dialect: 'contract',
	start: async () => await N8n.start(),
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
	'an n8n that is killed %s the service creates the subscription has exactly one after its restart',
	async (moment) => {
		const { n8n, sandbox } = stage;
		// Longer than killing n8n takes, shorter than starting it.
		const delay = moment === 'before' ? { delayBefore: 3_000 } : { delayAfter: 3_000 };
		sandbox.addFault({ method: 'POST', path: '/webhooks', count: 1, ...delay });
		const activation = n8n.workflows.activate(workflow.id).catch((error: Error) => error);
		const hasReached = () =>
			moment === 'before'
				? sandbox.requests(({ faultId }) => faultId !== null).length === 1
				: stage.subscriptions(workflow).length === 1;
		await until('the service is creating the subscription', hasReached);
		await n8n.kill();
		await n8n.restart();
		await activation;
		await until('exactly one right subscription is there', isRight);
	},
);

it('after a crash, emails start the workflow, and earlier test subscriptions are removed', async () => {
	const draft = await stage.create();
	await stage.n8n.workflows.activate(workflow.id);
	await mailStarts('Before');
	await stage.listen(workflow);
	await stage.listen(draft);
	expect(stage.tests()).toHaveLength(2);
	await stage.n8n.kill();
	// Long after n8n stopped listening.
	for (const { id, url } of stage.tests()) {
		const over = url.replace(/until=[^&]+/, 'until=2026-01-01T00:00:00.000Z');
		stage.sandbox.editWebhook(id, { url: over });
	}
	await stage.n8n.restart();
	await stage.noTestIsLeft();
	expect(isRight()).toBe(true);
	await mailStarts('Before', 'After');
});

it('after an outage of the service during the start of n8n, the subscription is unchanged and emails start the workflow', async () => {
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

it('n8n waits for the deliveries under way when it stops, and each starts its workflow once', async () => {
	const { n8n, sandbox } = stage;
	const verifying = { advanced: { checkEvery: 0, verify: true } };
	const workflows = [await stage.publish(verifying), await stage.publish(verifying)];
	// The deliveries are under way while n8n fetches their messages.
	sandbox.addFault({ method: 'GET', path: '/messages/*', delayBefore: 1_500 });
	await stage.mail('Hello');
	const isFetch = ({ path }: { path: string }) => path.startsWith('/messages/');
	await until('both are being fetched', () => sandbox.requests(isFetch).length >= 2);
	const stopsAt = performance.now();
	await n8n.pause();
	const stopMs = performance.now() - stopsAt;
	await sandbox.deliveriesSettled();
	sandbox.clearFaults();
	await n8n.restart();
	for (const stopped of workflows) await stage.registered(stopped);
	// A busy machine may need longer than the time for which n8n waits.
	const isCutOff = sandbox.deliveries().some(({ status }) => status === null);
	if (isCutOff) expect(stopMs).toBeGreaterThan(STOP_MS.deliveries);
	const notAccepted = sandbox.deliveries().filter(({ status }) => status !== 200);
	for (const { id } of notAccepted) {
		await until('n8n accepts the delivery', async () => {
			return (await sandbox.repeatDelivery(id)).status === 200;
		});
	}
	for (const stopped of workflows) expect(await stage.subjects(stopped, 1)).toEqual(['Hello']);
});

import { N8n, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { ADDRESS, deploy } from './support/deployment';
import { sendMail } from './support/sendMail';
import {
	createTriggerWorkflow,
	startedWith,
	subscriptionOf,
	subscriptionsOf,
	TRIGGER,
	untilRegistered,
} from './support/triggers';

const DOMAIN = 'example.test';
const ELSEWHERE = 'alone@mailbox.test';

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let workflow: StoredWorkflow;

beforeAll(async () => {
	n8n = await N8n.start();
	({ sandbox, credential } = await deploy(n8n, 'observed'));
});

afterAll(async () => {
	await sandbox?.stop();
	await n8n?.stop();
});

afterEach(async () => {
	await n8n.workflows.delete(workflow.id);
	for (const { id } of sandbox.webhooks()) sandbox.removeWebhook(id);
});

const idOf = (value: string) =>
	sandbox.accounts.owner.identities.find((identity) => identity.value === value)?.id ?? '';

const forOne = async (value: string) =>
	await createTriggerWorkflow(n8n, credential, {
		receiveFor: 'one',
		identityId: { __rl: true, mode: 'id', value: idOf(value) },
	});

const mail = async (to: string, subject: string) =>
	await sendMail(sandbox.smtpPort, { from: 'a@example.org', to, subject, text: 'Hello' });

it('is paused for while the identity is gone, starts nothing for others, and is resumed', async () => {
	workflow = await forOne(ADDRESS);
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	const { identities } = sandbox.dumpState();
	const id = idOf(ADDRESS);
	sandbox.removeIdentity(id);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ enabled: true, identityId: null });
	await mail(ELSEWHERE, 'Not for this workflow');
	const delivery = await sandbox.waitForDelivery(({ status }) => status !== null);
	expect(delivery.responseBody).toContain('otherIdentity');

	await n8n.restart();
	await until(() => !subscriptionOf(sandbox, workflow).enabled, { describe: 'it is paused' });
	sandbox.replaceState({ identities });
	await n8n.restart();
	await until(() => subscriptionOf(sandbox, workflow).enabled, { describe: 'it is resumed' });
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ identityId: id });
	await untilRegistered(n8n, workflow);
	await mail(ADDRESS, 'Back');
	const [execution, ...others] = await n8n.executions.atLeast(workflow.id, 1);
	expect(startedWith(execution!).json.subject).toBe('Back');
	expect(others).toEqual([]);
});

it('is for a whole domain where the service restricts to addresses only', async () => {
	workflow = await forOne(DOMAIN);
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ enabled: true, identityId: null });
	await mail(ELSEWHERE, 'Elsewhere');
	await mail(ADDRESS, 'In the domain');
	const [execution, ...others] = await n8n.executions.atLeast(workflow.id, 1);
	await sandbox.deliveriesSettled();
	expect(startedWith(execution!).json.subject).toBe('In the domain');
	expect(others).toEqual([]);
});

it('is taken over from one made by hand where the service cannot create any', async () => {
	workflow = await forOne(ADDRESS);
	sandbox.setDialect({ createStatus: 500 });
	try {
		const refusal: Error = await n8n.workflows.activate(workflow.id).then(
			() => new Error('it did not fail'),
			(error: Error) => error,
		);
		expect(refusal.message).toMatch(/create one in the service's own page.*message\.received/);
		expect(subscriptionsOf(sandbox, workflow)).toEqual([]);
		const [url = ''] = /http:\/\/\S+\/webhook\b(?= and)/.exec(refusal.message) ?? [];
		const { id } = sandbox.addWebhook({ url });
		await n8n.workflows.activate(workflow.id);
		await untilRegistered(n8n, workflow);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({
			id,
			enabled: true,
			identityId: idOf(ADDRESS),
			description: `n8n: On email / ${TRIGGER}`,
		});
		await mail(ADDRESS, 'By hand');
		const [execution] = await n8n.executions.atLeast(workflow.id, 1);
		expect(startedWith(execution!).json.subject).toBe('By hand');
	} finally {
		sandbox.setDialect('observed');
	}
});

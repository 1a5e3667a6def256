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
	n8n = await N8n.shared();
	({ sandbox, credential } = await deploy(n8n, 'observed'));
});

afterAll(async () => {
	await sandbox?.stop();
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

it('ignores mail for others once its identity is gone, is paused at once, and resumed when the identity is back', async () => {
	workflow = await forOne(ADDRESS);
	await n8n.workflows.activate(workflow.id);
	await untilRegistered(n8n, workflow);
	const { identities } = sandbox.dumpState();
	const id = idOf(ADDRESS);
	sandbox.removeIdentity(id);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ enabled: true, identityId: null });
	// What was seen of the restriction counts for half a minute.
	await until(
		async () => {
			await mail(ELSEWHERE, 'Not for this workflow');
			await sandbox.deliveriesSettled();
			return sandbox.deliveries().at(-1)?.responseBody.includes('otherIdentity');
		},
		{ describe: 'mail for others is ignored', timeout: 90_000, interval: 3_000 },
	);
	await until(() => !subscriptionOf(sandbox, workflow).enabled, { describe: 'it is paused' });
	const { length } = await n8n.executions.list(workflow.id);
	sandbox.replaceState({ identities });
	await n8n.workflows.deactivate(workflow.id);
	await n8n.workflows.activate(workflow.id);
	expect(subscriptionOf(sandbox, workflow)).toMatchObject({ enabled: true, identityId: id });
	await untilRegistered(n8n, workflow);
	await mail(ADDRESS, 'Back');
	const executions = await n8n.executions.atLeast(workflow.id, length + 1);
	expect(executions).toHaveLength(length + 1);
	expect(startedWith(executions.at(-1)!).json.subject).toBe('Back');
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
		expect(refusal.message).toMatch(/message\.received/);
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

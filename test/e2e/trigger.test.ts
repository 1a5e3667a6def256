import { randomUUID } from 'node:crypto';
import { N8n, until } from './driver';
import type { CredentialReference, StoredWorkflow } from './driver';
import type { Sandbox } from '../../sandbox';
import { ADDRESS, deploy, DIALECTS } from './support/deployment';
import { sendMail } from './support/sendMail';
import {
	createTriggerWorkflow,
	startedWith,
	subscriptionOf,
	subscriptionsOf,
	testSubscriptions,
	TRIGGER,
} from './support/triggers';

const NAME_OF_SENDER = 'Zoë Sender';
const CONTENT = 'item,quantity\r\nstamps,80\r\n';

let n8n: N8n;

beforeAll(async () => {
	n8n = await N8n.start();
});

afterAll(async () => {
	await n8n?.stop();
});

describe.each(DIALECTS)('the trigger with a service of the %s dialect', (dialect) => {
	let sandbox: Sandbox;
	let credential: CredentialReference;
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		({ sandbox, credential } = await deploy(n8n, dialect));
	});

	beforeEach(async () => {
		workflow = await createTriggerWorkflow(n8n, credential);
	});

	afterEach(async () => {
		await n8n.workflows.delete(workflow.id);
		for (const { id } of sandbox.webhooks()) sandbox.removeWebhook(id);
	});

	afterAll(async () => {
		await sandbox?.stop();
	});

	const mail = async (subject: string) =>
		await sendMail(sandbox.smtpPort, {
			from: { name: NAME_OF_SENDER, address: 'zoe@example.org' },
			to: ADDRESS,
			subject,
			text: 'The list is attached.',
			attachments: [{ filename: 'stock list.csv', content: CONTENT, contentType: 'text/csv' }],
		});

	it('registers exactly one enabled subscription when it is activated', async () => {
		await n8n.workflows.activate(workflow.id);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({
			enabled: true,
			events: ['message.received'],
			identityId: null,
			ownerId: sandbox.accounts.owner.userId,
		});
		expect(sandbox.webhooks()).toHaveLength(1);
	});

	it("starts the workflow once for an email, with the email's fields and files", async () => {
		await n8n.workflows.activate(workflow.id);
		const messageId = await mail('Grüße aus Köln');
		const executions = await n8n.executions.atLeast(workflow.id, 1);
		await sandbox.deliveriesSettled();

		expect(executions.map(({ status, mode }) => ({ status, mode }))).toEqual([
			{ status: 'success', mode: 'webhook' },
		]);
		const { json, binary } = startedWith(executions[0]!);
		expect(json).toMatchObject({
			subject: 'Grüße aus Köln',
			from: { name: NAME_OF_SENDER, address: 'zoe@example.org' },
			to: [{ address: ADDRESS }],
			text: expect.stringContaining('The list is attached.'),
			attachments: [
				{ fileName: 'stock list.csv', mimeType: 'text/csv', size: Buffer.byteLength(CONTENT) },
			],
			thread: { id: messageId, messageId },
		});
		const [file] = Object.values(binary ?? {});
		expect(file).toMatchObject({ fileName: 'stock list.csv', mimeType: 'text/csv' });
	});

	it("starts for the mail that is meant, and not for a draft, another account's, or a repeat", async () => {
		await n8n.workflows.activate(workflow.id);
		const raw = (subject: string) =>
			`Message-ID: <${randomUUID()}@example.org>\r\nFrom: zoe@example.org\r\nSubject: ${subject}\r\n\r\nHello`;
		const { other } = sandbox.accounts;
		const foreign = other.identities.find(({ kind }) => kind === 'email')?.value ?? '';

		await (
			await sandbox.receiveMail(raw('Not for us'), { to: foreign })
		).deliveries;
		await (
			await sandbox.receiveMail(raw('Not sent yet'), {
				to: ADDRESS,
				folder: 'Drafts',
				fields: { draft: true },
			})
		).deliveries;
		const [delivery] = await (await sandbox.receiveMail(raw('Meant'), { to: ADDRESS })).deliveries;
		await sandbox.repeatDelivery(delivery?.id ?? '');

		const executions = await n8n.executions.atLeast(workflow.id, 1);
		expect(executions.map((execution) => startedWith(execution).json.subject)).toEqual(['Meant']);
		// Each was taken: nothing is refused that the service might repeat.
		const { id } = subscriptionOf(sandbox, workflow);
		const own = sandbox.deliveries(({ webhookId }) => webhookId === id);
		expect(own.filter(({ status }) => status !== 200)).toEqual([]);
	});

	it('pauses the subscription when it is deactivated, and resumes the same one afterwards', async () => {
		await n8n.workflows.activate(workflow.id);
		const { id } = subscriptionOf(sandbox, workflow);

		await n8n.workflows.deactivate(workflow.id);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id, enabled: false });

		await n8n.workflows.activate(workflow.id);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({ id, enabled: true });
		await mail('After a break');
		const [execution] = await n8n.executions.atLeast(workflow.id, 1);
		expect(startedWith(execution!).json.subject).toBe('After a break');
	});

	it('deletes the subscription when it is deactivated, if that was chosen', async () => {
		await n8n.workflows.updateNode(workflow.id, TRIGGER, {
			parameters: { options: { onDeactivation: 'delete', checkEvery: 0 } },
		});
		await n8n.workflows.activate(workflow.id);
		await n8n.workflows.deactivate(workflow.id);
		expect(subscriptionsOf(sandbox, workflow)).toEqual([]);
	});

	it('listens for a test event beside the active workflow, which misses nothing', async () => {
		await n8n.workflows.activate(workflow.id);
		const production = subscriptionOf(sandbox, workflow);
		await n8n.workflows.listen(workflow.id, TRIGGER);
		await until(() => testSubscriptions(sandbox).length === 1, {
			describe: 'the test subscription exists',
		});

		await mail('For both');
		const executions = await n8n.executions.atLeast(workflow.id, 2);
		expect(executions.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
		for (const execution of executions) {
			expect(startedWith(execution).json.subject).toBe('For both');
		}
		await until(() => testSubscriptions(sandbox).length === 0, {
			describe: 'the test subscription is gone',
		});
		expect(subscriptionOf(sandbox, workflow)).toEqual(production);
	});

	it('says in the editor why an email would not start the workflow, and ends the listening', async () => {
		const filtering = await createTriggerWorkflow(n8n, credential, {
			filters: { subject: 'invoice' },
		});
		await n8n.workflows.listen(filtering.id, TRIGGER);
		await mail('Something private');
		const [execution] = await n8n.executions.atLeast(filtering.id, 1);

		expect(execution).toMatchObject({ mode: 'manual', status: 'error' });
		expect(execution?.error?.message).toBe(
			'This email would not start the workflow: the filter Subject Contains holds it back',
		);
		expect(JSON.stringify(execution)).not.toContain('private');
		await until(() => testSubscriptions(sandbox).length === 0, {
			describe: 'the test subscription is gone',
		});
		await n8n.workflows.delete(filtering.id);
	});

	it('leaves nothing behind when listening is cancelled', async () => {
		const cancel = await n8n.workflows.listen(workflow.id, TRIGGER);
		expect(testSubscriptions(sandbox)).toHaveLength(1);
		await cancel();
		await until(() => sandbox.webhooks().length === 0, { describe: 'no subscription is left' });
	});

	it('says what to do when it cannot be activated, and leaves no enabled subscription', async () => {
		sandbox.rotateKey('owner');
		await expect(n8n.workflows.activate(workflow.id)).rejects.toThrow(/API key/);
		expect(sandbox.webhooks().filter(({ enabled }) => enabled)).toEqual([]);
		await sandbox.stop();
		({ sandbox, credential } = await deploy(n8n, dialect));
	});
});

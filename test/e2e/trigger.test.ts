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

const CONTENT = 'item,quantity\r\nstamps,80\r\n';

/** Same workspace as the owner of the API key, but not shared with them. */
const COLLEAGUE = 'colleague@mailbox.test';

let n8n: N8n;

beforeAll(async () => {
	n8n = await N8n.shared();
});

const mail = async ({ smtpPort }: Sandbox, subject: string) =>
	await sendMail(smtpPort, {
		from: { name: 'Zoë Sender', address: 'zoe@example.org' },
		to: ADDRESS,
		subject,
		text: 'The list is attached.',
		attachments: [{ filename: 'stock list.csv', content: CONTENT, contentType: 'text/csv' }],
	});

it.each(DIALECTS)(
	'subscribes, starts once for an email with its fields and files, pauses and resumes (%s)',
	async (dialect) => {
		const { sandbox, credential } = await deploy(n8n, dialect);
		const workflow = await createTriggerWorkflow(n8n, credential);
		await n8n.workflows.activate(workflow.id);
		const { id, url } = subscriptionOf(sandbox, workflow);
		expect(subscriptionOf(sandbox, workflow)).toMatchObject({
			enabled: true,
			events: ['message.received'],
			identityId: null,
			ownerId: sandbox.accounts.owner.userId,
		});

		const messageId = await mail(sandbox, 'Grüße aus Köln');
		const executions = await n8n.executions.atLeast(workflow.id, 1);
		await sandbox.deliveriesSettled();
		expect(executions).toMatchObject([{ status: 'success', mode: 'webhook' }]);
		const { json, binary } = startedWith(executions[0]!);
		expect(json).toMatchObject({
			subject: 'Grüße aus Köln',
			from: { name: 'Zoë Sender', address: 'zoe@example.org' },
			to: [{ address: ADDRESS }],
			text: expect.stringContaining('The list is attached.'),
			attachments: [
				{ fileName: 'stock list.csv', mimeType: 'text/csv', size: Buffer.byteLength(CONTENT) },
			],
			thread: { id: messageId, messageId },
		});
		expect(Object.values(binary ?? {})).toMatchObject([
			{ fileName: 'stock list.csv', mimeType: 'text/csv' },
		]);

		await n8n.workflows.deactivate(workflow.id);
		expect(sandbox.webhooks()).toMatchObject([{ id, url, enabled: false }]);
		await n8n.workflows.activate(workflow.id);
		expect(sandbox.webhooks()).toMatchObject([{ id, url, enabled: true }]);
		await n8n.workflows.delete(workflow.id);
		await sandbox.stop();
	},
);

describe('with the observed service', () => {
	let sandbox: Sandbox;
	let credential: CredentialReference;
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		({ sandbox, credential } = await deploy(n8n, 'observed'));
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

	it("starts for the mail that is meant, not for a draft, other people's mail or a repeat, and logs why without content", async () => {
		const [owner, other] = sandbox.dumpState().accounts;
		const { workspaceId } = owner!;
		sandbox.addIdentity({ value: COLLEAGUE, ownerId: other!.userId, workspaceId });
		await n8n.workflows.activate(workflow.id);
		const mark = n8n.log.mark();
		const stranger = sandbox.accounts.other.identities.find(({ kind }) => kind === 'email')!.value;
		const receive = async (subject: string, to: string, extra: object = {}) => {
			const raw = `Message-ID: <${randomUUID()}@example.org>\r\nFrom: zoe@example.org\r\nSubject: ${subject}\r\n\r\nHello`;
			return await (
				await sandbox.receiveMail(raw, { to, ...extra })
			).deliveries;
		};

		const ignored = [
			...(await receive('Xylophone', stranger)),
			...(await receive('Theremin', COLLEAGUE)),
			...(await receive('Bassoon', ADDRESS, { folder: 'Drafts', fields: { draft: true } })),
		];
		const [meant] = await receive('Meant', ADDRESS);
		ignored.push(await sandbox.repeatDelivery(meant!.id));

		const executions = await n8n.executions.atLeast(workflow.id, 1);
		expect(executions.map((execution) => startedWith(execution).json.subject)).toEqual(['Meant']);
		// Services repeat nothing of what is answered 200.
		expect(ignored.map(({ status, responseBody }) => [status, reasonIn(responseBody)])).toEqual([
			[200, 'foreign'],
			[200, 'foreign'],
			[200, 'draft'],
			[200, 'duplicate'],
		]);
		await until(() => n8n.log.text(mark).includes('foreign'), { describe: 'the log says why' });
		expect(n8n.log.text(mark)).not.toMatch(/Xylophone|Theremin|Bassoon|colleague@|zoe@/);
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

		await mail(sandbox, 'For both');
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

	it('says in the editor which filter an email does not match, and stops listening', async () => {
		await n8n.workflows.updateNode(workflow.id, TRIGGER, {
			parameters: { filters: { subject: 'invoice' } },
		});
		await n8n.workflows.listen(workflow.id, TRIGGER);
		await mail(sandbox, 'Hello');
		const [execution] = await n8n.executions.atLeast(workflow.id, 1);

		expect(execution).toMatchObject({ mode: 'manual', status: 'error' });
		expect(execution?.error?.message).toMatch(/filter Subject Contains/);
		await until(() => testSubscriptions(sandbox).length === 0, {
			describe: 'the test subscription is gone',
		});
	});

	it('says what to do when it cannot be activated, and leaves no enabled subscription', async () => {
		const { sandbox: other, credential: revoked } = await deploy(n8n, 'observed');
		other.rotateKey('owner');
		const broken = await createTriggerWorkflow(n8n, revoked);
		await expect(n8n.workflows.activate(broken.id)).rejects.toThrow(/API key/);
		expect(other.webhooks().filter(({ enabled }) => enabled)).toEqual([]);
		await n8n.workflows.delete(broken.id);
		await other.stop();
	});
});

function reasonIn(responseBody: string): unknown {
	return (JSON.parse(responseBody) as { reason?: unknown }).reason;
}

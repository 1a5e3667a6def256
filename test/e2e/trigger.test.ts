import { ADDRESS, CREDENTIAL_TYPE, DIALECTS } from './support/deployment';
import { eventOf, post } from './support/deliveries';
import { onStage, Stage, startedWith, TRIGGER, webhookPath } from './support/stage';

const CONTENT = 'item,quantity\r\nstamps,80\r\n';

const WITH_A_FILE = {
	from: { name: 'Zoë Sender', address: 'zoe@example.org' },
	text: 'The list is attached.',
	attachments: [{ filename: 'stock list.csv', content: CONTENT, contentType: 'text/csv' }],
};

it.each(DIALECTS)(
	'an email starts a published workflow once, with its fields and files; unpublishing pauses the subscription (%s)',
	async (dialect) => {
		const stage = new Stage({ dialect });
		await stage.open();
		const { n8n, sandbox } = stage;
		const workflow = await stage.create();
		await n8n.workflows.activate(workflow.id);
		const { id, url } = stage.subscription(workflow);
		expect(stage.subscription(workflow)).toMatchObject({
			enabled: true,
			events: ['message.received'],
			identityId: null,
			ownerId: sandbox.accounts.owner.userId,
		});

		const messageId = await stage.mail('Grüße aus Köln', WITH_A_FILE);
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
		await stage.close();
	},
);

describe('with the observed service', () => {
	const stage = onStage();

	/** n8n passes a body to the node in another way for each of these. */
	it.each<[string, Record<string, string>]>([
		['application/json', { 'content-type': 'application/json' }],
		['text/plain', { 'content-type': 'text/plain;charset=UTF-8' }],
		['no content type', {}],
	])('a delivery with %s starts the workflow, a malformed one does not', async (_, headers) => {
		const workflow = await stage.publish();
		const { url } = stage.subscription(workflow);
		const malformed = '{"event":"message.received","data":{';
		expect([400, 422]).toContain(await post(url, malformed, headers));
		expect(await post(url, eventOf('m-1'), headers)).toBe(200);
		expect(await stage.subjects(workflow, 1)).toEqual(['Message m-1']);
	});

	it('a repeated delivery does not start the workflow', async () => {
		const { sandbox, n8n } = stage;
		const workflow = await stage.publish();
		await stage.mail('Once');
		expect(await stage.subjects(workflow, 1)).toEqual(['Once']);
		await sandbox.deliveriesSettled();
		const delivery = sandbox.deliveries().at(-1);
		const { status, responseBody } = await sandbox.repeatDelivery(delivery!.id);
		// Services repeat nothing that is answered 200.
		expect([status, JSON.parse(responseBody)]).toMatchObject([200, { reason: 'duplicate' }]);
		expect(await n8n.executions.list(workflow.id)).toHaveLength(1);
	});

	describe('listening for a test event', () => {
		it('an email starts the test and the active workflow, and no test subscription is left', async () => {
			const workflow = await stage.publish();
			const production = stage.subscription(workflow);
			await stage.listen(workflow);
			expect(stage.tests()).toMatchObject([
				{ enabled: true, description: `[Test] n8n: On email / ${TRIGGER}` },
			]);

			await stage.mail('For both');
			const executions = await stage.n8n.executions.atLeast(workflow.id, 2);
			expect(executions.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
			expect(await stage.subjects(workflow, 2)).toEqual(['For both', 'For both']);
			await stage.noTestIsLeft();
			expect(stage.subscription(workflow)).toEqual(production);
		});

		it('two people share one test subscription, which is removed when one cancels', async () => {
			const workflow = await stage.create();
			await stage.listen(workflow);
			const cancel = await stage.listen(workflow);
			expect(stage.tests()).toHaveLength(1);
			await cancel();
			await stage.noTestIsLeft();
			expect(stage.subscriptions(workflow)).toEqual([]);
		});

		it('the editor shows which filter an email does not match, and the test ends', async () => {
			const workflow = await stage.create({ filters: { subject: 'invoice' } });
			await stage.listen(workflow);
			await stage.mail('Hello');
			const [execution] = await stage.n8n.executions.atLeast(workflow.id, 1);
			expect(execution).toMatchObject({ mode: 'manual', status: 'error' });
			expect(execution?.error?.message).toMatch(/filter Subject Contains/);
			await stage.noTestIsLeft();
		});

		it('Use Sample Email gives the sample with its file each time, without the service', async () => {
			const unreachable = { baseUrl: 'http://127.0.0.1:1', apiKey: 'any-key' };
			const credential = await stage.n8n.credentials.create(CREDENTIAL_TYPE, unreachable);
			const workflow = await stage.create(
				{ filters: { from: 'another@else.example' }, useSampleEmail: true },
				credential,
			);
			for (const times of [1, 2]) {
				await stage.listen(workflow);
				const items = await stage.started(workflow, times);
				expect(items).toHaveLength(times);
				expect(items.at(-1)).toMatchObject({
					json: { subject: 'Invoice 2026-042', from: { name: 'Ada Lovelace' } },
					binary: {
						attachment_0: { fileName: 'invoice-2026-042.pdf', mimeType: 'application/pdf' },
					},
				});
				const testUrl = `${stage.n8n.url}${webhookPath(workflow).replace('webhook', 'webhook-test')}`;
				expect((await fetch(testUrl, { method: 'POST' })).status).toBe(404);
			}
		});
	});
});

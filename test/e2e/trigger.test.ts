import type { StoredWebhook } from '../../sandbox';
import { until } from '../support/n8n';
import type { NodeDefinition, StoredWorkflow } from '../support/n8n';
import { actionOutput } from './support/actions';
import { eventOf, post } from './support/deliveries';
import { ADDRESS, CREDENTIAL_TYPE } from './support/deployment';
import { onStage, TRIGGER, webhookPath } from './support/stage';

const stage = onStage();

/** In another service, a subscription is missing while the other tests run: the check takes more than a minute. */
const watched = onStage({ isStory: true });

let watchedWorkflow: StoredWorkflow;
let deleted: StoredWebhook;

beforeAll(async () => {
	watchedWorkflow = await watched.publish({ advanced: { checkEvery: 1 } });
	deleted = watched.subscription(watchedWorkflow);
	watched.sandbox.removeWebhook(deleted.id);
});

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
	// Services do not repeat what is answered 200.
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

	it('two people share one test subscription, which is removed when one of them cancels', async () => {
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
		expect(execution?.error?.message).toMatch(/filter 'Subject Contains'/);
		await stage.noTestIsLeft();
	});

	it('Use Sample Email returns the sample with its file each time, without the service', async () => {
		const unreachable = { baseUrl: 'http://127.0.0.1:1', apiKey: 'any-key' };
		const credential = await stage.n8n.credentials.create(CREDENTIAL_TYPE, unreachable);
		const workflow = await stage.create(
			{ filters: { from: 'another@else.example', hasAttachments: true }, useSampleEmail: true },
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

describe('the subscription of a workflow', () => {
	const QUIET = { advanced: { checkEvery: 0 } };

	let workflow: StoredWorkflow;

	beforeEach(async () => {
		workflow = await stage.create();
	});

	const activate = async () => {
		await stage.n8n.workflows.activate(workflow.id);
		return stage.subscription(workflow);
	};

	/** Saves a changed trigger; on 2.x a change takes effect when it is published. */
	const edit = async (changes: Partial<NodeDefinition>) => {
		await stage.n8n.workflows.updateNode(workflow.id, TRIGGER, changes);
		if (stage.n8n.line === '2') await stage.n8n.workflows.activate(workflow.id);
	};

	it('the subscription names workflow and node, changes with them, and is paused when the workflow is archived', async () => {
		const { id, description } = await activate();
		expect(description).toBe(`n8n: On email / ${TRIGGER}`);

		const { identities } = stage.sandbox.accounts.owner;
		const identityId = identities.find(({ value }) => value === ADDRESS)!.id;
		const locator = { __rl: true, mode: 'id', value: identityId };
		await edit({ parameters: { ...QUIET, receiveFor: 'one', identityId: locator } });
		expect(stage.subscription(workflow)).toMatchObject({ id, enabled: true, identityId });

		await edit({ parameters: QUIET });
		expect(stage.subscription(workflow)).toMatchObject({ id, enabled: true, identityId: null });

		await stage.n8n.workflows.archive(workflow.id);
		expect(stage.subscription(workflow)).toMatchObject({ id, enabled: false });
	});

	it('the subscription is kept when its node is renamed, although its static data is lost', async () => {
		const { id, url } = await activate();
		await edit({ name: 'Renamed' });
		expect(stage.sandbox.webhooks().filter((webhook) => webhook.url === url)).toEqual([
			expect.objectContaining({ id, enabled: true, description: 'n8n: On email / Renamed' }),
		]);
	});

	it('a workflow that is unpublished while the service is down is inactive, and emails do not start it', async () => {
		const { sandbox, n8n } = stage;
		const { id } = await activate();
		await sandbox.goDown();
		const mark = n8n.log.mark();
		await n8n.workflows.deactivate(workflow.id);
		expect((await n8n.workflows.get(workflow.id)).active).toBe(false);
		expect(n8n.log.text(mark)).toContain('On email');
		expect(n8n.log.text(mark)).not.toContain(sandbox.accounts.owner.apiKey);

		await sandbox.comeBack();
		await stage.mail('While unpublished');
		await sandbox.deliveriesSettled();
		expect(await n8n.executions.list(workflow.id)).toEqual([]);
		expect(await activate()).toMatchObject({ id, enabled: true });
	});

	it('Webhook → Audit finds the webhook of a workflow that is not published, and starts no workflow', async () => {
		const { n8n, sandbox, credential } = stage;
		const { id } = await stage.activate(workflow);
		const audit = async () => {
			const parameters = { resource: 'webhook', operation: 'audit' };
			const [{ findings = [] } = {}] = await actionOutput(n8n, credential, parameters);
			return (findings as Array<{ code: string }>).map(({ code }) => code);
		};
		// This n8n is in a private network.
		expect(await audit()).toEqual(['privateNetwork']);

		await n8n.workflows.deactivate(workflow.id);
		expect(await audit()).toEqual(['paused', 'privateNetwork']);
		sandbox.editWebhook(id, { enabled: true });
		expect(await audit()).toEqual(['notPublished', 'privateNetwork']);
		expect(await n8n.executions.list(workflow.id)).toEqual([]);
	});
});

it('a subscription that someone deletes is created again within the check interval', async () => {
	await until(
		'the deleted subscription is there again',
		() => watched.subscriptions(watchedWorkflow).length > 0,
		240_000,
	);
	const { url, events, enabled, ownerId } = deleted;
	expect(watched.subscription(watchedWorkflow)).toMatchObject({ url, events, enabled, ownerId });
	await watched.mail('After the repair');
	await watched.n8n.executions.atLeast(watchedWorkflow.id, 1);
});

import { chain, itemsOf, manualTrigger, N8n, until } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { linksIn } from '../support/questionLinks';
import { ACTION_NODE, actionOutput } from '../e2e/support/actions';
import {
	ADDRESS,
	CREDENTIAL_TYPE,
	credentialData,
	deploy,
	STOCK_LIST,
} from '../e2e/support/deployment';
import { askingNode, sendAnswer } from '../e2e/support/questions';
import { onStage, TRIGGER_NODE } from '../e2e/support/stage';

/**
 * The basics as one story: each test continues the one before. Short enough for every supported n8n; the rest is tested in two of
 * them.
 */
const stage = onStage({
	dialect: 'contract',
	isStory: true,
	start: async () => await N8n.start(),
});

let workflow: StoredWorkflow;

/** The contract has no sending. */
let sending: Awaited<ReturnType<typeof deploy>> | undefined;

afterAll(async () => await sending?.sandbox.stop());

beforeAll(async () => {
	workflow = await stage.create();
});

it('n8n loads the credential and both nodes', async () => {
	const names = async (kind: string) =>
		(await stage.n8n.session.call<{ name: string }[]>('GET', `/types/${kind}.json`)).map(
			({ name }) => name,
		);
	expect(await names('nodes')).toEqual(expect.arrayContaining([ACTION_NODE, TRIGGER_NODE]));
	expect(await names('credentials')).toContain(CREDENTIAL_TYPE);
});

it('the credential test accepts the right key and refuses a wrong one', async () => {
	const data = credentialData(stage.sandbox);
	const test = async (changes: object) =>
		await stage.n8n.credentials.test(CREDENTIAL_TYPE, { ...data, ...changes });
	expect(await test({})).toMatchObject({ status: 'OK' });
	const refused = await test({ apiKey: 'no-such-key' });
	expect(refused).toMatchObject({ status: 'Error', message: expect.stringMatching(/API key/) });
	expect(refused.message).not.toContain('no-such-key');
});

it('Identity → Get Many returns the identities', async () => {
	const parameters = { resource: 'identity', operation: 'getAll', returnAll: true };
	const identities = await actionOutput(stage.n8n, stage.credential, parameters);
	const values = identities.map(({ value }) => value);
	expect(values).toEqual(expect.arrayContaining([ADDRESS]));
});

it('publishing creates one subscription', async () => {
	await stage.n8n.workflows.activate(workflow.id);
	expect(stage.subscription(workflow)).toMatchObject({ enabled: true });
	expect(stage.sandbox.webhooks()).toHaveLength(1);
});

it('an email starts the workflow once, with its text and file', async () => {
	const text = 'The list is attached.';
	await stage.mail('Grüße aus Köln', { text, attachments: [STOCK_LIST] });
	const [item, ...others] = await stage.started(workflow, 1);
	await stage.sandbox.deliveriesSettled();
	expect(others).toEqual([]);
	expect(item?.json).toMatchObject({
		subject: 'Grüße aus Köln',
		text: expect.stringContaining(text),
		attachments: [{ fileName: 'stock list.csv', size: STOCK_LIST.content.length }],
	});
	expect(Object.values(item?.binary ?? {})).toEqual([
		expect.objectContaining({ fileName: 'stock list.csv', mimeType: 'text/csv' }),
	]);
});

it('unpublishing pauses the subscription, and publishing resumes it', async () => {
	const { id } = stage.subscription(workflow);
	await stage.n8n.workflows.deactivate(workflow.id);
	expect(stage.subscription(workflow)).toMatchObject({ id, enabled: false });
	await stage.n8n.workflows.activate(workflow.id);
	expect(stage.subscription(workflow)).toMatchObject({ id, enabled: true });
	await stage.mail('After a break');
	expect(await stage.subjects(workflow, 2)).toEqual(['Grüße aus Köln', 'After a break']);
});

it('a subscription that was paused while n8n was down is resumed at its start', async () => {
	const { id } = stage.subscription(workflow);
	await stage.n8n.pause();
	stage.sandbox.editWebhook(id, { enabled: false });
	await stage.n8n.restart();
	await until('the subscription is resumed', () => stage.subscription(workflow).enabled);
	await stage.mail('After a restart');
	expect((await stage.subjects(workflow, 3)).slice(2)).toEqual(['After a restart']);
});

it('an email starts a listening test, and no test subscription is left', async () => {
	await stage.n8n.workflows.deactivate(workflow.id);
	await stage.listen(workflow);
	expect(stage.tests()).toHaveLength(1);
	await stage.mail('A test');
	expect((await stage.subjects(workflow, 4)).slice(3)).toEqual(['A test']);
	await stage.noTestIsLeft();
});

it('the answer to a question continues the workflow, or nothing is sent because this n8n signs no links', async () => {
	sending = await deploy(stage.n8n, 'observed');
	const { sandbox, credential } = sending;
	const nodes = [manualTrigger('Start'), askingNode(credential)];
	const { id } = await stage.n8n.workflows.create(chain('Ask', nodes));
	const execution = await stage.n8n.workflows.run(id, 'Start');
	const current = async () => await stage.n8n.executions.get(execution);
	await until('the workflow waits or has failed', async () =>
		['waiting', 'error'].includes((await current()).status),
	);
	const [email] = sandbox.sentEmails();
	if (email === undefined) {
		const { nodes: runs } = await stage.n8n.executions.ended(execution);
		expect(runs.Ask?.[0]?.error?.description).toContain('1.107');
		return;
	}
	const [approve = ''] = linksIn(email.text);
	expect((await fetch(approve)).status).toBe(200);
	const unsigned = approve.replace(/signature=\w/, 'signature=-');
	expect(await sendAnswer(unsigned, { answer: 'approve' })).toBe(401);
	expect((await current()).status).toBe('waiting');
	expect(await sendAnswer(approve, { answer: 'approve' })).toBe(200);
	const [item] = itemsOf(await stage.n8n.executions.ended(execution), 'Ask');
	expect(item?.json).toMatchObject({ data: { approved: true } });
});

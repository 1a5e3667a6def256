import { itemsOf, until } from '../support/n8n';
import type { Execution, NodeDefinition, StoredWorkflow } from '../support/n8n';
import { ACTION_NODE } from './support/actions';
import { ADDRESS } from './support/deployment';
import { startLanguageModel } from './support/languageModel';
import { editFields, messageNode, triggerNode, workflowOf } from './support/nodes';
import { onStage, TRIGGER } from './support/stage';

const ADA = 'ada@example.org';
const OTHER_OWN_ADDRESS = 'support@example.test';

const stage = onStage();

const trigger = (parameters?: object, name?: string) =>
	triggerNode(stage.credential, parameters, name);

const message = (operation: string, parameters: object, name = 'Reply') =>
	messageNode(stage.credential, operation, parameters, name);

const reply = (text = 'Thank you') => message('reply', { text });

async function publish(name: string, nodes: NodeDefinition[], lines: string[]) {
	const workflow = stage.keep(await stage.n8n.workflows.create(workflowOf(name, nodes, lines)));
	await stage.activate(workflow);
	return workflow;
}

const executionOf = async ({ id }: StoredWorkflow, count = 1): Promise<Execution> => {
	const all = await stage.n8n.executions.atLeast(id, count);
	await stage.sandbox.deliveriesSettled();
	return all.at(-1)!;
};

const repliesOf = (execution: Execution, node = 'Reply') =>
	itemsOf(execution, node).map(({ json }) => json);

const sent = () => stage.sandbox.sentEmails();

const PDFS = ['a.pdf', 'b.pdf'].map((filename) => ({ filename, content: `%PDF ${filename}` }));

it('the tutorial with a node before Reply: two PDFs get one reply, a robot and a forged own address none', async () => {
	const workflow = await publish(
		'Tutorial',
		[trigger({ output: 'attachment', ignore: [] }), editFields(), reply()],
		[`${TRIGGER} > Edit Fields`, 'Edit Fields > Reply'],
	);
	await stage.mail('Invoices', { from: ADA, attachments: PDFS });
	const results = repliesOf(await executionOf(workflow));
	expect(results).toMatchObject([{ sent: true, reason: null, to: ADA }, { sent: true }]);
	expect(sent()).toMatchObject([{ from: ADDRESS, to: [ADA], subject: 'Re: Invoices' }]);

	const headers = { 'Auto-Submitted': 'auto-replied' };
	await stage.mail('Away', { from: ADA, attachments: PDFS, headers });
	const away = await executionOf(workflow, 2);
	expect(away.status).toBe('success');
	expect(repliesOf(away)[0]).toMatchObject({ sent: false, reason: 'automatic', to: null });

	await stage.mail('Forged', { from: ADA, replyTo: OTHER_OWN_ADDRESS, attachments: PDFS });
	const forged = repliesOf(await executionOf(workflow, 3));
	expect(forged[0]).toMatchObject({ sent: false, reason: 'ownAddress' });
	expect(sent()).toHaveLength(1);
});

it('Reply answers the email behind Filter and Merge, once for each run of a loop', async () => {
	const always = {
		leftValue: 'a',
		rightValue: '',
		operator: { type: 'string', operation: 'notEmpty' },
	};
	const nodes = [
		trigger(),
		{
			name: 'Filter',
			type: 'n8n-nodes-base.filter',
			typeVersion: 2.2,
			parameters: { conditions: { options: { version: 2 }, conditions: [always] } },
		},
		editFields(),
		{ name: 'Merge', type: 'n8n-nodes-base.merge', typeVersion: 3, parameters: {} },
		{ name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3, parameters: {} },
		reply(),
	];
	const workflow = await publish('Loop', nodes, [
		`${TRIGGER} > Filter`,
		`${TRIGGER} > Edit Fields`,
		'Filter > Merge',
		'Edit Fields > Merge (1)',
		'Merge > Loop',
		'Loop (1) > Reply',
		'Reply > Loop',
	]);
	await stage.mail('Loop', { from: ADA });
	const execution = await executionOf(workflow);
	expect(execution.nodes.Reply).toHaveLength(2);
	expect(sent().map(({ to, subject }) => ({ to, subject }))).toEqual(
		Array(2).fill({ to: [ADA], subject: 'Re: Loop' }),
	);
});

it('of two triggers, Reply answers the email of the one that started the workflow', async () => {
	const nodes = [
		trigger({ filters: { subject: 'One' } }),
		trigger({ filters: { subject: 'Two' } }, 'Other Trigger'),
		editFields(),
		reply(),
	];
	const definition = workflowOf('Two triggers', nodes, [
		`${TRIGGER} > Edit Fields`,
		'Other Trigger > Edit Fields',
		'Edit Fields > Reply',
	]);
	const workflow = stage.keep(await stage.n8n.workflows.create(definition));
	await stage.n8n.workflows.activate(workflow.id);
	await until('both triggers have a webhook', () => stage.sandbox.webhooks().length === 2);
	await stage.registered(workflow);
	await stage.mail('Two', { from: ADA });
	expect(repliesOf(await executionOf(workflow))).toMatchObject([{ to: ADA, subject: 'Re: Two' }]);
});

it('in a sub-workflow, Reply answers the email that it gets as an item', async () => {
	const start = {
		name: 'Start',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	};
	const { n8n } = stage;
	const definition = workflowOf('Sub', [start, reply()], ['Start > Reply']);
	const called = stage.keep(await n8n.workflows.create(definition));
	// n8n 2 calls published workflows only.
	if (n8n.line === '2') await n8n.workflows.activate(called.id);
	const call = {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { workflowId: { __rl: true, mode: 'id', value: called.id } },
	};
	const workflow = await publish('Caller', [trigger(), call], [`${TRIGGER} > Call`]);
	await stage.mail('Sub', { from: ADA });
	expect(repliesOf(await executionOf(workflow), 'Call')).toMatchObject([{ sent: true, to: ADA }]);
});

const EVIL = {
	text: 'ok',
	to: 'eve@evil.example',
	subject: 'Evil',
	identityId: { mode: 'address', value: OTHER_OWN_ADDRESS },
	emailToAnswer: 'other',
	messageId: 'evil',
	url: 'https://evil.example/hook',
	thread: { answer: { to: 'eve@evil.example', subject: 'Evil' } },
	delivery: { id: 'evil', recipient: OTHER_OWN_ADDRESS },
};

describe.each([2.2, 3])('behind an AI Agent %d', (typeVersion) => {
	it('tools take nothing from a model but what comes from it by the fields, whatever it passes', async () => {
		const model = await startLanguageModel(/./, 'Done', EVIL);
		stage.afterwards(() => model.stop());
		const key = { apiKey: 'none', url: model.baseUrl };
		const openAiApi = await stage.n8n.credentials.create('openAiApi', key);
		const tool = (name: string, parameters: object) => ({
			...message('', {}, name),
			type: `${ACTION_NODE}Tool`,
			parameters: { descriptionType: 'manual', toolDescription: name, ...parameters },
		});
		const text = "={{ $fromAI('text', '', 'string') }}";
		const nodes = [
			trigger(),
			{
				name: 'AI Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion,
				parameters: { promptType: 'define', text: 'Answer', options: {} },
			},
			{
				name: 'Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				parameters: { model: { __rl: true, mode: 'id', value: 'any' }, options: {} },
				credentials: { openAiApi },
			},
			tool('Reply', { resource: 'message', operation: 'reply', text }),
			tool('Send', {
				resource: 'message',
				operation: 'send',
				identityId: { __rl: true, mode: 'address', value: ADDRESS },
				to: 'colleague@example.org',
				subject: 'Fixed',
				text,
			}),
			tool('Create', {
				resource: 'webhook',
				operation: 'create',
				url: 'https://fixed.example/hook',
				receiveFor: 'all',
			}),
			{ ...reply("={{ 'After: ' + $json.output }}"), name: 'Reply After' },
		];
		const workflow = await publish(`Agent ${typeVersion}`, nodes, [
			`${TRIGGER} > AI Agent`,
			'Model > AI Agent: ai_languageModel',
			'Reply > AI Agent: ai_tool',
			'Send > AI Agent: ai_tool',
			'Create > AI Agent: ai_tool',
			'AI Agent > Reply After',
		]);
		await stage.mail('Question', { from: ADA });
		const execution = await executionOf(workflow);
		expect(execution.error).toBeUndefined();
		expect(model.toolResults.join()).toMatch(/"sent":true/);
		const emails = sent().map(({ from, to, subject, text: words }) => [
			from,
			to[0],
			subject,
			words,
		]);
		expect(emails.sort()).toEqual([
			[ADDRESS, ADA, 'Re: Question', 'After: Done'],
			[ADDRESS, ADA, 'Re: Question', 'ok'],
			[ADDRESS, 'colleague@example.org', 'Fixed', 'ok'],
		]);
		expect(stage.sandbox.webhooks().map(({ url }) => new URL(url).host)).not.toContain(
			'evil.example',
		);
	});
});

it('a sample email gets no reply, and Send sends nothing either', async () => {
	const nodes = [
		trigger({ useSampleEmail: true }),
		editFields(),
		reply(),
		message(
			'send',
			{
				identityId: { __rl: true, mode: 'address', value: ADDRESS },
				to: ADA,
				subject: 'Hello',
				text: 'Hello',
			},
			'Send',
		),
	];
	const lines = [`${TRIGGER} > Edit Fields`, 'Edit Fields > Reply', 'Reply > Send'];
	const workflow = stage.keep(await stage.n8n.workflows.create(workflowOf('Sample', nodes, lines)));
	await stage.listen(workflow);
	const execution = await executionOf(workflow);
	expect(repliesOf(execution)).toMatchObject([
		{ sent: false, reason: 'sampleEmail', to: ADA, subject: 'Re: Do you deliver to Norway?' },
	]);
	expect(repliesOf(execution, 'Send')).toMatchObject([{ sent: false, reason: 'sampleEmail' }]);
	expect(sent()).toEqual([]);
});

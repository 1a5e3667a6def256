import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	actionNodeAs,
	chosen,
	jsonOf,
	nodeIn,
	receive,
	requestLines,
	run,
	sandbox,
	useSandbox,
} from '../support/operation';

useSandbox({ dialect: 'fork' });

const FROM = { identityId: chosen('sales@example.test', 'address') };

const posts = () => requestLines().filter((line) => line.startsWith('POST'));

const emailOf = (id: string | null, to = 'ada@example.org') => ({
	thread: { answer: { to, subject: 'Re: Order 17' }, noAnswer: null },
	delivery: { id, recipient: 'sales@example.test' },
});

/** An execution that a trigger started with an item, which nodes in between replaced. */
const startedBy = (json: IDataObject) => ({
	others: [
		{
			name: 'Mail',
			type: 'n8n-nodes-email-identity.emailIdentityTrigger',
			items: [{ json }],
		},
	],
	connections: ['Start > Node Under Test', 'Mail > Node Under Test'],
});

const received = async () =>
	await receive('From: ada@example.org\r\nMessage-ID: <17@example.org>\r\nSubject: Hi\r\n\r\nHi');

test('the option Subject replaces the subject of the email', async () => {
	const execution = startedBy(emailOf(await received()));
	const options = { subject: 'About your order' };
	const [item] = jsonOf(await run('message reply', { text: 'Hi', options }, execution));
	expect(item).toMatchObject({ sent: true, to: 'ada@example.org', subject: options.subject });
});

test('the option From replaces the address that received the email', async () => {
	const execution = startedBy(emailOf(await received()));
	const options = { identityId: chosen('support@example.test', 'address') };
	jsonOf(await run('message reply', { text: 'Hi', options }, execution));
	await sandbox.deliveriesSettled();
	expect(sandbox.sentEmails()).toMatchObject([{ from: 'support@example.test' }]);
});

test('the output has no subject if the service makes it', async () => {
	const parameters = { emailToAnswer: 'other', messageId: await received(), to: 'bob@example.org' };
	const [item] = jsonOf(await run('message reply', { ...parameters, text: 'Hi', options: FROM }));
	expect(item).toMatchObject({ sent: true, subject: null, inConversation: true });
});

test.each(['support@example.test', 'support+x@example.test'])(
	'a reply to %s, an own address, is not sent',
	async (own) => {
		const [item] = jsonOf(await run('message reply', { text: 'Hi' }, startedBy(emailOf('x', own))));
		expect(item).toMatchObject({ sent: false, reason: 'ownAddress', to: own });
		expect(posts()).toEqual([]);
	},
);

const ANOTHER = { emailToAnswer: 'other', messageId: 'x', to: 'eve@example.org', options: FROM };

test('a tool answers only the email that started the workflow, whatever its fields say', async () => {
	const execution = { ...startedBy(emailOf(await received())), type: actionNodeAs('Tool') };
	const [item] = jsonOf(await run('message reply', { text: 'Hi', ...ANOTHER }, execution));
	expect(item).toMatchObject({ sent: true, to: 'ada@example.org' });
});

test('in an n8n that reads the hidden fields of a tool, it fails', async () => {
	const hidden: IDataObject = ANOTHER;
	const node = nodeIn((context) => ({
		getNodeParameter: (name: string, index: number, fallback: unknown) =>
			hidden[name] ?? context.getNodeParameter(name, index, fallback),
	}));
	const { description } = actionNodeAs('Tool');
	const execution = { ...startedBy(emailOf('x')), type: Object.assign(node, { description }) };
	const { error } = await run('message reply', { text: 'Hi' }, execution);
	expect(error?.message).toMatch(/only the email that started/);
	expect(requestLines()).toEqual([]);
});

const ASKED = { subject: 'Refund?', message: 'Hi', to: 'ada@example.org', ...FROM };

test.each<[string, string, INodeParameters]>([
	['Reply', 'reply', {}],
	['Reply to another email', 'reply', { ...ANOTHER, to: 'ada@example.org' }],
	['Send', 'send', ASKED],
	['Send and Wait for Response', 'sendAndWait', ASKED],
])(
	'after a sample email, %s sends nothing, and the editor shows the text',
	async (_, name, parameters) => {
		const execution = startedBy(emailOf('sample-question'));
		const { data, hints, ...result } = await run(
			`message ${name}`,
			{ text: 'Hi', ...parameters },
			execution,
		);
		const [item] = jsonOf({ hints, ...result });
		expect(item).toMatchObject({ sent: false, reason: 'sampleEmail', to: 'ada@example.org' });
		expect(hints).toMatchObject([{ message: expect.stringMatching(/sample.*Hi$/) as string }]);
		expect(data?.waitTill).toBeUndefined();
		expect(requestLines()).toEqual([]);
	},
);

test('a review tool sends no question if a sample email started the workflow', async () => {
	const { others } = startedBy(emailOf('sample-question'));
	const execution = {
		others: [...others, { name: 'Agent', type: 'test.agent' }],
		connections: ['Mail > Agent', 'Node Under Test > Agent: ai_tool', 'Start > Node Under Test'],
		previousNode: 'Agent',
		type: actionNodeAs('HitlTool'),
		items: [{ json: { toolParameters: { order: 17 } } }],
	};
	const { data, ...result } = await run('message sendAndWait', ASKED, execution);
	expect(jsonOf(result)).toMatchObject([{ sent: false, reason: 'sampleEmail' }]);
	expect(data?.waitTill).toBeUndefined();
	expect(requestLines()).toEqual([]);
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { SendMailOptions } from 'nodemailer';

import { N8n, itemsOf, type CredentialReference, type Item, type StoredWorkflow } from './driver';
import { makeFilesFolder } from '../../scripts/demo/report';
import { importExample, readExamples, type Example } from '../../scripts/demo/examples';
import type { Sandbox } from '../../sandbox';
import { ADDRESS, deploy } from './support/deployment';
import { installExampleTable } from './support/exampleTables';
import { startLanguageModel } from './support/languageModel';
import { startOtherServer } from './support/otherServer';
import { sendMail } from './support/sendMail';

const LONG_AGO = '2026-01-01T00:00:00.000Z';

let n8n: N8n;
let sandbox: Sandbox;
let credential: CredentialReference;
let examples: Map<string, Example>;
let workflow: StoredWorkflow | undefined;
let table: string | undefined;

beforeAll(async () => {
	n8n = await N8n.shared();
	({ sandbox, credential } = await deploy(n8n, 'observed'));
	examples = new Map((await readExamples()).map((example) => [example.folder, example]));
});

afterEach(async () => {
	if (workflow) await n8n.workflows.delete(workflow.id);
	if (table) await n8n.dataTables.delete(table);
	workflow = table = undefined;
});

afterAll(async () => {
	await sandbox?.stop();
});

const install = async (folder: string): Promise<StoredWorkflow> => {
	const example = examples.get(folder);
	if (!example) throw new Error(`There is no example "${folder}".`);
	workflow = await importExample(n8n, example, credential);
	return workflow;
};

const installTable = async (folder: string, stored: StoredWorkflow): Promise<string> =>
	(table = await installExampleTable(n8n, folder, stored));

const mail = async (to: string, subject: string) =>
	await sendMail(sandbox.smtpPort, {
		from: 'Ada <ada@example.org>',
		to,
		subject,
		text: 'Hello',
		attachments: [{ filename: 'list.csv', content: 'stamps,80', contentType: 'text/csv' }],
	});

/** The items of a node in the only execution that an email started. */
const startedByMail = async (id: string, node: string): Promise<Item[]> => {
	const [execution] = await n8n.executions.atLeast(id, 1);
	return itemsOf(execution!, node);
};

const startedByHand = async (id: string, trigger: string) =>
	await n8n.executions.ended(await n8n.workflows.run(id, trigger));

it('"received-email" reads the file of an email', async () => {
	const { id } = await install('received-email');
	await n8n.workflows.activate(id);
	await mail(ADDRESS, 'A list');
	expect((await startedByMail(id, 'Summary')).map(({ json }) => json)).toMatchObject([
		{
			from: 'ada@example.org',
			subject: 'A list',
			fileName: 'list.csv',
			fileSize: 9,
			content: 'stamps,80',
		},
	]);
});

it('"save-attachments" saves every PDF under a name of its own', async () => {
	const folder = await makeFilesFolder(n8n);
	const { id } = await install('save-attachments');
	await n8n.workflows.activate(id);
	const pdf = (filename: string, content: string, contentType = 'application/pdf') => ({
		...{ filename, content, contentType },
	});
	const logo = { ...pdf('logo.png', 'logo', 'image/png'), cid: 'logo' };
	const send = async (subject: string, attachments: SendMailOptions['attachments']) =>
		await sendMail(sandbox.smtpPort, {
			...{ from: 'Ada <ada@example.org>', to: ADDRESS, subject, attachments },
			html: '<p>Hello<img src="cid:logo"></p>',
		});
	await send('Nothing to save', [logo, pdf('list.csv', 'stamps,80', 'text/csv')]);
	await send('Two', [logo, pdf('invoice.pdf', 'one'), pdf('invoice.pdf', 'two')]);
	await send('The same name', [
		pdf('list.csv', 'stamps,80', 'text/csv'),
		pdf('invoice.pdf', 'three', 'application/octet-stream'),
		pdf('GRÖSSE.PDF', 'four', 'application/octet-stream'),
	]);
	const executions = await n8n.executions.atLeast(id, 2);
	await sandbox.deliveriesSettled();

	expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
	const names = await readdir(folder);
	const saved = names.map(async (name) => [
		name.replace(/^\d{4}-\d\d-\d\d-\d+-/, ''),
		await readFile(join(folder, name), 'utf8'),
	]);
	expect((await Promise.all(saved)).sort()).toEqual([
		['GRÖSSE.PDF', 'four'],
		['invoice (2).pdf', 'two'],
		['invoice.pdf', 'one'],
		['invoice.pdf', 'three'],
	]);
});

it('"identity-audit" reports what is wrong with identities', async () => {
	const { id } = await install('identity-audit');
	const execution = await startedByHand(id, 'Every Monday at 7');
	const [item] = itemsOf(execution, 'Report');
	expect(item?.json.subject).toMatch(/^\d+ identities need attention$/);
	expect(item?.json.text).toContain('failed.test: The verification of the domain failed.');
});

it('"tidy-webhooks" deletes what tests left behind, and nothing else', async () => {
	const paused = { enabled: false, createdAt: LONG_AGO, updatedAt: LONG_AGO };
	const url = (name: string) => `https://hooks.example.com/${name}`;
	sandbox.addWebhook({ ...paused, url: url('test'), description: '[Test] n8n: Old' });
	const old = sandbox.addWebhook({ ...paused, url: url('old'), description: 'Old' });
	const active = sandbox.addWebhook({ url: url('active'), description: '[Test] Active' });
	const others = sandbox.webhooks().filter((webhook) => webhook.url !== url('test'));

	const { id } = await install('tidy-webhooks');
	const execution = await startedByHand(id, 'When You Click');
	expect(itemsOf(execution, 'Delete').map(({ json }) => json)).toEqual([{ deleted: true }]);
	expect(itemsOf(execution, 'For You to Decide').map(({ json }) => json.id)).toContain(old.id);
	expect(sandbox.webhooks()).toEqual(others);
	for (const webhook of [old, active]) sandbox.removeWebhook(webhook.id);
});

it('"forward-to-chat" posts urgent emails to a chat', async () => {
	const chat = await startOtherServer('application/json', '{"ok":true}');
	try {
		const { id } = await install('forward-to-chat');
		await n8n.workflows.updateNode(id, 'Post to Chat', {
			parameters: {
				method: 'POST',
				url: chat.url,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ JSON.stringify({ text: $json.text }) }}',
				options: {},
			},
		});
		await n8n.workflows.activate(id);
		await mail('support@example.test', 'Not so important');
		await mail('support@example.test', 'Urgent: no stamps');
		await startedByMail(id, 'Post to Chat');
		await sandbox.deliveriesSettled();
		expect(chat.requests.map(({ body }) => body)).toEqual([
			expect.stringContaining('Urgent: no stamps'),
		]);
	} finally {
		await chat.stop();
	}
});

it.each([
	['audits identities', /audit/i, 'orphan@gone.test'],
	['lists identities', /list.*identities/i, 'support@example.test'],
	['lists webhooks', /list.*webhooks/i, 'https://hooks.example.com/agent'],
])('"ai-agent-tool" %s when it is asked', async (_what, tool, found) => {
	const webhook = sandbox.addWebhook({ url: 'https://hooks.example.com/agent' });
	const model = await startLanguageModel(tool, 'I have looked.');
	try {
		const { id } = await install('ai-agent-tool');
		const openAi = await n8n.credentials.create('openAiApi', {
			apiKey: 'none',
			url: model.baseUrl,
		});
		await n8n.workflows.updateNode(id, 'Chat Model', { credentials: { openAiApi: openAi } });
		const chatInput = 'Which of my addresses are not verified?';
		const asked = { sessionId: 'session', action: 'sendMessage', chatInput };
		await n8n.workflows.update(id, { pinData: { Chat: [{ json: asked }] } });
		const [item] = itemsOf(await startedByHand(id, 'Chat'), 'Agent');
		expect(item?.json).toMatchObject({ output: 'I have looked.' });
		expect(model.questions).toContain(chatInput);
		expect(model.toolResults.join()).toContain(found);
	} finally {
		await model.stop();
		sandbox.removeWebhook(webhook.id);
	}
});

it('"ai-triage" keeps a draft for a person, and shows the model neither quoted text nor automatic mail', async () => {
	const found = {
		category: 'order',
		urgent: true,
		summary: 'Ada wants 80 stamps.',
		draft: 'Dear Ada, thank you. [delivery date]',
	};
	const model = await startLanguageModel(/^$/, JSON.stringify(found));
	try {
		const stored = await install('ai-triage');
		const drafts = await installTable('ai-triage', stored);
		const openAi = await n8n.credentials.create('openAiApi', {
			apiKey: 'none',
			url: model.baseUrl,
		});
		await n8n.workflows.updateNode(stored.id, 'Chat Model', { credentials: { openAiApi: openAi } });
		await n8n.workflows.activate(stored.id);
		const send = async (headers: Record<string, string>, text: string, subject: string) =>
			await sendMail(sandbox.smtpPort, {
				from: 'Ada <ada@example.org>',
				replyTo: 'orders@example.org',
				to: ADDRESS,
				subject,
				text,
				headers,
			});
		await send({ 'Auto-Submitted': 'auto-replied' }, 'I am away.', 'Away');
		await send({ 'List-Id': '<news.example.org>' }, 'News!', 'News');
		await send({ 'X-Failed-Recipients': 'bob@example.org' }, 'It came back.', 'Failed');
		await sandbox.deliveriesSettled();
		const quoted = 'On Mon, 5 Jan 2026 at 10:00, Sales <sales@example.test> wrote:\n> How many?';
		await send({ 'In-Reply-To': '<1@example.test>' }, `80 stamps.\n\n${quoted}`, 'Re: Stamps');

		const [item, ...others] = await startedByMail(stored.id, 'Keep Draft');
		expect(others).toEqual([]);
		const kept = {
			...found,
			urgent: 'yes',
			answer_to: 'orders@example.org',
			subject: 'Re: Stamps',
		};
		expect(item?.json).toMatchObject(kept);
		expect(await n8n.dataTables.rows(drafts)).toEqual([expect.objectContaining(kept)]);
		expect(model.questions).toHaveLength(1);
		expect(model.questions[0]).toContain('80 stamps.');
		expect(model.questions[0]).not.toContain('How many?');
		expect(await n8n.executions.list(stored.id)).toHaveLength(1);
	} finally {
		await model.stop();
	}
});

it('"replies-by-conversation" puts a reply to the conversation that it belongs to', async () => {
	const stored = await install('replies-by-conversation');
	const emails = await installTable('replies-by-conversation', stored);
	await n8n.workflows.activate(stored.id);
	const write = async (subject: string, text: string, answers: string[] = []) =>
		await sendMail(sandbox.smtpPort, {
			from: 'Ada <ada@example.org>',
			to: ADDRESS,
			subject,
			text,
			references: answers,
			...(answers.length > 0 ? { inReplyTo: answers.at(-1) } : {}),
		});
	const first = await write('Stamps', '80 stamps, please.');
	await n8n.executions.atLeast(stored.id, 1);
	await write('Envelopes', 'Have you got envelopes?');
	await n8n.executions.atLeast(stored.id, 2);
	const ours = '<answer-of-ours@example.test>';
	const quoted = 'On Mon, 5 Jan 2026 at 10:00, Sales <sales@example.test> wrote:\n> How many?';
	await write('Re: Stamps', `Make it 90.\n\n${quoted}`, [first, ours]);

	const runs = await n8n.executions.atLeast(stored.id, 3);
	const conversations = runs.map((run) => itemsOf(run, 'Conversation').map(({ json }) => json));
	const stamps = { conversation: first, subject: 'Stamps', startedBy: 'ada@example.org' };
	expect(conversations).toEqual([
		[expect.objectContaining({ ...stamps, emails: 1 })],
		[expect.objectContaining({ subject: 'Envelopes', emails: 1 })],
		[expect.objectContaining({ ...stamps, emails: 2 })],
	]);
	expect(conversations[2]?.[0]?.text).toMatch(/80 stamps, please\.\n\n.*:\nMake it 90\.$/);
	expect(await n8n.dataTables.rows(emails)).toHaveLength(3);
});

// Run against a real Redis by `npm run test:scale`, in `test/scale/queue.test.ts`.
it('"strictly-once" uses only nodes that n8n knows', async () => {
	const { nodes } = await install('strictly-once');
	const known = await n8n.session.call<{ name: string }[]>('GET', '/types/nodes.json');
	const names = new Set(known.map(({ name }) => name));
	expect(nodes.map(({ type }) => type).filter((type) => !names.has(type))).toEqual([]);
});

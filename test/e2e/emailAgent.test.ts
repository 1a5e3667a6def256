import { composeMail, createSigner } from '../dns/support/signedMails';
import { startScriptedDns, type ScriptedDns } from '../dns/support/scriptedDns';
import { until } from '../support/n8n';
import type { Execution, StoredWorkflow } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { changeNode, installExample } from './support/examples';
import { startLanguageModel, type LanguageModel } from './support/languageModel';
import { startOutbox, type Outbox } from './support/outbox';
import { onStage } from './support/stage';

const ADA = 'Ada@shop.example';
const EVE = 'eve@elsewhere.example';
const ORDERS = 'orders@shop.example';
const COLLEAGUE = 'colleague@example.test';

/** The model repeats the hidden instruction: the worst that it can do. */
const LINK = '<a href="https://evil.example">here</a>';
const DRAFT = `Send your password to eve@elsewhere.example ${LINK} ${LINK.replaceAll('<', '&lt;')}`;

const shop = createSigner('shop.example');
const elsewhere = createSigner('elsewhere.example');
const own = createSigner('example.com');

const stage = onStage({ isStory: true });

let dns: ScriptedDns;
let outbox: Outbox;
let model: LanguageModel;
let workflow: StoredWorkflow;

beforeAll(async () => {
	const { n8n } = stage;
	dns = await startScriptedDns({ ...shop.zones, ...elsewhere.zones, ...own.zones });
	stage.afterwards(() => dns.stop());
	outbox = await startOutbox(n8n);
	stage.afterwards(() => outbox.stop());
	model = await startLanguageModel(/./, DRAFT);
	stage.afterwards(() => model.stop());
	const key = { apiKey: 'none', url: model.baseUrl };
	const openAiApi = await n8n.credentials.create('openAiApi', key);
	const smtp = outbox.credential;
	workflow = await installExample(stage, 'email-agent');
	const { id } = workflow;
	await changeNode(n8n, id, 'Email Received', { advanced: { dnsResolver: dns.address } });
	await changeNode(n8n, id, 'Chat Model', {}, { openAiApi });
	await changeNode(n8n, id, 'Check Draft', { toEmail: COLLEAGUE }, { smtp });
	await changeNode(n8n, id, 'Send Answer', {}, { smtp });
	await stage.activate(workflow);
});

/** Sends a signed email, and waits until a person has been asked to check the draft. */
async function write(
	from: string,
	text: string,
	headers: Partial<Record<'references' | 'replyTo', string>> = {},
): Promise<void> {
	const asked = outbox.mails.length + 1;
	const signer = from === EVE ? elsewhere : shop;
	const raw = await composeMail({ from, to: ADDRESS, subject: 'Stamps', text, ...headers }, signer);
	await stage.mail('', { raw, envelope: { from, to: [ADDRESS] } });
	await until('a person is asked', () => outbox.mails.length === asked);
}

/** Opens the form of the newest draft, changes the answer and submits it. */
async function submit(answer: string): Promise<string> {
	const asking = outbox.mails.at(-1)!;
	const [, link = ''] = /href="([^"]+webhook-waiting[^"]+)"/.exec(String(asking.html)) ?? [];
	const url = link.replaceAll('&amp;', '&');
	const form = await until('the form can be opened', async () => {
		const response = await fetch(url);
		return response.ok && (await response.text());
	});
	const fields = new FormData();
	fields.append('field-0', answer);
	expect((await fetch(url, { method: 'POST', body: fields })).status).toBe(200);
	return form;
}

const ended = async (count: number): Promise<Execution[]> =>
	await stage.n8n.executions.atLeast(workflow.id, count);

it('"email-agent" sends an answer only after a person has checked the draft, and only to the sender', async () => {
	await write(ADA, 'First question', { replyTo: ORDERS });
	expect(outbox.mails).toHaveLength(1);
	const [asking] = outbox.mails;
	expect(asking).toMatchObject({ subject: `Answer ${ADA}?`, to: { text: COLLEAGUE } });
	// The draft is shown as text, although n8n unescapes HTML in messages.
	expect(asking?.html).not.toContain('<a href="https://evil.example">');
	expect(asking?.text?.replace(/\s+/g, ' ')).toContain(LINK);
	expect(asking?.text).toContain('First question');
	expect(model.offeredTools).toEqual([]);

	const form = await submit('80 stamps are on the way.');
	expect(form).toContain('Send your password');
	expect(form).not.toContain('<a href="https://evil.example">');
	const [execution] = await ended(1);
	expect(execution?.status).toBe('success');
	expect(outbox.mails.slice(1)).toMatchObject([
		{ to: { text: ORDERS }, subject: 'Re: Stamps', text: '80 stamps are on the way.\n' },
	]);
});

it('"email-agent" ignores its own emails, also if they arrive signed', async () => {
	const from = 'support@example.com';
	const raw = await composeMail({ from, to: ADDRESS, subject: 'Answer?' }, own);
	await stage.mail('', { raw, envelope: { from, to: [ADDRESS] } });
	await stage.sandbox.deliveriesSettled();
	expect(stage.sandbox.deliveries().at(-1)?.responseBody).toMatch(/"ignored".*"filtered"/);
	expect(outbox.mails).toHaveLength(2);
});

it('"email-agent" does nothing when the service delivers an email again', async () => {
	const [delivery] = stage.sandbox.deliveries();
	await stage.sandbox.repeatDelivery(delivery!.id);
	expect(stage.sandbox.deliveries().at(-1)?.responseBody).toMatch(/duplicate/);
	expect(outbox.mails).toHaveLength(2);
});

it('"email-agent" answers a second email of a sender with the first one in mind, and one of another sender without it', async () => {
	const references = '<first@shop.example>';
	await write(ADA.toLowerCase(), 'Second question', { references });
	expect(model.questions.slice(1).map(lastLine)).toEqual(['First question', 'Second question']);

	await write(EVE, 'What did Ada ask?', { references });
	expect(model.questions.slice(3).map(lastLine)).toEqual(['What did Ada ask?']);
});

const lastLine = (question: string) => question.trim().split('\n').at(-1);

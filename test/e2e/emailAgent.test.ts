import { composeMail, createSigner } from '../dns/support/signedMails';
import { startScriptedDns, type ScriptedDns } from '../dns/support/scriptedDns';
import { until } from '../support/n8n';
import type { Execution, StoredWorkflow } from '../support/n8n';
import { linksIn } from '../support/questionLinks';
import { ADDRESS } from './support/deployment';
import { changeNode, installExample } from './support/examples';
import { startLanguageModel, type LanguageModel } from './support/languageModel';
import { sendAnswer } from './support/questions';
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
let model: LanguageModel;
let workflow: StoredWorkflow;

beforeAll(async () => {
	const { n8n } = stage;
	dns = await startScriptedDns({ ...shop.zones, ...elsewhere.zones, ...own.zones });
	stage.afterwards(() => dns.stop());
	model = await startLanguageModel(/./, DRAFT);
	stage.afterwards(() => model.stop());
	const key = { apiKey: 'none', url: model.baseUrl };
	const openAiApi = await n8n.credentials.create('openAiApi', key);
	workflow = await installExample(stage, 'email-agent');
	const { id } = workflow;
	await changeNode(n8n, id, 'Email Received', { advanced: { dnsResolver: dns.address } });
	await changeNode(n8n, id, 'Chat Model', {}, { openAiApi });
	const identityId = { __rl: true, mode: 'address', value: ADDRESS };
	await changeNode(n8n, id, 'Approve Draft', { identityId, to: COLLEAGUE });
	await stage.activate(workflow);
});

/** The emails of the workflow: drafts to the colleague, and answers. */
const sent = () => stage.sandbox.sentEmails();

/** Sends a signed email, and waits until a person has been asked to check the draft. */
async function write(
	from: string,
	text: string,
	headers: Partial<Record<'references' | 'replyTo', string>> = {},
): Promise<void> {
	const asked = sent().length + 1;
	const signer = from === EVE ? elsewhere : shop;
	const raw = await composeMail({ from, to: ADDRESS, subject: 'Stamps', text, ...headers }, signer);
	await stage.mail('', { raw, envelope: { from, to: [ADDRESS] } });
	await until('a person is asked', () => sent().length === asked);
}

/** Opens the page of the newest draft and approves it. @returns the page */
async function approve(): Promise<string> {
	const [url = ''] = linksIn(sent().at(-1)?.text);
	const page = await until('the page can be opened', async () => {
		const response = await fetch(url);
		return response.ok && (await response.text());
	});
	expect(await sendAnswer(url, { answer: 'approve' })).toBe(200);
	return page;
}

const ended = async (count: number): Promise<Execution[]> =>
	await stage.n8n.executions.atLeast(workflow.id, count);

it('"email-agent" sends an answer only after a person has checked the draft, and only to the sender', async () => {
	await write(ADA, 'First question', { replyTo: ORDERS });
	expect(sent()).toMatchObject([{ subject: `Answer ${ADA}?`, to: [COLLEAGUE] }]);
	const [asking] = sent();
	expect(asking?.text).toContain(LINK);
	expect(asking?.text).toContain('First question');
	expect(model.offeredTools).toEqual([]);

	const page = await approve();
	expect(page).toContain('Send your password');
	expect(page).not.toContain('<a href="https://evil.example">');
	const [execution] = await ended(1);
	expect(execution?.status).toBe('success');
	await stage.sandbox.deliveriesSettled();
	expect(sent().slice(1)).toMatchObject([
		{ from: ADDRESS, to: [ORDERS], subject: 'Re: Stamps', text: DRAFT },
	]);
});

it('"email-agent" ignores its own emails, also if they arrive signed', async () => {
	const from = 'support@example.com';
	const raw = await composeMail({ from, to: ADDRESS, subject: 'Answer?' }, own);
	await stage.mail('', { raw, envelope: { from, to: [ADDRESS] } });
	await stage.sandbox.deliveriesSettled();
	expect(stage.sandbox.deliveries().at(-1)?.responseBody).toMatch(/"ignored".*"filtered"/);
	expect(sent()).toHaveLength(2);
});

it('"email-agent" does nothing when the service delivers an email again', async () => {
	const [delivery] = stage.sandbox.deliveries();
	await stage.sandbox.repeatDelivery(delivery!.id);
	expect(stage.sandbox.deliveries().at(-1)?.responseBody).toMatch(/duplicate/);
	expect(sent()).toHaveLength(2);
});

it('"email-agent" answers a second email of a sender with the first one in mind, and one of another sender without it', async () => {
	const references = '<first@shop.example>';
	await write(ADA.toLowerCase(), 'Second question', { references });
	expect(model.questions.slice(1).map(lastLine)).toEqual(['First question', 'Second question']);

	await write(EVE, 'What did Ada ask?', { references });
	expect(model.questions.slice(3).map(lastLine)).toEqual(['What did Ada ask?']);
});

const lastLine = (question: string) => question.trim().split('\n').at(-1);

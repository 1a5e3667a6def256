import { composeMail, createSigner } from '../dns/support/signedMails';
import { startScriptedDns, type ScriptedDns } from '../dns/support/scriptedDns';
import { itemsOf, N8n, until } from '../support/n8n';
import type { StoredWorkflow } from '../support/n8n';
import { ADDRESS } from './support/deployment';
import { changeNode, installExample, installTable } from './support/examples';
import { startOtherServer, type OtherServer } from './support/otherServer';
import { onStage } from './support/stage';

const ADA = 'ada@shop.example';
const EVE = 'eve@elsewhere.example';

const shop = createSigner('shop.example');
const elsewhere = createSigner('elsewhere.example');

const stage = onStage({ isStory: true, start: async () => await N8n.start() });

let dns: ScriptedDns;
let asking: StoredWorkflow;
let answers: StoredWorkflow;
let table: string;
let other: OtherServer | undefined;

beforeAll(async () => {
	const { n8n } = stage;
	dns = await startScriptedDns({ ...shop.zones, ...elsewhere.zones });
	asking = await installExample(stage, 'ask-by-email');
	answers = await installExample(stage, 'ask-by-email-answers');
	table = await installTable(stage, 'ask-by-email', asking, answers);
	const identityId = { __rl: true, mode: 'address', value: ADDRESS };
	await changeNode(n8n, asking.id, 'Send Question', { identityId });
	const advanced = { checkEvery: 0, dnsResolver: dns.address };
	await changeNode(n8n, answers.id, 'Answer Received', { advanced });
	await stage.activate(answers);
});

afterAll(async () => {
	await dns?.stop();
	await other?.stop();
});

const rows = async () => await stage.n8n.dataTables.rows(table);

/** Asks a question. @returns the execution that waits, and the subject of the question */
async function ask(person: string): Promise<{ execution: string; question: string }> {
	const { n8n } = stage;
	const { nodes } = await n8n.workflows.get(asking.id);
	const node = nodes.find(({ name }) => name === 'Question')!;
	const assignments = [
		{ id: 'person', name: 'person', value: person, type: 'string' },
		{ id: 'subject', name: 'subject', value: '80 stamps?', type: 'string' },
		{ id: 'text', name: 'text', value: 'Yes or no?', type: 'string' },
	];
	const parameters = { ...node.parameters, assignments: { assignments } };
	await n8n.workflows.updateNode(asking.id, 'Question', { parameters });
	const asked = new Set(stage.sandbox.sentEmails().map(({ id }) => id));
	const execution = await n8n.workflows.run(asking.id, 'Start');
	const sent = await until('the question is sent', () =>
		stage.sandbox.sentEmails().find(({ id }) => !asked.has(id)),
	);
	return { execution, question: sent.subject };
}

const untilWaiting = async (execution: string) =>
	await until(
		`execution ${execution} waits`,
		async () => (await stage.n8n.executions.get(execution)).status === 'waiting',
	);

/** Sends a signed answer. */
async function answer(from: string, question: string, text = 'Yes.'): Promise<void> {
	const quoted = `${text}\n\nOn Mon, 5 Jan 2026 at 10:00, Support wrote:\n> Yes or no?`;
	const mail = { from, to: ADDRESS, subject: `Re: ${question}`, text: quoted };
	const signer = from === EVE ? elsewhere : shop;
	const raw = await composeMail(mail, signer);
	await stage.mail('', { raw, envelope: { from, to: [ADDRESS] } });
	await stage.sandbox.deliveriesSettled();
}

/** What the workflow goes on with. n8n 1 saves the data of an execution a moment after its end. */
async function answered(execution: string): Promise<unknown[]> {
	const ended = await until('the workflow has gone on', async () => {
		const now = await stage.n8n.executions.ended(execution);
		return 'Answer' in now.nodes && now;
	});
	return itemsOf(ended, 'Answer').map(({ json }) => json);
}

it('"ask-by-email" goes on with the answer of the person who was asked, also if it comes at once', async () => {
	const { execution, question } = await ask('Ada@Shop.example');
	await answer(ADA, question);

	expect(await answered(execution)).toEqual([{ person: ADA, text: 'Yes.' }]);
	await until('the question is forgotten', async () => (await rows()).length === 0);
});

it('"ask-by-email" ignores answers of others and to other emails, and goes on after a restart of n8n', async () => {
	const { execution, question } = await ask(ADA);
	await untilWaiting(execution);
	await answer(EVE, question, 'No!');
	await answer(ADA, '80 stamps? [#0]', 'Hello');
	await stage.n8n.executions.atLeast(answers.id, 3);
	expect((await stage.n8n.executions.get(execution)).status).toBe('waiting');

	await stage.n8n.restart();
	await stage.registered(answers);
	await answer(ADA, question);
	expect(await answered(execution)).toEqual([{ person: ADA, text: 'Yes.' }]);
	await until('the question is forgotten', async () => (await rows()).length === 0);
});

it('"ask-by-email" calls no other server, even if its table names one', async () => {
	const { n8n } = stage;
	other = await startOtherServer();
	const { nodes } = await n8n.workflows.get(asking.id);
	const { parameters } = nodes.find(({ name }) => name === 'Prepare Row')!;
	const url = JSON.stringify(`${other.url}/webhook-waiting/1`);
	const changed = JSON.stringify(parameters).replace('"={{ $execution.resumeUrl }}"', url);
	await changeNode(n8n, asking.id, 'Prepare Row', JSON.parse(changed) as object);
	const { execution, question } = await ask(ADA);
	await untilWaiting(execution);
	await answer(ADA, question);
	const runs = await n8n.executions.atLeast(answers.id, 5);
	await changeNode(n8n, asking.id, 'Prepare Row', { ...parameters });

	expect(itemsOf(runs.at(-1)!, 'Find Questions')).toHaveLength(1);
	expect(other.requests).toEqual([]);
	expect(await rows()).toHaveLength(1);
});

it('"ask-by-email" goes on without an answer when the time is over', async () => {
	const { n8n } = stage;
	const briefly = { resumeAmount: 1, resumeUnit: 'seconds' };
	await changeNode(n8n, asking.id, 'Wait for Answer', briefly);
	const { execution } = await ask(ADA);

	await n8n.executions.ended(execution);
	await until('the workflow has gone on', async () => {
		return 'No Answer' in (await n8n.executions.get(execution)).nodes;
	});
	expect((await rows()).map((row) => row.resume_url)).toEqual([expect.stringContaining('/1')]);
});

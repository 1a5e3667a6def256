import { chain, manualTrigger, N8n, until } from '../support/n8n';
import type { NodeDefinition, WorkflowDefinition } from '../support/n8n';
import { linksIn } from '../support/questionLinks';
import { askingNode, sendAnswer } from './support/questions';
import { onStage } from './support/stage';

const stage = onStage({ isStory: true, start: async () => await N8n.start() });

/** A name that could break the expression with which the node reads what it kept. */
const ASK = 'Ask "Ada" }}\\';

const ask = (parameters: Record<string, unknown> = {}): NodeDefinition => ({
	...askingNode(stage.credential, {
		subject: '=Question {{ $json.number }}',
		message: '=Asked at {{ $now.toMillis() }}',
		...parameters,
	}),
	name: ASK,
});

const numbers: NodeDefinition = {
	name: 'Numbers',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: { mode: 'raw', jsonOutput: JSON.stringify({ number: 1, data: { approved: true } }) },
};

const LAST: NodeDefinition = {
	name: 'Last',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: `={{ { ...$json, asked: $('Numbers').item.json.number } }}`,
	},
};

async function start(definition: WorkflowDefinition): Promise<string> {
	const { id } = await stage.n8n.workflows.create(definition);
	return await stage.n8n.workflows.run(id, 'Start');
}

const statusOf = async (execution: string) => (await stage.n8n.executions.get(execution)).status;

/** Waits until another question has been sent. @returns its text and its links, in their order */
async function asked(execution: string, count: number) {
	await until(`question ${count} waits`, async () => {
		const { status } = await stage.n8n.executions.get(execution);
		if (status === 'error') throw new Error(stage.n8n.log.text().slice(-2000));
		return status === 'waiting' && stage.sandbox.sentEmails().length === count;
	});
	const text = stage.sandbox.sentEmails().at(-1)?.text ?? '';
	return { text, links: linksIn(text) };
}

/** The items that the node after the question put out, of all its runs. */
async function outputs(execution: string): Promise<unknown[]> {
	const { nodes } = await stage.n8n.executions.ended(execution);
	const runs = nodes[LAST.name] ?? [];
	return runs.flatMap(({ data }) => (data?.main?.[0] ?? []).map(({ json }) => json));
}

const answered = (data: object) => ({
	data: { ...data, respondedAt: expect.any(String) },
	asked: 1,
});

it('only the form of the page continues the workflow, also after a restart of n8n', async () => {
	const execution = await start(chain('Ask', [manualTrigger('Start'), numbers, ask(), LAST]));
	const { text, links } = await asked(execution, 1);
	await stage.n8n.restart();
	const [approve = '', decline = ''] = links;
	for (const method of ['GET', 'HEAD', 'GET']) {
		for (const link of links) await fetch(link, { method });
	}
	const page = await fetch(approve);
	expect(await page.text()).toContain(text.split('\n')[0]);
	expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);

	const wrong = [
		approve.replace('question=', 'question=x'),
		approve.replace('button=approve', 'button=decline'),
		approve.replace(/signature=\w/, 'signature=-'),
		approve.replace(/[?&]signature=\w+/, ''),
		approve.replace(/\?.*/, ''),
	];
	for (const link of wrong)
		expect([link, await sendAnswer(link, { answer: 'approve' })]).toEqual([link, 401]);
	expect(await sendAnswer(approve, {})).toBe(400);
	expect(await statusOf(execution)).toBe('waiting');

	expect(await sendAnswer(decline, { answer: 'decline' })).toBe(200);
	expect(await outputs(execution)).toEqual([answered({ approved: false })]);
	await sendAnswer(approve, { answer: 'approve' });
	expect(await outputs(execution)).toEqual([answered({ approved: false })]);
});

it('an answer in own words is the output', async () => {
	const freeText = ask({ responseType: 'freeText' });
	const execution = await start(chain('Ask', [manualTrigger('Start'), numbers, freeText, LAST]));
	const { links } = await asked(execution, 2);
	expect(await sendAnswer(links[0]!, { text: 'Grüße & "mehr"' })).toBe(200);
	expect(await outputs(execution)).toEqual([answered({ text: 'Grüße & "mehr"' })]);
});

it('in a loop, the link of the first question does not answer the second one', async () => {
	const two = {
		parameters: { mode: 'raw', duplicateItem: true, duplicateCount: 1, jsonOutput: '{"number":1}' },
	};
	const loop = { name: 'Loop', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 };
	const nodes = [manualTrigger('Start'), { ...numbers, ...two }, loop, ask(), LAST];
	const definition = chain('Loop', nodes);
	const toNode = (node: string) => [{ node, type: 'main' as const, index: 0 }];
	definition.connections.Loop = { main: [null, toNode(ASK)] };
	definition.connections[LAST.name] = { main: [toNode('Loop')] };

	const execution = await start(definition);
	const first = await asked(execution, 3);
	expect(await sendAnswer(first.links[0]!, { answer: 'approve' })).toBe(200);
	const second = await asked(execution, 4);
	expect((await fetch(first.links[0]!)).status).toBe(410);
	expect(await sendAnswer(first.links[0]!, { answer: 'approve' })).toBe(410);
	expect(await statusOf(execution)).toBe('waiting');
	expect(await sendAnswer(second.links[0]!, { answer: 'decline' })).toBe(200);
	expect(await outputs(execution)).toEqual([
		answered({ approved: true }),
		answered({ approved: false }),
	]);
});

it('after the limit, the workflow continues without an approval', async () => {
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' };
	const limited = ask({ options: { limitWaitTime: { values } } });
	const execution = await start(chain('Ask', [manualTrigger('Start'), numbers, limited, LAST]));
	expect(await outputs(execution)).toEqual([
		{ number: 1, data: { approved: false, respondedAt: null }, asked: 1 },
	]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Workflow, type INode } from 'n8n-workflow';

const EXAMPLE = join(__dirname, '../../../examples/ask-by-email/answers.json');

interface Condition {
	leftValue: string;
}

/** Whether the example calls a URL of its table, in an n8n whose own URLs are like `resumeUrl`. */
function isCalled(id: string, resumeUrl: string, ofTable: string): boolean {
	const { nodes } = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as { nodes: INode[] };
	const filter = nodes.find(({ name }) => name === 'Is It the Answer?')!;
	const { conditions } = filter.parameters.conditions as unknown as { conditions: Condition[] };
	const condition = conditions.find(({ leftValue }) => leftValue.includes('resume_url'))!;
	const node = { ...filter, parameters: {} };
	const nodeTypes = {
		getByName: () => ({ description: { properties: [] } }),
		getByNameAndVersion: () => ({ description: { properties: [] } }),
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: nodeTypes as never,
	});
	const items = [{ json: { question: '1', resume_url: ofTable } }];
	const keys = {
		$execution: { id, resumeUrl, resumeFormUrl: '', mode: 'production' as const },
	};
	const { expression } = workflow;
	const value = condition.leftValue;
	const found = expression.getParameterValue(value, null, 0, 0, node.name, items, 'trigger', keys);
	return found === true;
}

it.each([
	['https://n8n.example/webhook-waiting/7', 'https://n8n.example/webhook-waiting/1', true],
	['https://n8n.example/hooks/webhook-waiting/7', 'https://n8n.example/rest/logout', false],
	['https://n8n.example/webhook-waiting/7', 'https://n8n.example/webhook-waiting/../hook/1', false],
	['https://n8n.example/webhook-waiting/7', 'https://n8n.example/webhook-waiting/2', false],
	['https://n8n.example/webhook-waiting/7', 'https://evil.example/webhook-waiting/1', false],
	['https://n8n.example/webhook-waiting/7', 'https://n8n.example.evil/webhook-waiting/1', false],
	['https://n8n.example/webhook-waiting/7', 'https://n8n.example@evil.example/', false],
	// The number of the execution is also in the name or the port of the server.
	['https://flow7.example/webhook-waiting/7', 'https://flow.evil.example/webhook-waiting/1', false],
	['http://127.0.0.1:5678/webhook-waiting/7', 'http://127.0.0.1:5699/webhook-waiting/1', false],
	[
		'https://n8n.example/webhook-waiting/7?signature=a/b',
		'https://n8n.example/webhook-waiting/1?signature=c',
		true,
	],
])('with its own URL %s, "ask-by-email" calls %s: %s', (own, ofTable, called) => {
	expect(isCalled('7', own, ofTable)).toBe(called);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INodeParameters, type INodeType } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../../sandbox';
import { runNode } from '../rig';
import { actionNode, chosen, credentialOf, jsonOf, run } from './support/operation';

/** The node as n8n makes it a tool of an agent: the same code under another name (`convertNodeToAiTool`). */
const toolNode: INodeType = Object.assign(Object.create(actionNode) as INodeType, {
	description: { ...actionNode.description, name: `${actionNode.description.name}Tool` },
});

const SECRET_URL = 'https://receiver.example/hook?token=SECRET-VALUE';

let sandbox: Sandbox;
let webhookId: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	webhookId = sandbox.addWebhook({ url: SECRET_URL, description: 'To token=SECRET-VALUE' }).id;
});

afterAll(async () => {
	await sandbox.stop();
});

const asTool = async (parameters: INodeParameters) =>
	jsonOf(await runNode({ type: toolNode, credential: credentialOf(sandbox), parameters }));

const identityId = () => chosen(sandbox.accounts.owner.identities[0]?.id ?? '');

test('an agent is given the simplified fields unless something else is chosen', async () => {
	const parameters = { resource: 'identity', operation: 'get', identityId: identityId() };

	expect(await asTool(parameters)).toEqual(jsonOf(await run(sandbox, parameters)));
});

test('an agent is given the fields that were chosen, and nothing besides', async () => {
	const fields = ['value', 'status', 'gone'];
	const parameters = { resource: 'identity', operation: 'getAll', output: 'fields', fields };
	const [first, ...others] = await asTool(parameters);

	expect(first).toEqual({ value: 'example.test', status: 'verified' });
	expect(others).toHaveLength(9);
});

test("an agent is given the service's own fields on demand", async () => {
	const parameters = { resource: 'identity', operation: 'get', identityId: identityId() };
	const raw = await asTool({ ...parameters, output: 'raw' });

	expect(raw).toEqual(jsonOf(await run(sandbox, { ...parameters, simplify: false })));
	expect(raw[0]).toHaveProperty('publicId');
});

test.each([
	{ operation: 'get', output: 'simple' },
	{ operation: 'get', output: 'raw' },
	{ operation: 'get', output: 'fields', fields: ['url', 'description'] },
	{ operation: 'getAll', output: 'raw' },
	{ operation: 'getAll', output: 'simple' },
	{ operation: 'pause', output: 'raw' },
])('no output gives an agent the secret of a webhook: $operation, $output', async (parameters) => {
	const webhook = chosen(webhookId);
	const [item] = await asTool({ resource: 'webhook', webhookId: webhook, ...parameters });

	expect(item).toMatchObject({ url: 'https://receiver.example/hook?token=***' });
	expect(JSON.stringify(item)).not.toContain('SECRET-VALUE');
});

/** The fields that the editor shows for an operation. */
function shown(type: INodeType, parameters: INodeParameters): string[] {
	const { description } = type;
	return description.properties
		.filter((field) =>
			NodeHelpers.displayParameter(parameters, field, { typeVersion: 1 }, description),
		)
		.map(({ name }) => name);
}

test.each([
	['identity', 'getAll'],
	['message', 'get'],
	['webhook', 'create'],
])(
	'Output stands in the place of Simplify where the node is a tool: %s %s',
	(resource, operation) => {
		const parameters = { resource, operation, output: 'simple' };

		expect(shown(actionNode, parameters)).toContain('simplify');
		expect(shown(actionNode, parameters)).not.toContain('output');
		expect(shown(toolNode, parameters)).toContain('output');
		expect(shown(toolNode, parameters)).not.toContain('simplify');
		expect(shown(toolNode, parameters)).not.toContain('fields');
		expect(shown(toolNode, { ...parameters, output: 'fields' })).toContain('fields');
	},
);

test.each(['identity', 'message', 'webhook'])(
	'the fields of the resource %s are offered as its schema has them',
	(resource) => {
		const path = `../../../nodes/EmailIdentity/__schema__/v1.0.0/${resource}/get.json`;
		const schema = JSON.parse(readFileSync(join(__dirname, path), 'utf8')) as {
			properties: object;
		};
		const [{ options = [] } = {}] = toolNode.description.properties.filter(
			({ name, displayOptions }) =>
				name === 'fields' && displayOptions?.show?.resource?.includes(resource) === true,
		);

		expect(options.map((option) => 'value' in option && option.value)).toEqual(
			Object.keys(schema.properties).sort(),
		);
	},
);

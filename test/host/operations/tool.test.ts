import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

import {
	actionNode,
	actionNodeAs,
	chosen,
	idOf,
	jsonOf,
	run,
	sandbox,
	useSandbox,
} from './support/operation';

const toolNode = actionNodeAs('Tool');

const SECRET_URL = 'https://receiver.example/hook?who=SECRET-VALUE';

useSandbox();

const asTool = async (name: string, parameters: INodeParameters) =>
	jsonOf(await run(name, parameters, { type: toolNode }));

test.each([
	[{}, {}],
	[{ output: 'raw' }, { simplify: false }],
])('an agent gets with %j what a workflow gets with %j', async (ofTool, ofNode) => {
	const identityId = chosen(idOf('example.test'));
	const expected = jsonOf(await run('identity get', { identityId, ...ofNode }));

	expect(await asTool('identity get', { identityId, ...ofTool })).toEqual(expected);
});

test('an agent gets only the selected fields', async () => {
	const fields = ['value', 'status', 'gone'];
	const [first, ...others] = await asTool('identity getAll', { output: 'fields', fields });

	expect(first).toEqual({ value: 'example.test', status: 'verified' });
	expect(others).toHaveLength(9);
});

test.each([
	['webhook get', { output: 'raw' }],
	['webhook get', { output: 'fields', fields: ['url', 'description'] }],
	['webhook getAll', { output: 'raw' }],
])('an agent does not get the secret of a webhook: %s, %j', async (name, parameters) => {
	const { id } = sandbox.addWebhook({ url: SECRET_URL, description: 'To token=SECRET-VALUE' });
	const [item] = await asTool(name, { webhookId: chosen(id), ...parameters });

	expect(item).toMatchObject({ url: 'https://receiver.example/hook?who=***' });
	expect(JSON.stringify(item)).not.toContain('SECRET-VALUE');
});

/** The fields and options that the editor shows for an operation. */
function shown({ description }: INodeType, parameters: INodeParameters): string[] {
	const isShown = (field: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, field, { typeVersion: 1 }, description);
	return description.properties
		.filter(isShown)
		.flatMap((field) => [field, ...((field.options ?? []) as INodeProperties[]).filter(isShown)])
		.map(({ name }) => name);
}

test.each([
	['identity', 'getAll'],
	['message', 'get'],
	['webhook', 'create'],
])('a tool has Output instead of Simplify: %s %s', (resource, operation) => {
	const parameters = { resource, operation, output: 'simple' };

	expect(shown(actionNode, parameters)).toContain('simplify');
	expect(shown(actionNode, parameters)).not.toContain('output');
	expect(shown(toolNode, parameters)).toContain('output');
	expect(shown(toolNode, parameters)).not.toContain('simplify');
	expect(shown(toolNode, parameters)).not.toContain('fields');
	expect(shown(toolNode, { ...parameters, output: 'fields' })).toContain('fields');
});

test('the options of the simplified output are hidden with Output: Raw', () => {
	const parameters = { resource: 'message', operation: 'get' };

	expect(shown(toolNode, { ...parameters, output: 'simple' })).toContain('textFormat');
	expect(shown(toolNode, { ...parameters, output: 'raw' })).not.toContain('textFormat');
});

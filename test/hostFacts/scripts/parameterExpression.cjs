/**
 * Prints what an n8n's own n8n-workflow, which is in its editor, too, makes of an expression on a field that was chosen
 * from a list. Run in the folder of that n8n.
 */
const { createRequire } = require('node:module');
const { join } = require('node:path');

const { Workflow } = createRequire(join(process.cwd(), 'index.js'))('n8n-workflow');

const [chosen, expression] = process.argv.slice(2);
const modes = [{ displayName: 'From List', name: 'list', type: 'list' }];
const field = {
	displayName: 'Chosen',
	name: 'chosen',
	type: 'resourceLocator',
	default: {},
	modes,
};
const type = { description: { properties: [field] } };
const node = { id: '1', name: 'Node', type: 'node', typeVersion: 1, position: [0, 0] };
const workflow = new Workflow({
	nodes: [{ ...node, parameters: { chosen: JSON.parse(chosen) } }],
	connections: {},
	active: false,
	nodeTypes: { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) },
});
const value = workflow.expression.getSimpleParameterValue(
	workflow.getNode('Node'),
	expression,
	'internal',
	{},
);
Promise.resolve(value).then((found) => console.log(JSON.stringify(found)));

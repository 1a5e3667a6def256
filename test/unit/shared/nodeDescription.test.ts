import { Workflow, type INodeParameters, type INodeType } from 'n8n-workflow';

import { EmailIdentity } from '../../../nodes/EmailIdentity/EmailIdentity.node';
import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

/** As the editor evaluates it. */
function subtitle(type: INodeType, parameters: INodeParameters): unknown {
	const { name, subtitle } = type.description;
	const node = { id: '1', name, type: name, typeVersion: 1, position: [0, 0] as [number, number] };
	const workflow = new Workflow({
		nodes: [{ ...node, parameters }],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	return workflow.expression.getSimpleParameterValue(
		workflow.getNode(name)!,
		subtitle,
		'internal',
		{},
	);
}

const action = new EmailIdentity();

it.each<[string, INodeParameters]>([
	['Identity: Get Many', { resource: 'identity', operation: 'getAll' }],
	['Webhook: Create or Update', { resource: 'webhook', operation: 'upsert' }],
	['User: Get', { resource: 'user' }],
	['Webhook', { resource: 'webhook', operation: '={{ $json.what }}' }],
	['', { resource: '={{ $json.kind }}', operation: '={{ $json.what }}' }],
])('the subtitle is "%s" for %j', (words, parameters) => {
	expect(subtitle(action, parameters)).toBe(words);
});

const ADDRESS = {
	__rl: true,
	mode: 'list',
	value: '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11',
	cachedResultName: 'sales@example.test (Sales)',
};

it.each([
	['Identity: Get: sales@example.test', { resource: 'identity', operation: 'get' }],
	['Identity: Get Many', { resource: 'identity', operation: 'getAll' }],
	[
		'Webhook: Create: sales@example.test',
		{ resource: 'webhook', operation: 'create', receiveFor: 'one' },
	],
	['Webhook: Create', { resource: 'webhook', operation: 'create', receiveFor: 'all' }],
])('the subtitle is "%s" with a chosen address and %j', (words, parameters) => {
	expect(subtitle(action, { ...parameters, identityId: ADDRESS })).toBe(words);
});

it.each([
	['an ID', { __rl: true, mode: 'id', value: '1f0c8a52' }],
	['nothing', { __rl: true, mode: 'list', value: '' }],
	[
		'the text of an empty list',
		{ ...ADDRESS, value: '', cachedResultName: 'This account has none' },
	],
	['an expression', '={{ $json.id }}'],
])('the subtitle has no address if the identity is %s', (_what, identityId) => {
	const parameters = { resource: 'identity', operation: 'get', identityId };

	expect(subtitle(action, parameters)).toBe('Identity: Get');
});

it('the subtitle of the trigger is its address or event', () => {
	const parameters = { event: 'message.received', receiveFor: 'one', identityId: ADDRESS };

	expect(subtitle(new EmailIdentityTrigger(), parameters)).toBe('sales@example.test');
	expect(subtitle(new EmailIdentityTrigger(), { ...parameters, receiveFor: 'all' })).toBe(
		'Message Received',
	);
});

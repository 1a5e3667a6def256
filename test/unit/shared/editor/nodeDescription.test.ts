import { Workflow, type INodeParameters, type INodeType } from 'n8n-workflow';

import { EmailIdentity } from '../../../../nodes/EmailIdentity/EmailIdentity.node';
import { EmailIdentityTrigger } from '../../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

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

const ADDRESS = {
	__rl: true,
	mode: 'list',
	value: '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11',
	cachedResultName: 'sales@example.test (Sales)',
};

const GET = { resource: 'identity', operation: 'get' };
const CREATE = { resource: 'webhook', operation: 'create', identityId: ADDRESS };

it.each<[string, INodeParameters]>([
	['Webhook: Create or Update', { resource: 'webhook', operation: 'upsert' }],
	['Webhook', { resource: 'webhook', operation: '={{ $json.what }}' }],
	['', { resource: '={{ $json.kind }}', operation: '={{ $json.what }}' }],
	['Identity: Get Many', { ...GET, operation: 'getAll', identityId: ADDRESS }],
	['Identity: Get: sales@example.test', { ...GET, identityId: ADDRESS }],
	['Webhook: Create: sales@example.test', { ...CREATE, receiveFor: 'one' }],
	['Webhook: Create', { ...CREATE, receiveFor: 'all' }],
	['Identity: Get', { ...GET, identityId: { __rl: true, mode: 'id', value: '1f0c8a52' } }],
	// The text of an empty list.
	['Identity: Get', { ...GET, identityId: { ...ADDRESS, value: '', cachedResultName: 'None' } }],
	['Identity: Get', { ...GET, identityId: '={{ $json.id }}' }],
])('the subtitle is "%s" for %j', (words, parameters) => {
	expect(subtitle(new EmailIdentity(), parameters)).toBe(words);
});

it('the subtitle of the trigger is its address or event', () => {
	const parameters = { event: 'message.received', receiveFor: 'one', identityId: ADDRESS };

	expect(subtitle(new EmailIdentityTrigger(), parameters)).toBe('sales@example.test');
	expect(subtitle(new EmailIdentityTrigger(), { ...parameters, receiveFor: 'all' })).toBe(
		'On message received',
	);
});

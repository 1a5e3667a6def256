import { Workflow } from 'n8n-workflow';

import { EmailIdentityTrigger } from '../../../nodes/EmailIdentity/EmailIdentityTrigger.node';

const { webhooks = [], version } = new EmailIdentityTrigger().description;

test('there is one address, and nothing of it is an expression that n8n would evaluate at every delivery', () => {
	const expressions = webhooks
		.flatMap((webhook) => Object.entries(webhook))
		.filter(([name, value]) => name !== 'ndvHideUrl' && String(value).startsWith('='));

	expect(webhooks).toHaveLength(1);
	expect(expressions).toEqual([]);
	expect(version).toBeGreaterThanOrEqual(2);
});

test.each([
	['hides the address, which gives only 401 without the secret', {}, true],
	['shows it for setting up a gateway', { deliveryUrl: 'https://gateway.example/in' }, false],
])('the panel %s', (_, advanced, isHidden) => {
	const type = new EmailIdentityTrigger();
	const { name } = type.description;
	const node = { id: '1', name, type: name, typeVersion: 2, position: [0, 0] as [number, number] };
	const workflow = new Workflow({
		nodes: [{ ...node, parameters: { advanced } }],
		connections: {},
		active: false,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
	});
	const hides = webhooks[0]?.ndvHideUrl;
	const { expression } = workflow;

	expect(expression.getSimpleParameterValue(workflow.getNode(name)!, hides, 'internal', {})).toBe(
		isHidden,
	);
});

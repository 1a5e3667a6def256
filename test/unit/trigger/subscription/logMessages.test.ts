import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import {
	describe as say,
	explain,
} from '../../../../nodes/EmailIdentity/trigger/subscription/logMessages';

const NODE = { name: 'Mail', type: 'trigger' } as INode;

it('a log line says what was mended', () => {
	const url = 'https://n8n.example';
	expect(say([{ kind: 'create' }])).toBe('created anew');
	expect(say([{ kind: 'delete', id: 'a' }])).toBe('a surplus one removed');
	expect(say([{ kind: 'update', id: 'a', changes: { enabled: true, url } }])).toBe(
		'address corrected, resumed',
	);
	expect(say([{ kind: 'assert', id: 'a', changes: {} }, { kind: 'create' }])).toBe(
		'written again, as the service did not show it, created anew',
	);
});

describe('what a user reads', () => {
	it('says what happened and what to do, in one line', () => {
		const error = new NodeOperationError(NODE, 'It broke', { description: 'Mend\nit' });
		expect(explain(error)).toBe('It broke. Mend it.');
	});

	it.each([
		new NodeApiError(
			NODE,
			{},
			{ message: 'The authorization server is down', description: 'Authorization: later' },
		),
		new Error('Authorization failed'),
		'AUTHORIZATION',
	])('never holds the word that makes n8n 1.x give up', (error) => {
		expect(explain(error)).not.toMatch(/authorization/i);
	});
});

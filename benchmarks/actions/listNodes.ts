import type { NodeDefinition } from '../../test/e2e/driver';
import type { ActionHost } from './actionHost';

/** All identities, by our node and by what a user would wire up. */
export function listNodes(host: ActionHost): Record<'ours' | 'theirs', NodeDefinition[]> {
	return {
		ours: [
			host.ours({ resource: 'identity', operation: 'getAll', returnAll: true, simplify: true }),
		],
		theirs: [
			host.httpRequest('/identities'),
			{
				name: 'Split Out',
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				parameters: { fieldToSplitOut: 'data', options: {} },
			},
		],
	};
}

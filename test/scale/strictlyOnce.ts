import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../e2e/driver';
import type { CredentialReference } from '../e2e/driver';
import type { WorkflowDefinition } from '../e2e/driver/workflowDefinition';

const EXAMPLE = join(projectFolder, 'examples/strictly-once/workflow.json');
const TRIGGER = 'Email Received';
const LAST = 'Handle Email';
const OUTSIDE = 'Tell Outside';

/**
 * The example for queue mode with credentials chosen as its README says, and one node behind it that
 * makes an end result visible outside of n8n.
 *
 * @param endResults the message's ID is appended
 */
export function strictlyOnce(
	service: CredentialReference,
	redis: CredentialReference,
	endResults: string,
): WorkflowDefinition {
	const example = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as WorkflowDefinition;
	const credentials: Record<string, Record<string, CredentialReference>> = {
		[TRIGGER]: { emailIdentityApi: service },
		'Count in Redis': { redis },
	};
	const outside = {
		name: OUTSIDE,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { method: 'POST', url: `=${endResults}{{ $json.id }}`, options: {} },
	};
	return {
		...example,
		nodes: [
			...example.nodes.map((node) => ({ ...node, credentials: credentials[node.name] })),
			outside,
		],
		connections: {
			...example.connections,
			[LAST]: { main: [[{ node: OUTSIDE, type: 'main', index: 0 }]] },
		},
	};
}

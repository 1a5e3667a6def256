import type { CredentialReference, NodeDefinition, WorkflowDefinition } from '../../support/n8n';
import { ACTION_NODE } from './actions';
import { CREDENTIAL_TYPE } from './deployment';
import { TRIGGER, TRIGGER_NODE } from './stage';

export function triggerNode(
	credential: CredentialReference,
	parameters: object = {},
	name = TRIGGER,
): NodeDefinition {
	return {
		name,
		type: TRIGGER_NODE,
		typeVersion: 2,
		parameters: { advanced: { checkEvery: 0 }, ...parameters },
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
}

/** An operation of the resource Message. */
export function messageNode(
	credential: CredentialReference,
	operation: string,
	parameters: object,
	name: string,
): NodeDefinition {
	return {
		name,
		type: ACTION_NODE,
		parameters: { resource: 'message', operation, ...parameters },
		credentials: { [CREDENTIAL_TYPE]: credential },
	};
}

/** Its items have one new field alone. */
export function editFields(name = 'Edit Fields'): NodeDefinition {
	const saved = { id: '1', name: 'saved', value: 'yes', type: 'string' };
	return {
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments: [saved] } },
	};
}

const LINE = /^(.+?)(?: \((\d)\))? > (.+?)(?: \((\d)\))?(?:: (\w+))?$/;

/** @param lines `From > To`, `From > To: ai_tool`, or `From (1) > To (1)` for another output and input than the first */
export function workflowOf(
	name: string,
	nodes: NodeDefinition[],
	lines: string[],
): WorkflowDefinition {
	const connections: Record<string, Record<string, object[][]>> = {};
	for (const line of lines) {
		const [, from = '', output = 0, node = '', index = 0, type = 'main'] = LINE.exec(line) ?? [];
		const outputs = ((connections[from] ??= {})[type] ??= []);
		while (outputs.length <= Number(output)) outputs.push([]);
		outputs[Number(output)]?.push({ node, type, index: Number(index) });
	}
	return { name, nodes, connections: connections as WorkflowDefinition['connections'] };
}

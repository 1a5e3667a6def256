import { randomUUID } from 'node:crypto';
import type { CredentialReference } from './credentials';

/** A node of a workflow; fields that n8n's editor adds may be left out. */
export interface NodeDefinition {
	name: string;
	type: string;
	typeVersion?: number;
	parameters?: Record<string, unknown>;
	credentials?: Record<string, CredentialReference>;
	id?: string;
	webhookId?: string;
	position?: [number, number];
	onError?: string;
}

export interface WorkflowDefinition {
	name: string;
	nodes: NodeDefinition[];
	connections: Record<string, { main: ({ node: string; type: 'main'; index: number }[] | null)[] }>;
	settings?: Record<string, unknown>;
	staticData?: unknown;
	/** the output of nodes, by their names, that are then not executed; only for executions that are started by hand */
	pinData?: Record<string, { json: Record<string, unknown> }[]>;
}

/** Node types with their own webhook, whose address contains the node's webhook ID. */
const HAS_WEBHOOK = /(emailIdentityTrigger|\.webhook)$/;

const DISTANCE_BETWEEN_NODES = 220;

export function completeNode(node: NodeDefinition, index = 0): NodeDefinition {
	return {
		typeVersion: 1,
		parameters: {},
		id: randomUUID(),
		position: [index * DISTANCE_BETWEEN_NODES, 0],
		...(HAS_WEBHOOK.test(node.type) ? { webhookId: randomUUID() } : {}),
		...node,
	};
}

export function chain(name: string, nodes: NodeDefinition[]): WorkflowDefinition {
	const complete = nodes.map(completeNode);
	const pairs = complete.slice(1).map((node, index) => [complete[index]!.name, node.name] as const);
	return {
		name,
		nodes: complete,
		connections: Object.fromEntries(
			pairs.map(([from, to]) => [from, { main: [[{ node: to, type: 'main', index: 0 }]] }]),
		),
		settings: { executionOrder: 'v1' },
	};
}

export function manualTrigger(name = 'Start'): NodeDefinition {
	return { name, type: 'n8n-nodes-base.manualTrigger' };
}

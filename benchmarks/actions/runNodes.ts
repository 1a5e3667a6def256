import { chain, itemsOf, manualTrigger } from '../../test/support/n8n';
import type { N8n, NodeDefinition } from '../../test/support/n8n';

const START = 'Start';

export interface NodesRun {
	time: number;
	failed: number;
}

/**
 * Stores a workflow whose nodes are measured: a start, one item for each ID, then the nodes.
 *
 * @param items how many the last node gives
 * @param ids each becomes `{{ $json.ids }}` of one item; one empty item without any
 * @returns runs it; rejects where it gives another number of items
 */
export async function measurable(
	n8n: N8n,
	nodes: NodeDefinition[],
	items: number,
	ids: readonly string[] = [],
): Promise<() => Promise<NodesRun>> {
	const before = [manualTrigger(START), ...(ids.length > 0 ? itemFor(ids) : [])];
	const { id } = await n8n.workflows.create(chain('Measured', [...before, ...nodes]));
	return async () => {
		const executionId = await n8n.workflows.run(id, START);
		const ended = await n8n.executions.ended(executionId);
		const given = itemsOf(ended, nodes.at(-1)!.name);
		if (given.length !== items) throw new Error(`${given.length} items came out.`);
		const [first, last] = [nodes[0]!, nodes.at(-1)!].map(({ name }) => ended.nodes[name]![0]!);
		return {
			time: last!.startTime + last!.executionTime - first!.startTime,
			failed: given.filter(({ error, json }) => error !== undefined || 'error' in json).length,
		};
	};
}

function itemFor(ids: readonly string[]): NodeDefinition[] {
	return [
		{
			name: 'IDs',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ ids }), options: {} },
		},
		splitOut('Items', 'ids'),
	];
}

export function splitOut(name: string, fieldToSplitOut: string): NodeDefinition {
	const parameters = { fieldToSplitOut, options: {} };
	return { name, type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters };
}

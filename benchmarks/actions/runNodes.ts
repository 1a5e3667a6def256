import { chain, manualTrigger, until, type N8n, type NodeDefinition } from '../../test/e2e/driver';

const START = 'Start';
const SPLIT = 'Items';
const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);
const TIME_LIMIT_MS = 300_000;
const LOOK_AGAIN_MS = 100;

/** What the measured nodes of one execution did. */
export interface NodesRun {
	/** Milliseconds from the start of the first to the end of the last. */
	time: number;
	/** Items that the last one gave. */
	items: number;
	/** Items of these that are errors. */
	failed: number;
}

/** A stored workflow whose nodes are measured again and again. */
export interface Measurable {
	run(): Promise<NodesRun>;
}

/**
 * Stores a workflow: a start, one item for each ID, then the nodes to be measured.
 *
 * @param ids each becomes `{{ $json.ids }}` of one item; one empty item without any
 */
export async function measurable(
	n8n: N8n,
	nodes: NodeDefinition[],
	ids: readonly string[] = [],
): Promise<Measurable> {
	const definition = chain('Measured', [
		manualTrigger(START),
		...(ids.length > 0 ? itemsOf(ids) : []),
		...nodes,
	]);
	const { id } = await n8n.workflows.create(definition);
	return {
		async run() {
			const execution = await n8n.workflows.run(id, START);
			await until(
				async () => {
					const all = await n8n.executions.list(id);
					return ENDED.has(all.find((one) => one.id === execution)?.status ?? '');
				},
				{ describe: 'the execution has ended', timeout: TIME_LIMIT_MS, interval: LOOK_AGAIN_MS },
			);
			return await read(n8n, execution, nodes);
		},
	};
}

function itemsOf(ids: readonly string[]): NodeDefinition[] {
	return [
		{
			name: 'IDs',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ ids }), options: {} },
		},
		{
			name: SPLIT,
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'ids', options: {} },
		},
	];
}

async function read(n8n: N8n, execution: string, nodes: NodeDefinition[]): Promise<NodesRun> {
	const { nodes: runsOf } = await n8n.executions.get(execution);
	const runs = nodes.map(({ name }) => {
		const run = runsOf[name]?.[0];
		if (!run || run.error) throw new Error(`"${name}" failed: ${run?.error?.message}`);
		return run;
	});
	const [first, last] = [runs.at(0), runs.at(-1)];
	if (first === undefined || last === undefined) throw new Error('There is nothing to measure.');
	const items = last.outputs[0] ?? [];
	return {
		time: last.startTime + last.executionTime - first.startTime,
		items: items.length,
		failed: items.filter(({ error, json }) => error !== undefined || 'error' in json).length,
	};
}

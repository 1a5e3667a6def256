import { chain, manualTrigger, until, type NodeDefinition } from '../../test/e2e/driver';
import type { ActionHost } from './actionHost';

const START = 'Start';
const BEGIN = 'begin';
const TIME_LIMIT_MS = 180_000;
const LOOK_AGAIN_MS = 20;

/** n8n would take far longer to keep a hundred thousand items than to read them. */
const KEEP_NOTHING = {
	saveManualExecutions: false,
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
};

/** Runs a workflow; gives the milliseconds that its measured nodes took. */
export type Timed = (lastValue: string) => Promise<number>;

/**
 * Stores a workflow that asks the service for a mark before and after the nodes to be measured, so that
 * nothing of its execution has to be kept.
 *
 * @returns a function that runs it; it takes the `value` of the last item, which proves that all came
 */
export async function timedByMarks(host: ActionHost, nodes: NodeDefinition[]): Promise<Timed> {
	const { n8n, service } = host;
	const named = (name: string, node: NodeDefinition) => ({ ...node, name });
	const definition = chain('Timed by marks', [
		manualTrigger(START),
		named('Begin', host.httpRequest(`/mark/${BEGIN}`)),
		...nodes,
		{
			name: 'Last Item',
			type: 'n8n-nodes-base.limit',
			parameters: { maxItems: 1, keep: 'lastItems' },
		},
		named('End', host.httpRequest('/mark/{{ $json.value }}')),
	]);
	const { id } = await n8n.workflows.create({ ...definition, settings: KEEP_NOTHING });
	return async (lastValue) => {
		service.marks.clear();
		await n8n.workflows.run(id, START);
		const end = await until(() => service.marks.get(lastValue), {
			describe: `the workflow has come to its end with ${lastValue} as the last item`,
			timeout: TIME_LIMIT_MS,
			interval: LOOK_AGAIN_MS,
		});
		return end - (service.marks.get(BEGIN) ?? NaN);
	};
}

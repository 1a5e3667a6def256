import { parse } from 'flatted';
import type { Session } from './session';
import { until } from './until';

const ENDED = new Set(['success', 'error', 'canceled', 'crashed']);

interface ExecutionSummary {
	id: string;
	mode: string;
	status: string;
}

/** One item of a node's output. */
export interface Item {
	json: Record<string, unknown>;
	/** Files; the content is behind `id`. */
	binary?: Record<string, { id?: string }>;
	error?: unknown;
}

interface Failure {
	message: string;
	description?: string | null;
}

/** Times are in milliseconds. */
interface NodeRun {
	data?: { main?: (Item[] | null)[] };
	error?: Failure;
	startTime: number;
	executionTime: number;
}

export interface Execution extends ExecutionSummary {
	nodes: Record<string, NodeRun[]>;
	error?: Failure;
}

interface ExecutionContent {
	resultData: { error?: Failure; runData?: Record<string, NodeRun[]> };
}

export class Executions {
	constructor(private readonly session: Session) {}

	/** The newest hundred executions of a workflow, newest first. */
	async list(workflowId: string): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await this.session.call<{ results: ExecutionSummary[] }>(
			'GET',
			`/rest/executions?limit=100&filter=${filter}`,
		);
		// n8n 2.x reads those that run, then those that ended: one that ends in between is in both.
		return [...new Map(results.map((execution) => [execution.id, execution])).values()];
	}

	async get(id: string): Promise<Execution> {
		const { data, ...summary } = await this.session.call<ExecutionSummary & { data: string }>(
			'GET',
			`/rest/executions/${id}`,
		);
		const { error, runData = {} } = (parse(data) as ExecutionContent).resultData;
		return { ...summary, error, nodes: runData };
	}

	async ended(id: string): Promise<Execution> {
		return await until(`execution ${id} has ended`, async () => {
			const execution = await this.get(id);
			return ENDED.has(execution.status) && execution;
		});
	}

	/** Waits until a workflow has a number of ended executions, and returns all, oldest first. */
	async atLeast(workflowId: string, count: number, timeoutMs?: number): Promise<Execution[]> {
		const ended = await until(
			`workflow ${workflowId} has ${count} ended execution(s)`,
			async () => {
				const all = await this.list(workflowId);
				return all.filter(({ status }) => ENDED.has(status)).length >= count && all;
			},
			timeoutMs,
		);
		return await Promise.all(ended.reverse().map(({ id }) => this.get(id)));
	}
}

/** The items of a node's output. @throws Error with the reason if the node did not run or failed */
export function itemsOf(execution: Execution, node: string, output = 0): Item[] {
	const run = execution.nodes[node]?.at(-1);
	if (!run || run.error) {
		const reason = run?.error?.message ?? execution.error?.message ?? 'it did not run';
		throw new Error(`Node "${node}" gave nothing in execution ${execution.id}: ${reason}`);
	}
	return run.data?.main?.[output] ?? [];
}

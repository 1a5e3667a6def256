import { BinaryDataService, WorkflowExecute, WorkflowHasIssuesError } from 'n8n-core';
import { Container } from '@n8n/di';
import type {
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';

import { buildAdditionalData } from './additionalData';
import { logLinesSince, logPosition, type LogLine } from './logLines';
import { buildWorkflow, runDataOf, type NodeSetup } from './nodeSetup';

export interface ExecuteSetup extends NodeSetup {
	/** The items that arrive; one empty item when left out, as from a manual trigger. */
	items?: INodeExecutionData[];
	/** The node that they come from; default: the start node. */
	previousNode?: string;
}

export interface NodeRun {
	/** The items of each output, in the order of the node's outputs. */
	outputs: INodeExecutionData[][];
	/** The error that stopped the workflow, as n8n saved it. */
	error: ITaskData['error'] | WorkflowHasIssuesError;
	hints: NodeExecutionHint[];
	logLines: LogLine[];
	/** What n8n saves; undefined if it refused to start. */
	data?: IRunExecutionData;
}

/**
 * Starts a node the way n8n runs it in a workflow (`WorkflowExecute.processRunExecutionData`). `cancel` is what the editor's
 * "Stop" does.
 */
export async function startNode(setup: ExecuteSetup) {
	await Container.get(BinaryDataService).init();
	const position = logPosition();
	const mode = setup.mode ?? 'manual';
	const items = setup.items ?? [{ json: {} }];
	const { workflow, node } = buildWorkflow(setup);
	const runExecutionData = createRunExecutionData({
		resultData: { runData: runDataOf(setup, items) },
		executionData: {
			nodeExecutionStack: [
				{
					node,
					data: { main: [items] },
					source: { main: [{ previousNode: setup.previousNode ?? 'Start' }] },
				},
			],
		},
	});
	let savedRun: IRun | undefined;
	const additionalData = buildAdditionalData(setup, workflow, mode, (run) => {
		savedRun = run;
	});
	let execution: ReturnType<WorkflowExecute['processRunExecutionData']>;
	try {
		execution = new WorkflowExecute(additionalData, mode, runExecutionData).processRunExecutionData(
			workflow,
		);
	} catch (error) {
		// n8n refuses to start a workflow whose fields it sees to be wrong.
		if (!(error instanceof WorkflowHasIssuesError)) throw error;
		const refused: NodeRun = { outputs: [], hints: [], logLines: [], error };
		return { finished: Promise.resolve(refused), cancel: () => undefined };
	}

	const readRun = async (): Promise<NodeRun> => {
		const returned = await execution;
		const run = returned ?? savedRun;
		const task = run?.data.resultData.runData[node.name]?.at(-1);
		return {
			outputs: (task?.data?.main ?? []).map((output) => output ?? []),
			error: task?.error ?? run?.data.resultData.error,
			hints: task?.hints ?? [],
			logLines: logLinesSince(position),
			data: run?.data,
		};
	};
	return { finished: readRun(), cancel: () => execution.cancel() };
}

/** Runs a node to its end. A failed node is in the result's `error`, as in n8n; nothing is thrown. */
export async function runNode(setup: ExecuteSetup): Promise<NodeRun> {
	return await (
		await startNode(setup)
	).finished;
}

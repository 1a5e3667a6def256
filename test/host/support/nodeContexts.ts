import { ExecuteContext, HookContext, LoadOptionsContext, TriggerContext } from 'n8n-core';
import type {
	Cron,
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INode,
	INodeListSearchResult,
	ITriggerFunctions,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';

import { buildAdditionalData } from './additionalData';
import { logLinesSince, logPosition } from './logLines';
import { buildWorkflow, runDataOf, staticDataOf, type NodeSetup } from './nodeSetup';

export interface HookSetup extends NodeSetup {
	activation?: WorkflowActivateMode;
}

const withInstanceId = <Context extends { getInstanceId(): string }>(
	context: Context,
	{ instanceId }: NodeSetup,
): Context => {
	if (instanceId !== undefined) context.getInstanceId = () => instanceId;
	return context;
};

/** What every context of a node needs. */
function prepare(setup: NodeSetup, usualMode: WorkflowExecuteMode) {
	const position = logPosition();
	const mode = setup.mode ?? usualMode;
	const { workflow, node } = buildWorkflow(setup);
	const additionalData = buildAdditionalData(setup, workflow, mode);
	return { mode, workflow, node, additionalData, logLines: () => logLinesSince(position) };
}

/** The context of `checkExists`, `create` and `delete`, with what the node left behind in it. */
export function hookContext(setup: HookSetup) {
	const { mode, workflow, node, additionalData, logLines } = prepare(setup, 'trigger');
	const webhookData = webhookDataOf(setup, workflow, node, additionalData);
	const activation = setup.activation ?? 'activate';
	const context: IHookFunctions = withInstanceId(
		new HookContext(workflow, node, additionalData, mode, activation, webhookData),
		setup,
	);
	/** `staticData`: as n8n would save them now. */
	return { context, staticData: () => staticDataOf(workflow, node), logLines };
}

/** A call of one of the node's webhooks, as n8n describes it to a context. */
export function webhookDataOf(
	{ type, isTest = false }: NodeSetup,
	workflow: Workflow,
	{ name }: INode,
	workflowExecuteAdditionalData: IWorkflowExecuteAdditionalData,
): IWebhookData {
	const [webhookDescription] = type.description.webhooks ?? [];
	if (webhookDescription === undefined) throw new Error('The node has no webhook');
	return {
		httpMethod: 'POST',
		node: name,
		path: '',
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData,
		isTest,
	};
}

/** The context of `trigger()`, at a start of n8n unless told otherwise. */
export function triggerContext(setup: HookSetup) {
	const { mode, workflow, node, additionalData, logLines } = prepare(setup, 'trigger');
	const crons: Array<{ cron: Cron; onTick: (scheduled: Date) => void }> = [];
	const failures: Error[] = [];
	const unexpected = (): never => {
		throw new Error('The trigger emitted something');
	};
	const context: ITriggerFunctions = withInstanceId(
		new TriggerContext(
			workflow,
			node,
			additionalData,
			mode,
			setup.activation ?? 'init',
			unexpected,
			unexpected,
			(error) => void failures.push(error),
			{ registerCron: (cron, onTick) => void crons.push({ cron, onTick }) },
		),
		setup,
	);
	/** `crons`: what the trigger asked n8n's scheduler for; a test calls `onTick` itself. `failures`: its failed executions. */
	return { context, crons, failures, logLines };
}

/** Asks a node's list search the way the editor does. */
export async function searchList(
	setup: NodeSetup,
	method: string,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const search = setup.type.methods?.listSearch?.[method];
	if (search === undefined) throw new Error(`The node has no list search ${method}`);
	const { workflow, node, additionalData } = prepare(setup, 'internal');
	additionalData.currentNodeParameters = node.parameters;
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	return await search.call(context, filter, paginationToken);
}

/** The bare context of `execute`, for code below the node. */
export function executeContext(
	setup: NodeSetup & {
		items?: INodeExecutionData[];
		/** Null: none, as for tools of n8n's MCP Server Trigger. */
		previousNode?: string | null;
		signal?: AbortSignal;
	},
): IExecuteFunctions {
	const items = setup.items ?? [{ json: {} }];
	const runData = runDataOf(setup, items);
	const { previousNode = 'Start' } = setup;
	const source = previousNode === null ? null : { main: [{ previousNode }] };
	const { mode, workflow, node, additionalData } = prepare(setup, 'manual');
	return withInstanceId(
		new ExecuteContext(
			workflow,
			node,
			additionalData,
			mode,
			createRunExecutionData({ resultData: { runData } }),
			0,
			items,
			{ main: [items] },
			{ node, data: { main: [items] }, source },
			[],
			setup.signal,
		),
		setup,
	);
}

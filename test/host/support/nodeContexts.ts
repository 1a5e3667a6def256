import { ExecuteContext, HookContext, LoadOptionsContext, TriggerContext } from 'n8n-core';
import type {
	Cron,
	IDataObject,
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
} from 'n8n-workflow';
import { createEmptyRunExecutionData } from 'n8n-workflow';

import { buildAdditionalData } from './additionalData';
import { logLinesSince, logPosition, type LogLine } from './logLines';
import { buildWorkflow, staticDataOf, type NodeSetup } from './nodeSetup';

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

/** The context of `checkExists`, `create` and `delete`, with what the node left behind in it. */
export function hookContext(setup: HookSetup) {
	const position = logPosition();
	const mode = setup.mode ?? 'trigger';
	const { workflow, node } = buildWorkflow(setup);
	const additionalData = buildAdditionalData(setup, workflow, mode);
	const webhookData = webhookDataOf(setup, workflow, node, additionalData);
	const activation = setup.activation ?? 'activate';
	const context: IHookFunctions = withInstanceId(
		new HookContext(workflow, node, additionalData, mode, activation, webhookData),
		setup,
	);
	return {
		context,
		/** As n8n would save them now. */
		staticData: (): IDataObject => staticDataOf(workflow, node),
		logLines: (): LogLine[] => logLinesSince(position),
	};
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
	const position = logPosition();
	const mode = setup.mode ?? 'trigger';
	const { workflow, node } = buildWorkflow(setup);
	const crons: Array<{ cron: Cron; onTick: (scheduled: Date) => void }> = [];
	const failures: Error[] = [];
	const unexpected = (): never => {
		throw new Error('The trigger emitted something');
	};
	const context: ITriggerFunctions = withInstanceId(
		new TriggerContext(
			workflow,
			node,
			buildAdditionalData(setup, workflow, mode),
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
	return { context, crons, failures, logLines: (): LogLine[] => logLinesSince(position) };
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
	const { workflow, node } = buildWorkflow(setup);
	const additionalData = buildAdditionalData(setup, workflow, 'internal');
	additionalData.currentNodeParameters = node.parameters;
	const context = new LoadOptionsContext(workflow, node, additionalData, '');
	return await search.call(context, filter, paginationToken);
}

/** The bare context of `execute`, for code below the node. */
export function executeContext(
	setup: NodeSetup & { items?: INodeExecutionData[]; signal?: AbortSignal },
): IExecuteFunctions {
	const mode = setup.mode ?? 'manual';
	const items = setup.items ?? [{ json: {} }];
	const { workflow, node } = buildWorkflow(setup);
	return withInstanceId(
		new ExecuteContext(
			workflow,
			node,
			buildAdditionalData(setup, workflow, mode),
			mode,
			createEmptyRunExecutionData(),
			0,
			items,
			{ main: [items] },
			{ node, data: { main: [items] }, source: null },
			[],
			setup.signal,
		),
		setup,
	);
}

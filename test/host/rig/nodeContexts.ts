import { ExecuteContext, HookContext, LoadOptionsContext, TriggerContext } from 'n8n-core';
import type {
	Cron,
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeListSearchResult,
	ITriggerFunctions,
	IWebhookData,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { createEmptyRunExecutionData } from 'n8n-workflow';

import { buildAdditionalData } from './additionalData';
import { logLinesSince, logPosition, type LogLine } from './logLines';
import { buildWorkflow, staticDataOf, type NodeSetup } from './nodeSetup';

export interface HookSetup extends NodeSetup {
	activation?: WorkflowActivateMode;
	/** True for listening for a test event: the test address is handed out. */
	isTest?: boolean;
}

/** One context, with what the node left behind in it. */
export interface Rigged<Context> {
	context: Context;
	/** The node's static data as n8n would save them now. */
	staticData(): IDataObject;
	logLines(): LogLine[];
}

const withInstanceId = <Context extends { getInstanceId(): string }>(
	context: Context,
	{ instanceId }: NodeSetup,
): Context => {
	if (instanceId !== undefined) context.getInstanceId = () => instanceId;
	return context;
};

/** The context of `checkExists`, `create` and `delete`. */
export function hookContext(setup: HookSetup): Rigged<IHookFunctions> {
	const position = logPosition();
	const mode = setup.mode ?? 'trigger';
	const { workflow, node } = buildWorkflow(setup);
	const additionalData = buildAdditionalData(setup, workflow, mode);
	const webhookDescription = setup.type.description.webhooks?.[0];
	const webhookData =
		webhookDescription === undefined
			? undefined
			: ({
					httpMethod: 'POST',
					node: node.name,
					path: '',
					webhookDescription,
					workflowId: workflow.id,
					workflowExecuteAdditionalData: additionalData,
					isTest: setup.isTest ?? false,
				} satisfies IWebhookData);
	const context = new HookContext(
		workflow,
		node,
		additionalData,
		mode,
		setup.activation ?? 'activate',
		webhookData,
	);
	return {
		context: withInstanceId(context, setup),
		staticData: () => staticDataOf(workflow, node),
		logLines: () => logLinesSince(position),
	};
}

export interface RiggedTrigger extends Rigged<ITriggerFunctions> {
	/** What the trigger asked n8n's scheduler for; a test calls `onTick` itself. */
	crons: Array<{ cron: Cron; onTick: (scheduled: Date) => void }>;
	emitted: INodeExecutionData[][][];
	/** What `saveFailedExecution` and `emitError` were given. */
	errors: Error[];
}

/** The context of `trigger()`, at a start of n8n unless told otherwise. */
export function triggerContext(setup: HookSetup): RiggedTrigger {
	const position = logPosition();
	const mode = setup.mode ?? 'trigger';
	const { workflow, node } = buildWorkflow(setup);
	const crons: RiggedTrigger['crons'] = [];
	const emitted: RiggedTrigger['emitted'] = [];
	const errors: Error[] = [];
	const context = new TriggerContext(
		workflow,
		node,
		buildAdditionalData(setup, workflow, mode),
		mode,
		setup.activation ?? 'init',
		(data) => void emitted.push(data),
		(error) => void errors.push(error),
		(error) => void errors.push(error),
		{ registerCron: (cron, onTick) => void crons.push({ cron, onTick }) },
	);
	return {
		context: withInstanceId(context, setup),
		staticData: () => staticDataOf(workflow, node),
		logLines: () => logLinesSince(position),
		crons,
		emitted,
		errors,
	};
}

/** The context of the editor's drop-downs. */
export function loadOptionsContext(setup: NodeSetup): ILoadOptionsFunctions {
	const { workflow, node } = buildWorkflow(setup);
	const additionalData = buildAdditionalData(setup, workflow, 'internal');
	additionalData.currentNodeParameters = node.parameters;
	return new LoadOptionsContext(workflow, node, additionalData, '');
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
	return await search.call(loadOptionsContext(setup), filter, paginationToken);
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

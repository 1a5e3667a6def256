import { parse, stringify } from 'flatted';
import { WebhookContext } from 'n8n-core';
import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import { buildAdditionalData } from './additionalData';
import { runNode, type ExecuteSetup, type NodeRun } from './executeNode';
import { webhookDataOf } from './nodeContexts';
import { buildWorkflow } from './nodeSetup';

/** What n8n answers to a request to a waiting node. */
export interface WaitingAnswer {
	status: number;
	/** With names in lower case. */
	headers: Record<string, string>;
	body: string;
	/** The items with which the execution continues; undefined if it still waits. */
	continued?: INodeExecutionData[][];
}

export interface WaitingRun extends NodeRun {
	/** Undefined if the execution does not wait. */
	waitTill?: Date;
	/** The items with which n8n continues after the limit. */
	afterLimit: INodeExecutionData[];
	/** @param fields of a form; absent for a request without a body */
	request(url: string, method?: string, fields?: IDataObject): Promise<WaitingAnswer>;
}

/** Runs a node that may make its execution wait, and loads the execution from n8n's database again. */
export async function runToWait(setup: ExecuteSetup): Promise<WaitingRun> {
	const run = await runNode(setup);
	const saved = () => parse(stringify(run.data)) as IRunExecutionData;
	return {
		...run,
		waitTill: run.data?.waitTill,
		afterLimit: saved().executionData?.nodeExecutionStack[0]?.data.main?.[0] ?? [],
		request: async (url, method = 'GET', fields) =>
			await request(setup, saved(), new URL(url), method, fields),
	};
}

/** As n8n does after it has checked the signature (`webhooks/waiting-webhooks.js`). */
async function request(
	setup: ExecuteSetup,
	data: IRunExecutionData,
	{ searchParams }: URL,
	method: string,
	fields?: IDataObject,
): Promise<WaitingAnswer> {
	const { workflow, node } = buildWorkflow(setup);
	const additionalData = buildAdditionalData(setup, workflow, 'webhook');
	const answer: WaitingAnswer = { status: 200, headers: {}, body: '' };
	const response = {
		setHeader: (name: string, value: string) => void (answer.headers[name.toLowerCase()] = value),
		status: (code: number) => {
			answer.status = code;
			return response;
		},
		send: (body: string) => void (answer.body = body),
	};
	const httpRequest = { method, query: Object.fromEntries(searchParams), body: fields };
	Object.assign(additionalData, { httpRequest, httpResponse: response });
	const webhookData = webhookDataOf(setup, workflow, node, additionalData);
	const context = new WebhookContext(
		workflow,
		node,
		additionalData,
		'webhook',
		webhookData,
		[],
		data,
	);
	const { workflowData, webhookResponse } = await setup.type.webhook!.call(context);
	if (workflowData === undefined) return answer;
	return { ...answer, body: String(webhookResponse), continued: workflowData };
}

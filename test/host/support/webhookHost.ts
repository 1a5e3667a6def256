import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Container } from '@n8n/di';
import { BinaryDataService, WebhookContext } from 'n8n-core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { buildAdditionalData } from './additionalData';
import { logLinesSince, logPosition, type LogLine } from './logLines';
import { webhookDataOf } from './nodeContexts';
import { buildWorkflow, staticDataOf, type NodeSetup } from './nodeSetup';
import {
	asWebhookRequest,
	asWebhookResponse,
	parseRequestBody,
	type WebhookRequest,
	type WebhookResponse,
} from './webhookRequest';

export interface WebhookHostSetup extends NodeSetup {
	/** What n8n waits for before it calls the node, such as reading the workflow. */
	loading?: (response: WebhookResponse) => Promise<void>;
	/** What n8n waits for while it records an execution. If it fails, the delivery is answered 500 and nothing is saved. */
	recording?: (items: INodeExecutionData[][]) => Promise<void>;
}

export interface DeliveryOutcome {
	/** The items the workflow was started with; undefined when nothing was started. */
	started?: INodeExecutionData[][];
	/** What `webhook()` or `recording` threw: n8n answers 500. */
	error?: Error;
}

export interface WebhookHost {
	/** Where deliveries go; any path and query below it reaches the node. */
	url: string;
	outcomes: DeliveryOutcome[];
	/** The items of all started executions. */
	started(): INodeExecutionData[][][];
	/** The static data in n8n's database; each delivery loads its own copy, the last one saved wins. */
	staticData: IDataObject;
	logLines(): LogLine[];
	stop(): Promise<void>;
}

/**
 * A tiny HTTP server that hands requests to a node's `webhook()` in n8n-core's own context and answers
 * as n8n 2.x does in mode `onReceived` (`webhooks/webhook-helpers.js`).
 */
export async function startWebhookHost(setup: WebhookHostSetup): Promise<WebhookHost> {
	await Container.get(BinaryDataService).init();
	const position = logPosition();
	const outcomes: DeliveryOutcome[] = [];

	const deliver = async (request: WebhookRequest, response: WebhookResponse): Promise<void> => {
		const outcome: DeliveryOutcome = {};
		outcomes.push(outcome);
		const mode = setup.mode ?? (setup.isTest === true ? 'manual' : 'webhook');
		const { workflow, node } = buildWorkflow({ ...setup, staticData: host.staticData });
		try {
			await parseRequestBody(request);
		} catch (error) {
			response
				.status(422)
				.json({ code: 422, message: 'Failed to parse request body', hint: String(error) });
			return;
		}
		const additionalData = buildAdditionalData(setup, workflow, mode);
		Object.assign(additionalData, { httpRequest: request, httpResponse: response });
		const webhookData = webhookDataOf(setup, workflow, node, additionalData);
		const context = new WebhookContext(workflow, node, additionalData, mode, webhookData, [], null);
		const { instanceId } = setup;
		if (instanceId !== undefined) context.getInstanceId = () => instanceId;
		// n8n leaves alone what nobody changed (`workflows/workflow-static-data.service.js`).
		const save = () => {
			if (workflow.staticData.__dataChanged === true)
				host.staticData = staticDataOf(workflow, node);
		};
		try {
			await setup.loading?.(response);
			const result = await setup.type.webhook!.call(context);
			if (result.workflowData === undefined) {
				if (result.noWebhookResponse !== true) {
					response.send(result.webhookResponse ?? { message: 'Webhook call received' });
				}
				save();
				return;
			}
			await setup.recording?.(result.workflowData);
			outcome.started = result.workflowData;
			const answer = result.webhookResponse ?? { message: 'Workflow was started' };
			save();
			response.send(answer);
		} catch (error) {
			outcome.error = error instanceof Error ? error : new Error(String(error));
			if (!response.headersSent) {
				response
					.status(500)
					.json({ code: 0, message: 'Workflow Webhook Error: Workflow could not be started!' });
			}
		}
	};

	const server = createServer((message, answer) => {
		void deliver(asWebhookRequest(message), asWebhookResponse(answer)).catch((error: unknown) => {
			answer.statusCode = 500;
			answer.end(String(error));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const host: WebhookHost = {
		url: `http://127.0.0.1:${port}`,
		outcomes,
		started: () => outcomes.flatMap(({ started }) => (started === undefined ? [] : [started])),
		staticData: structuredClone(setup.staticData ?? {}),
		logLines: () => logLinesSince(position),
		stop: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return host;
}

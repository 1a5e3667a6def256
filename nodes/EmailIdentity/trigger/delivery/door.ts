import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../api/credential';
import { createService } from '../../api/service';
import { monotonicNow } from '../../../../lib/basics';
import { authenticateSender } from '../../shared/dnsAccess';
import { readDeliveryParameters, type DeliveryParameters } from '../parameters';
import { ANNOUNCED } from '../sample/sampleListening';
import { secretOfQuery, secretScope } from '../../shared/secret';
import { triggerStaticData } from '../staticData';
import { readBody } from './mail';
import type { Answer, Refused, Started } from './outcomes';
import { receive } from './receive';
import type { DeliveryMemory, DeliveryRequest } from './request';

/** Seconds after which a sender may repeat what failed here. */
const RETRY_AFTER = '60';

/** Takes one delivery from n8n and writes the answer. Nothing behind this file sees n8n. */
export async function receiveDelivery(
	context: IWebhookFunctions,
	memory: DeliveryMemory,
): Promise<IWebhookResponseData> {
	const isTest = context.getMode() === 'manual';
	const scope = secretScope(context, isTest ? 'test' : 'production');
	const response = context.getResponseObject();
	const { subscription, seen } = triggerStaticData(context);
	const isOwn =
		subscription?.instanceId === scope.instanceId && subscription.listening === scope.listening;
	let parameters: DeliveryParameters | undefined;
	const request: DeliveryRequest = {
		scope,
		workflowId: context.getWorkflow().id ?? '',
		credentialId: context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '',
		arrivedAt: monotonicNow(),
		secret: secretOfQuery(context.getQueryData()),
		readBody: async () => await readBody(context.getRequestObject()),
		// Read late: expressions are not evaluated before the secret was checked.
		get parameters() {
			return (parameters ??= readDeliveryParameters(context));
		},
		stored: isOwn ? subscription : undefined,
		seen,
		remember: (messages) => {
			// n8n makes JSON of static data in the moment in which it saves them.
			triggerStaticData(context).seen = { toJSON: () => messages.toString() };
		},
		closed: new Promise((resolve) => {
			response.once('close', () =>
				resolve(response.writableEnded ? response.statusCode : undefined),
			);
		}),
		memory,
		pause: async () => await sleep(0),
		service: ({ within, ...retry }) => {
			const signal = within === undefined ? undefined : AbortSignal.timeout(within);
			return createService(context, { retry, signal });
		},
		authenticateSender: async (email, opened, fields) =>
			await authenticateSender(context, email, opened, fields),
		prepareFile: async (content, fileName, mimeType) =>
			await context.helpers.prepareBinaryData(content, fileName, mimeType),
		log: createLog(context, memory),
	};
	return writeAnswer(response, await receive(request));
}

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

function writeAnswer(response: WebhookResponse, answer: Answer): IWebhookResponseData {
	switch (answer.outcome) {
		case 'started':
			return startWith(answer);
		case 'ignored': {
			const { reason, report } = answer;
			return {
				webhookResponse: { status: 'ignored', reason },
				...(report && { workflowData: [[report]] }),
			};
		}
		case 'refused':
			return writeRefusal(response, answer);
		case 'ready':
			return { webhookResponse: ANNOUNCED };
	}
}

/**
 * Starts the workflow once, with the items of one email.
 *
 * n8n asks for the answer's body right before it saves the static data and answers, which on 2.x is when
 * it has recorded the execution. No other moment is as good for storing what was accepted: 2.x forgets that
 * static data were changed before (`establishContextForPersistence` in `workflow-runner.js`), and asks for
 * nothing when the start failed. It does so only if the node's description has an empty `responseData`. It asks twice.
 */
function startWith({ items, accept }: Started): IWebhookResponseData {
	return {
		workflowData: [items],
		get webhookResponse() {
			accept();
			return { status: 'started' };
		},
	};
}

/**
 * n8n itself can only answer 200 where no workflow starts, so the answer is written here. With `noWebhookResponse` and no
 * answer the sender would wait.
 */
function writeRefusal(response: WebhookResponse, { status, message }: Refused) {
	if (status >= 500) response.setHeader('Retry-After', RETRY_AFTER);
	response.status(status).json({ status: 'refused', message });
	return { noWebhookResponse: true };
}

/**
 * Says how many deliveries there were since the last such line. Everything is in the sentence, because n8n shows metadata on
 * the console only at log level debug.
 */
const createLog =
	(context: IWebhookFunctions, { logThrottle }: DeliveryMemory): DeliveryRequest['log'] =>
	(level, outcome, why, throttle = logThrottle) => {
		const { id, name, webhookId } = context.getNode();
		const { id: workflowId, name: workflow } = context.getWorkflow();
		const deliveries = throttle.pass(workflowId, webhookId ?? id, outcome, why);
		if (deliveries === undefined) return;
		const trigger = `Email Identity Trigger "${name}" of workflow "${workflow ?? workflowId}"`;
		const count = deliveries === 1 ? '1 delivery was' : `${deliveries} deliveries were`;
		const line = `${trigger}: ${count} ${outcome}: ${why}`;
		context.logger[level](line, { workflowId, deliveries });
	};

import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../api/credential';
import { EmailIdentityService } from '../../api/service';
import { monotonicNow } from '../../../../lib/basics';
import { authenticateSender } from '../../shared/dnsAccess';
import { readDeliveryParameters } from '../settings/parameters';
import { ANNOUNCED } from '../sampleEmail';
import { secretOfQuery, secretScope } from '../../shared/secret';
import { readStored, triggerStaticData } from '../staticData';
import { answerSafely } from './answerSafely';
import { decide } from './decide';
import type { DeliveryAnswer, Started } from './outcomes';
import { checkSecret, readDeliveredBody } from './readDelivery';
import type { Arrived, DeliveryHost, DeliveryMemory, RequestBudget } from './stages';

/** Takes one delivery from n8n and writes the answer. Only this file sees n8n's context. */
export async function receiveDelivery(
	context: IWebhookFunctions,
	memory: DeliveryMemory,
): Promise<IWebhookResponseData> {
	const arrived = readArrived(context);
	const host = lendHost(context, memory, arrived);
	const answering = answerSafely(async () => await answerTo(context, arrived, host), host);
	memory.openDeliveries.add(Promise.all([answering, arrived.closed]));
	return writeAnswer(await answering, context.getResponseObject());
}

async function answerTo(
	context: IWebhookFunctions,
	arrived: Arrived,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	const { secret = '' } = arrived;
	const refused = await checkSecret(arrived, host);
	if (refused) return refused;
	const body = await readDeliveredBody(context.getRequestObject());
	if ('outcome' in body) return body;
	const parameters = readDeliveryParameters(context);
	return await decide({ ...arrived, secret, body: body.value, parameters }, host);
}

function readArrived(context: IWebhookFunctions): Arrived {
	const isTest = context.getMode() === 'manual';
	const scope = secretScope(context, isTest ? 'test' : 'production');
	const response = context.getResponseObject();
	const subscription = readStored(context);
	const { seen } = triggerStaticData(context);
	const isOwn =
		subscription?.instanceId === scope.instanceId && subscription.listening === scope.listening;
	return {
		scope,
		workflowId: context.getWorkflow().id ?? '',
		arrivedAt: monotonicNow(),
		secret: secretOfQuery(context.getQueryData()),
		stored: isOwn ? subscription : undefined,
		seen,
		closed: new Promise((resolve) => {
			response.once('close', () =>
				resolve(response.writableEnded ? response.statusCode : undefined),
			);
		}),
	};
}

function lendHost(
	context: IWebhookFunctions,
	memory: DeliveryMemory,
	{ scope, stored }: Pick<Arrived, 'scope' | 'stored'>,
): DeliveryHost {
	const service = ({ withinMs, ...retry }: RequestBudget) => {
		const signal = withinMs === undefined ? undefined : AbortSignal.timeout(withinMs);
		return new EmailIdentityService(context, { retry, signal });
	};
	return {
		memory,
		credentialId: context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '',
		pause: async () => await sleep(0),
		service,
		authenticateSender: async (message, fields) =>
			await authenticateSender(context, message, fields),
		prepareFile: async (content, fileName, mimeType) =>
			await context.helpers.prepareBinaryData(content, fileName, mimeType),
		remember: (messages) => {
			const staticData = triggerStaticData(context);
			const look = memory.subscriptions.seen(scope)?.stored;
			if (stored && look) staticData.subscription = { ...stored, look };
			// n8n makes JSON of static data at the moment when it saves them.
			if (messages) staticData.seen = { toJSON: () => messages.toJSON() };
		},
		log: createLog(context, memory),
	};
}

function writeAnswer(
	answer: DeliveryAnswer,
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
): IWebhookResponseData {
	switch (answer.outcome) {
		case 'started':
			return startWith(answer);
		case 'ignored':
			return {
				webhookResponse: { status: 'ignored', reason: answer.reason },
				...(answer.report && { workflowData: [[answer.report]] }),
			};
		case 'refused':
			// n8n itself can only answer 200 if no workflow starts.
			if (answer.status >= 500) response.setHeader('Retry-After', '60');
			response.status(answer.status).json({ status: 'refused', message: answer.message });
			return { noWebhookResponse: true };
		case 'ready':
			return { webhookResponse: ANNOUNCED };
	}
}

/**
 * n8n reads the answer's body (twice) right before it saves the static data and answers, on 2.x after it recorded the
 * execution; not if the start failed. Static data changed earlier is lost on 2.x (`establishContextForPersistence` in
 * `workflow-runner.js`). This needs an empty `responseData` in the node's description.
 */
function startWith(answer: Started): IWebhookResponseData {
	return {
		workflowData: [answer.items],
		get webhookResponse() {
			answer.accept();
			return { status: 'started' };
		},
	};
}

/** Counts the deliveries since the last line. n8n shows metadata on the console only at log level debug. */
const createLog =
	(context: IWebhookFunctions, { logThrottle }: DeliveryMemory): DeliveryHost['log'] =>
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

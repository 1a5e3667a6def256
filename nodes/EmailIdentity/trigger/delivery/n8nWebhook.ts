import { sleep, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../../api/requests/credential';
import { EmailIdentityService } from '../../api/service';
import { monotonicNow } from '../../../../lib/basics';
import { authenticateSender } from '../../shared/reading/authenticateSender';
import { secretOfQuery, secretScope } from '../../shared/secret';
import { ANNOUNCED } from '../sampleCalls';
import { nameInLog } from '../logLines';
import { readDeliveryParameters } from '../settings/parameters';
import { readStored, triggerStaticData } from '../staticData';
import { decide } from './decide';
import { checkSecret } from './steps/checkSecret';
import type { DeliveryHost, DeliveryMemory } from './deliveryHost';
import { refuse, type DeliveryAnswer, type Started } from './outcomes';
import { readDeliveredBody } from './readDelivery';
import type { Arrived } from './stages';

/** Takes one delivery from n8n and writes the answer. Only this file sees n8n's context. */
export async function receiveDelivery(
	context: IWebhookFunctions,
	memory: DeliveryMemory,
): Promise<IWebhookResponseData> {
	const arrived = readArrived(context);
	const host = createDeliveryHost(context, memory, arrived);
	const answering = answerSafely(async () => await answerTo(context, arrived, host), host);
	// When n8n stops, it waits until the answer is sent.
	memory.openDeliveries.add(Promise.all([answering, arrived.closed]));
	const answer = await answering;
	return writeAnswer(answer, context);
}

function readArrived(context: IWebhookFunctions): Arrived {
	const isTest = context.getMode() === 'manual';
	const scope = secretScope(context, isTest ? 'test' : 'production');
	const stored = readStored(context);
	// A copied workflow brings the static data of another node, and both URLs of a node share its static data.
	const isForThisUrl =
		stored?.instanceId === scope.instanceId && stored.listening === scope.listening;
	const { seen } = triggerStaticData(context);
	return {
		scope,
		workflowId: context.getWorkflow().id ?? '',
		arrivedAt: monotonicNow(),
		secret: secretOfQuery(context.getQueryData()),
		stored: isForThisUrl ? stored : undefined,
		seen,
		closed: untilClosed(context),
	};
}

/** @returns the status that was sent; undefined if the sender closed the connection before */
async function untilClosed(context: IWebhookFunctions): Promise<number | undefined> {
	const response = context.getResponseObject();
	// The sender may have hung up while n8n read the request; then no other event follows.
	if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
	return response.writableEnded ? response.statusCode : undefined;
}

async function answerTo(
	context: IWebhookFunctions,
	arrived: Arrived,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	const refused = await checkSecret(arrived, host);
	if (refused) return refused;
	// `checkSecret` refuses a delivery without one.
	const { secret = '' } = arrived;
	const body = await readDeliveredBody(context.getRequestObject());
	if ('outcome' in body) return body;
	const parameters = readDeliveryParameters(context);
	return await decide({ ...arrived, secret, body: body.value, parameters }, host);
}

/** Gets an answer and logs it. Never throws, and nothing of a delivery's content reaches the log. */
export async function answerSafely(
	getAnswer: () => Promise<DeliveryAnswer>,
	host: DeliveryHost,
): Promise<DeliveryAnswer> {
	const answer = await getAnswer().catch(toRefusal);
	logAnswer(answer, host);
	return answer;
}

/** An error's message may quote what caused it, so only its kind is logged. */
function toRefusal(error: unknown): DeliveryAnswer {
	const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
	const kinds = [name, code].filter((kind) => kind !== undefined);
	return refuse('failed', kinds.join(' '));
}

function logAnswer(answer: DeliveryAnswer, { log, memory }: DeliveryHost): void {
	if (answer.outcome === 'refused') {
		const { status, message, because, level } = answer;
		let why = `${status}, ${message}`;
		if (because !== undefined) why += `: ${because}`;
		log(level, 'refused', why);
	}
	if (answer.outcome === 'ignored') {
		const { reason, filter, warning, level } = answer;
		if (warning !== undefined) {
			log(level ?? 'warn', 'ignored', `${reason}. ${warning}`, memory.hourlyThrottle);
		} else {
			const why = filter === undefined ? reason : `${reason} (${filter})`;
			log(level ?? 'info', 'ignored', why);
		}
	}
}

function writeAnswer(answer: DeliveryAnswer, context: IWebhookFunctions): IWebhookResponseData {
	switch (answer.outcome) {
		case 'started':
			return startWith(answer);
		case 'ignored': {
			const webhookResponse = { status: 'ignored', reason: answer.reason };
			if (answer.report === undefined) return { webhookResponse };
			return { webhookResponse, workflowData: [[answer.report]] };
		}
		case 'refused': {
			// If no workflow starts, n8n itself can only answer 200.
			const response = context.getResponseObject();
			if (answer.status >= 500) response.setHeader('Retry-After', '60');
			response.status(answer.status).json({ status: 'refused', message: answer.message });
			return { noWebhookResponse: true };
		}
		case 'ready':
			// To n8n's own request before the sample email, see `answerSample.ts`.
			return { webhookResponse: ANNOUNCED };
	}
}

/**
 * Accepts the message when n8n reads the answer's body. n8n does that, twice, only if it started the workflow: right before it saves
 * the static data and answers, and on 2.x after it recorded the execution. Changes of static data that are made earlier are lost on
 * 2.x (`establishContextForPersistence` in `workflow-runner.js`). n8n reads the body only if `responseData` in the node's description
 * is empty.
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

function createDeliveryHost(
	context: IWebhookFunctions,
	memory: DeliveryMemory,
	{ scope, stored }: Arrived,
): DeliveryHost {
	return {
		memory,
		credentialId: context.getNode().credentials?.[CREDENTIAL_TYPE]?.id ?? '',
		pause: async () => await sleep(0),
		service({ withinMs, ...retry }) {
			const signal = withinMs === undefined ? undefined : AbortSignal.timeout(withinMs);
			return new EmailIdentityService(context, { retry, signal });
		},
		authenticateSender: async (message, fields) =>
			await authenticateSender(context, message, fields),
		prepareFile: async (content, fileName, mimeType) =>
			await context.helpers.prepareBinaryData(content, fileName, mimeType),
		remember(messages) {
			const staticData = triggerStaticData(context);
			const restriction = memory.subscriptions.lastSeen(scope)?.toStore;
			if (stored && restriction) staticData.subscription = { ...stored, restriction };
			// n8n calls `toJSON` when it saves the static data, so the newest messages are saved.
			if (messages) staticData.seen = { toJSON: () => messages.toJSON() };
		},
		log: createLog(context, memory),
	};
}

/** Each line has the number of deliveries since the last one. */
function createLog(
	context: IWebhookFunctions,
	{ logThrottle }: DeliveryMemory,
): DeliveryHost['log'] {
	return (level, outcome, why, throttle = logThrottle) => {
		const { id, webhookId } = context.getNode();
		const { id: workflowId } = context.getWorkflow();
		const deliveries = throttle.pass(workflowId, webhookId ?? id, outcome, why);
		if (deliveries === undefined) return;
		const count = deliveries === 1 ? '1 delivery was' : `${deliveries} deliveries were`;
		context.logger[level](`${nameInLog(context)}: ${count} ${outcome}: ${why}`, {
			workflowId,
			deliveries,
		});
	};
}

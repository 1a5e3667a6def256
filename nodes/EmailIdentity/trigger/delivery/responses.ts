import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { UnwantedReason } from './unwantedMail';

export type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Why a delivery that is in order starts nothing. All are answered 200: repeating would change nothing. */
export type IgnoredReason =
	| 'duplicate'
	| 'event'
	| 'filtered'
	| 'foreign'
	| 'loop'
	| 'noAttachment'
	| 'otherIdentity'
	| UnwantedReason;

/** Why a delivery is refused: its status, and a sentence without anything of its content. */
export interface Refusal {
	status: number;
	message: string;
	/** Seconds after which a sender may try again. */
	retryAfter?: number;
	/** What only the log tells: why, without anything of the delivery's content. */
	because?: string;
}

/** Ends the reading of a delivery with an answer to its sender. Never leaves `receiveDelivery`. */
export class RefusedDelivery extends Error {
	constructor(readonly refusal: Refusal) {
		super(refusal.message);
	}
}

/**
 * Ends the reading of a delivery with an error status.
 *
 * @throws RefusedDelivery always
 */
export function reject(refusal: Refusal): never {
	throw new RefusedDelivery(refusal);
}

/**
 * Starts the workflow once, with the items of one email.
 *
 * n8n asks for the answer's body right before it saves the static data and answers, which on 2.x is when
 * it has recorded the execution. No other moment is as good for storing what was accepted: 2.x forgets that
 * static data were changed before (`establishContextForPersistence` in `workflow-runner.js`), and asks for
 * nothing when the start failed. It does so only if the node's description has an empty `responseData`.
 *
 * @param onAccepted called at that moment, once: n8n asks twice
 */
export function startWith(
	items: INodeExecutionData[],
	onAccepted: () => void,
): IWebhookResponseData {
	let isAccepted = false;
	return {
		workflowData: [items],
		get webhookResponse() {
			if (!isAccepted) onAccepted();
			isAccepted = true;
			return { status: 'started' };
		},
	};
}

/** Starts nothing and answers 200. */
export function respondIgnored(reason: IgnoredReason): IWebhookResponseData {
	return { webhookResponse: { status: 'ignored', reason } };
}

/**
 * Starts nothing and answers with an error status.
 *
 * n8n itself can answer a webhook that starts nothing with 200 only, so the answer is written here;
 * telling n8n so without having written it would leave the sender waiting.
 */
export function respondRefused(context: IWebhookFunctions, refusal: Refusal): IWebhookResponseData {
	answer(context.getResponseObject(), 'refused', refusal);
	return { noWebhookResponse: true };
}

/** Answers a delivery that started the workflow, instead of n8n: asks for a repeat, which is ignored and stored. */
export function answerNotStored(response: WebhookResponse): void {
	// n8n has described the answer that it wanted to send.
	response.removeHeader('ETag');
	answer(response, 'started', {
		status: 503,
		message: 'The workflow was started, but that the message was seen could not be stored yet',
		retryAfter: 60,
	});
}

function answer(response: WebhookResponse, status: string, refusal: Refusal): void {
	const body: IDataObject = { status, message: refusal.message };
	if (refusal.retryAfter !== undefined) {
		response.setHeader('Retry-After', String(refusal.retryAfter));
	}
	response.status(refusal.status).json(body);
}

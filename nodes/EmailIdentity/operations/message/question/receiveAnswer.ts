import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { DEFAULT_WORDS } from './questionFields';
import { readKeptQuestion } from './keptQuestion';
import type { GivenAnswer, EmailQuestion } from './question';
import { buttonIn, isLinkOf } from './questionLink';
import {
	BUTTON_FIELD,
	PAGE_HEADERS,
	TEXT_FIELD,
	writeQuestionPage,
	writeTextPage,
} from './questionPage';

const OK = 200;
const BAD_REQUEST = 400;
const GONE = 410;

/**
 * Answers requests to the link of a question. Programs that scan or preview emails open links, so only the form of the page
 * continues the workflow: a POST whose body says what was chosen. n8n has checked the signature of the link.
 */
export async function receiveAnswer(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const question = readKeptQuestion(context);
	const query = context.getQueryData();
	if (question === undefined || !isLinkOf(question, query)) {
		const text = question?.closedText ?? DEFAULT_WORDS.get('closedText') ?? '';
		return sendPage(context, GONE, writeTextPage(text));
	}
	const page = writeQuestionPage(question, buttonIn(query));
	if (context.getRequestObject().method !== 'POST') return sendPage(context, OK, page);
	const answer = readAnswer(question, context.getBodyData());
	if (answer === undefined) return sendPage(context, BAD_REQUEST, page);

	setHeaders(context);
	const data: IDataObject = { ...answer, respondedAt: new Date().toISOString() };
	return {
		// n8n sends it after it has continued the execution.
		webhookResponse: writeTextPage(question.answeredText),
		workflowData: [[{ json: { data }, pairedItem: { item: 0 } }]],
	};
}

/** @returns undefined if the body chooses nothing that the page offers */
function readAnswer(
	{ answer }: EmailQuestion,
	body: IDataObject | undefined,
): GivenAnswer | undefined {
	if (answer.kind === 'freeText') {
		const text = body?.[TEXT_FIELD];
		if (typeof text !== 'string' || text.trim() === '') return undefined;
		return { text: text.replace(/\r\n/g, '\n') };
	}
	const pressed = body?.[BUTTON_FIELD];
	if (pressed === 'approve') return { approved: true };
	if (pressed === 'decline' && answer.decline !== undefined) return { approved: false };
	return undefined;
}

/** Nothing continues, and the execution still waits. */
function sendPage(context: IWebhookFunctions, status: number, page: string): IWebhookResponseData {
	setHeaders(context);
	context.getResponseObject().status(status).send(page);
	return { noWebhookResponse: true };
}

function setHeaders(context: IWebhookFunctions): void {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
}

import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { OutgoingEmail } from '../../../api/data/emailRequest';
import type { Item, PreparedEmail, SendingResult } from '../../operation';
import { readSender, readToAddress, type Sender } from '../emailContent';
import { SEND_AND_WAIT } from './questionFields';
import { sampleResult } from '../sentEmail';
import { isStartedBySample } from '../startingEmail';
import { keepQuestion } from './keptQuestion';
import type { EmailQuestion } from './question';
import { writeQuestionEmail } from './questionEmail';
import { createLinks } from './questionLink';
import { readQuestion, readWaitLimit } from './readQuestion';
import { isOrdinaryTool, isReviewTool, requireOwnRecipient } from './toolCall';

/** A question that was checked. */
interface CheckedQuestion {
	question: EmailQuestion;
	sender: Sender;
	to: string;
	/** When the workflow continues without an answer. */
	end: Date;
}

/** Checks a question. Sending it makes the execution wait, unless that fails. */
export async function prepareQuestion(item: Item): Promise<PreparedEmail> {
	requireAnswerableNode(item);
	const { parameter } = item;
	if (isReviewTool(item)) requireOwnRecipient(item);
	const to = readToAddress(item, parameter('to', ''));
	const question = readQuestion(item);
	const end = readWaitLimit(item);
	if (await isStartedBySample(item)) {
		const { subject, message } = question;
		const content = { text: message, files: [] };
		return { send: async () => await Promise.resolve(sampleResult({ to, subject }, content)) };
	}

	const sender = await readSender(item, parameter('identityId', ''));
	return { send: async () => await sendQuestion(item, { question, sender, to, end }) };
}

/** @throws NodeOperationError if n8n would not bring the answer back to this question */
function requireAnswerableNode(item: Item): void {
	const { context } = item;
	const node = context.getNode();
	if (isOrdinaryTool(item)) {
		throw new NodeOperationError(node, 'A tool of an AI agent cannot wait for an answer', {
			description:
				'n8n does not return the answer to the agent. Add the node as a human review step of another tool instead.',
		});
	}
	// n8n reads the stored value, without evaluating it, to find the node and to decide whether the link must be signed.
	if (node.parameters.operation !== SEND_AND_WAIT) {
		throw new NodeOperationError(node, "'Operation' must not be an expression", {
			description:
				'Select Send and Wait for Response: n8n looks for it to find the node of an answer.',
		});
	}
	const { length } = context.getInputData();
	if (length > 1) {
		throw new NodeOperationError(node, 'This operation asks one question at a time', {
			description: `The input has ${length} items. Put the node into the loop of a Loop Over Items node with a batch size of 1.`,
		});
	}
}

/** Everything that can fail happens before the email is sent, and nothing afterwards. */
async function sendQuestion(
	item: Item,
	{ question, sender, to, end }: CheckedQuestion,
): Promise<SendingResult> {
	const { context, service } = item;
	const { allowPrivateWebhookUrls } = await service.credential();
	const links = createLinks(context, allowPrivateWebhookUrls);
	const { text, html } = writeQuestionEmail(question, links);
	keepQuestion(context, { ...question, digest: links.digest });
	const { identityId, name } = sender;
	const { subject } = question;
	const email: OutgoingEmail = {
		identityId,
		to,
		subject,
		text,
		html,
		attachments: [],
		sender: name,
	};
	await service.sendEmail(email);

	const json = readyForResuming(item, question);
	await context.putExecutionToWait(end);
	// Shown while the execution waits.
	return { json };
}

/**
 * n8n resumes the execution from this entry of its stack: it disables the entry's node, so that the input becomes the output, and
 * puts an answer in the place of the input.
 *
 * @returns the output without an answer
 */
function readyForResuming(item: Item, { answer }: EmailQuestion): IDataObject {
	const context: IExecuteFunctions = item.context;
	const entry = context.getExecuteData();
	// All calls that a model makes at once share the node: a call behind this one would be skipped, instead of asked about, and count as
	// approved if the model added `approved: true` to it.
	entry.node = { ...entry.node };

	// After the limit, nothing answers. Then neither the output of an earlier question nor what a model wrote may look like an answer.
	const none: IDataObject = answer.kind === 'approval' ? { approved: false } : { text: '' };
	const data = { ...none, respondedAt: null };
	const [input] = context.getInputData();
	const json = isReviewTool(item) ? { data } : { ...input?.json, data };
	entry.data.main = [[{ ...input, json }]];
	return json;
}

import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type IWebhookFunctions,
} from 'n8n-workflow';

import type { EmailQuestion } from './question';

/** The question that a node waits for. A new question takes its place, so that the link of the old one answers nothing. */
export interface KeptQuestion extends EmailQuestion {
	/** The digest of the random value in the question's link: only the email has the value itself. */
	digest: string;
}

const KEY = 'emailIdentityQuestion';

/**
 * Keeps a question with the execution, in the node's context, and reads it back.
 *
 * @throws NodeOperationError if it is not there as `webhook` will read it
 */
export function keepQuestion(context: IExecuteFunctions, question: KeptQuestion): void {
	const kept = JSON.stringify(question);
	context.getContext('node')[KEY] = kept;
	if (readContext(context) === kept) return;
	throw new NodeOperationError(context.getNode(), 'The question was not sent', {
		description:
			'n8n did not keep it with the execution, so its answer could not be told from the answer to another question.',
	});
}

/** @returns undefined if the node did not ask in this execution */
export function readKeptQuestion(context: IWebhookFunctions): KeptQuestion | undefined {
	const kept = readContext(context);
	if (typeof kept !== 'string') return undefined;
	return JSON.parse(kept) as KeptQuestion;
}

/** `getContext` does not exist in `webhook`, but expressions can read a node's context everywhere. */
function readContext(context: IExecuteFunctions | IWebhookFunctions): unknown {
	return context.evaluateExpression(`{{ $(${literal(context.getNode())}).context.${KEY} }}`, 0);
}

/** The name of a node can contain quotation marks and braces. */
function literal({ name }: INode): string {
	const escaped = name.replace(/[^\w ]/g, (unit) => {
		return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
	});
	return `"${escaped}"`;
}

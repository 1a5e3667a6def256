import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { withFullStop } from '../../shared/trimming';

/**
 * n8n 1.x gives up on a workflow at its start for good when the message of a failure contains this word,
 * and shows a failure's description instead of its message (`active-workflow-manager.js`,
 * `workflow.service.js`). So everything is said in the message, without the word.
 */
const GIVES_UP_ON = /authorization/gi;

/**
 * Says in one line what happened and what to do.
 *
 * @param error what was caught
 * @returns never the API key, the secret or mail: the errors of `api/` carry none
 */
export function explain(error: unknown): string {
	const { message, description } = toParts(error);
	const sentences = [message, description].filter((part) => !!part);
	return sentences
		.map((sentence) => withFullStop(String(sentence)))
		.join(' ')
		.replace(/\s+/g, ' ')
		.replace(GIVES_UP_ON, 'permission');
}

/** The error that makes n8n refuse to activate the workflow, or to listen. */
export function refuse(node: INode, reason: string): NodeOperationError {
	return new NodeOperationError(node, reason);
}

function toParts(error: unknown): { message: string; description?: string | null } {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return { message: error instanceof Error ? error.message : String(error) };
}

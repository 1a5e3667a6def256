import type { INodeProperties } from 'n8n-workflow';

import type { SendingOperation } from '../operation';
import { fromField, optionsField, subjectField, textFields, toField } from './sendingFields';

const FOR_ANOTHER: INodeProperties['displayOptions'] = { show: { emailToAnswer: ['other'] } };

/** Which email is answered. Nothing of it is a field for a tool: a model must not choose who gets a reply. */
const emailFields: INodeProperties[] = [
	{
		displayName: 'Email to Answer',
		name: 'emailToAnswer',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Email That Started the Workflow',
				value: 'started',
				description: 'The sender gets the reply, from the address that received the email',
			},
			{
				name: 'Another Email',
				value: 'other',
				description: 'You enter the email and who gets the reply',
			},
		],
		default: 'started',
		description: 'The email that gets the reply',
		displayOptions: { hide: { '@tool': [true] } },
	},
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 0e9a3c5b-7d1f-4b1e-9a59-6f6c3f1f2d10',
		description:
			'The ID under delivery in the output of the Email Identity Trigger, not the Message-ID header',
		displayOptions: FOR_ANOTHER,
	},
	{ ...toField, description: 'The address that gets the reply', displayOptions: FOR_ANOTHER },
];

/** Absent, they come from the email. */
const replyOptions: INodeProperties[] = [
	{
		...fromField,
		required: false,
		description:
			'The address that sends the reply. By default, the one that received the email that started the workflow. Another Email needs it.',
	},
	{
		...subjectField,
		required: false,
		placeholder: 'e.g. Re: Your order',
		description:
			"The subject line of the reply. By default, the email's subject after Re:. For Another Email, some services need it.",
	},
];

/** `POST /email/reply`, or `/email/send` for a service without it: then the email is outside of its conversation. */
export const replyToMessage: SendingOperation = {
	name: 'Reply',
	value: 'reply',
	description: 'Reply to an email',
	action: 'Reply to message',
	fields: [...emailFields, ...textFields, optionsField(replyOptions)],
	async prepare(item) {
		const { prepareReply } = await import('./answerEmail');
		return await prepareReply(item);
	},
};

import type { INodeProperties } from 'n8n-workflow';

import { identityLocator } from '../../shared/locators';

/** Files are in memory while an email is sent. */
export const MAX_EMAILS_SENT_AT_ONCE = 5;

/** The sending identity; read it with `readChosenIdentity`. */
export const fromField: INodeProperties = {
	...identityLocator,
	displayName: 'From',
	description: 'The address that sends the email',
};

export const toField: INodeProperties = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. ada@example.org',
	description: 'The address that gets the email. For several, use one item for each.',
};

export const subjectField: INodeProperties = {
	displayName: 'Subject',
	name: 'subject',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Your invoice',
	description: 'The subject line of the email',
};

/** Format, texts and files. */
export const contentFields: INodeProperties[] = [
	{
		displayName: 'Email Format',
		name: 'emailFormat',
		type: 'options',
		options: [
			{ name: 'Both', value: 'both', description: 'Text, and HTML for programs that show it' },
			{ name: 'HTML', value: 'html', description: 'HTML alone' },
			{ name: 'Text', value: 'text', description: 'Plain text' },
		],
		default: 'text',
		description: 'The form in which to write the email',
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 5 },
		default: '',
		required: true,
		description: 'The email as plain text',
		displayOptions: { show: { emailFormat: ['text', 'both'] } },
	},
	{
		displayName: 'HTML',
		name: 'html',
		type: 'string',
		typeOptions: { rows: 5 },
		default: '',
		required: true,
		description: 'The email as HTML',
		displayOptions: { show: { emailFormat: ['html', 'both'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Attachments',
				name: 'attachments',
				type: 'string',
				default: '',
				placeholder: 'e.g. data',
				description: 'The names of the binary fields to attach, separated by commas',
			},
		],
	},
];

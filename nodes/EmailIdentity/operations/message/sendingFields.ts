import type { INodeProperties } from 'n8n-workflow';

import { senderLocator } from '../../shared/editor/locators';

/** The sending identity; read it with `readSendingIdentity`. */
export const fromField: INodeProperties = senderLocator;

/** One address; read it with `readToAddress`. */
export const toField: INodeProperties = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. ada@example.org',
	description: 'The address that gets the email. For several, use one item for each.',
};

/** Read it with `readSubjectLine`. */
export const subjectField: INodeProperties = {
	displayName: 'Subject',
	name: 'subject',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. Your invoice',
	description: 'The subject line of the email',
};

/** Read them with `readContent`. */
export const textFields: INodeProperties[] = [
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
];

const attachmentsOption: INodeProperties = {
	displayName: 'Attachments',
	name: 'attachments',
	type: 'string',
	default: '',
	placeholder: 'e.g. data',
	description: 'The names of the binary fields to attach, separated by commas',
};

/** @param options besides Attachments, sorted by their names in the editor, after it */
export function optionsField(options: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [attachmentsOption, ...options],
	};
}

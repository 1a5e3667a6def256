import type { INodeProperties } from 'n8n-workflow';

import {
	attachmentPrefixField,
	dnsResolverField,
	removeQuotedTextField,
	senderCheckField,
	textFormatField,
	trustedServersField,
} from '../../shared/editor/fields';
import type { LocalOperation } from '../operation';

/** Each email takes several times its size in memory while it is read. */
const MAX_EMAILS_AT_ONCE = 5;

const parseFields: INodeProperties[] = [
	{
		displayName: 'Raw Email From',
		name: 'source',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'Binary Field', value: 'binary', description: 'A file, such as an .eml file' },
			{ name: 'Text', value: 'text', description: 'A text, such as a field of an earlier node' },
		],
		default: 'binary',
		description: 'Where the raw email is: the complete email with its headers',
	},
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the file',
		displayOptions: { show: { source: ['binary'] } },
	},
	{
		displayName: 'Raw Email',
		name: 'rawEmail',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.raw }}',
		description: 'The complete email with its headers, as a mail program shows its source',
		displayOptions: { show: { source: ['text'] } },
	},
	{
		displayName: 'Download Attachments',
		name: 'downloadAttachments',
		type: 'boolean',
		default: true,
		description: 'Whether to add attachments and inline images as files',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				...attachmentPrefixField,
				displayOptions: { show: { '/downloadAttachments': [true] } },
			},
			// An agent must not choose the server that learns which domains are looked up.
			{ ...dnsResolverField, noDataExpression: true },
			{
				displayName: 'Include Headers',
				name: 'includeHeaders',
				type: 'boolean',
				default: true,
				description: 'Whether to add all headers of the email to the output',
			},
			removeQuotedTextField,
			{ ...senderCheckField(['add', 'off']), default: 'add' },
			textFormatField,
			trustedServersField,
		],
	},
];

/** Reads a raw email, which the service need not know. The output is that of the trigger. */
export const parseMessage: LocalOperation = {
	name: 'Parse',
	value: 'parse',
	description: 'Read a raw email, such as an .eml file, and return the fields of the trigger',
	action: 'Parse message',
	fields: parseFields,
	maxItemsAtOnce: MAX_EMAILS_AT_ONCE,
	async toItems(item) {
		const { parseEmail } = await import('./receivedEmail');
		return [await parseEmail(item)];
	},
};

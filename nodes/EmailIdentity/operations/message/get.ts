import type { INodeProperties } from 'n8n-workflow';

import {
	dnsResolverField,
	removeQuotedTextField,
	senderCheckField,
	simplifyField,
	textFormatField,
	trustedServersField,
} from '../../shared/editor/fields';
import type { SimplifiedEmail } from '../../shared/reading/simplifiedEmail';
import { concurrencyField, type Operation } from '../operation';

/** The fields of an email; the removed text only with Remove Quoted Text. */
const MESSAGE_FIELDS = [
	'from',
	'to',
	'cc',
	'subject',
	'date',
	'text',
	'removedText',
	'html',
	'attachments',
	'thread',
	'delivery',
] as const satisfies ReadonlyArray<keyof SimplifiedEmail>;

/** For a field that does not affect the raw data. A tool has Output instead of Simplify. */
function onlySimplified(field: INodeProperties): INodeProperties {
	return {
		...field,
		displayOptions: { hide: { '/simplify': [false], '/output': ['raw'] } },
	};
}

const fields: INodeProperties[] = [
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 0e9a3c5b-7d1f-4b1e-9a59-6f6c3f1f2d10',
		description:
			'The ID under delivery in the output of the Email Identity Trigger, not the Message-ID header',
	},
	simplifyField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			onlySimplified(dnsResolverField),
			concurrencyField,
			onlySimplified(removeQuotedTextField),
			onlySimplified({ ...senderCheckField(['add', 'off']), default: 'add' }),
			onlySimplified(textFormatField),
			onlySimplified(trustedServersField),
		],
	},
];

/** Contract, `GET /messages/{id}`. Attachments are not downloaded. */
export const getMessage: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get an email by its delivery ID',
	action: 'Get message',
	fields,
	async execute({ service, parameter }) {
		const id = String(parameter('messageId', '') ?? '').trim();
		const message = await service.getMessage(id);
		return [message];
	},
	output: {
		fields: MESSAGE_FIELDS,
		async simplify(entry, item) {
			const { readSimplifiedMessage } = await import('./receivedEmail');
			return await readSimplifiedMessage(item, entry);
		},
	},
};

import { NodeOperationError, type INodeProperties } from 'n8n-workflow';

import { dnsResolverField } from '../../shared/dnsResolver';
import { checkSenderField, trustedServersField } from '../../shared/senderFields';
import type { SimplifiedEmail } from '../../shared/simplifiedEmail';
import type { Operation } from '../operation';
import { isSimplified, simplifyField } from '../simplify';

/** The fields that every email has. */
type Constant = keyof {
	[
		Field in keyof SimplifiedEmail as object extends Pick<SimplifiedEmail, Field> ? never : Field
	]: true;
};

/** A tool offers these. One that is missing does not compile. */
const OFFERED: Record<Constant, true> = {
	from: true,
	to: true,
	cc: true,
	subject: true,
	date: true,
	text: true,
	html: true,
	attachments: true,
	thread: true,
	delivery: true,
};

/** The output of a message with Simplify on, in its order. */
export const MESSAGE_FIELDS = Object.keys(OFFERED) as Constant[];

/** A tool has Output in place of Simplify. */
const NOT_SIMPLIFIED = { simplify: [false], output: ['raw'] };

const OF_THE_CHECK = { show: { checkSender: [true] }, hide: NOT_SIMPLIFIED };

const fields: INodeProperties[] = [
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 0e9a3c5b-7d1f-4b1e-9a59-6f6c3f1f2d10',
		description:
			'The ID that the Email Identity Trigger gives under delivery. The Message-ID is another one. The API can neither list nor search messages.',
	},
	simplifyField,
	{
		displayName: 'Remove Quoted Text',
		name: 'removeQuotedText',
		type: 'boolean',
		default: false,
		description:
			'Whether to leave of a reply only its new text, without the earlier emails that it quotes and without its signature',
		displayOptions: { hide: NOT_SIMPLIFIED },
	},
	checkSenderField({ displayOptions: { hide: NOT_SIMPLIFIED } }),
	dnsResolverField({ displayOptions: OF_THE_CHECK }),
	trustedServersField({ displayOptions: OF_THE_CHECK }),
];

/** Contract, `GET /messages/{id}`. Attachments are not downloaded. */
export const getMessage: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get one email by the ID that its delivery gave',
	action: 'Get message',
	fields,
	async execute(session, itemIndex) {
		const { context, service } = session;
		const id = String(context.getNodeParameter('messageId', itemIndex, '') ?? '').trim();
		if (id === '') {
			throw new NodeOperationError(context.getNode(), 'The message ID is empty', {
				itemIndex,
				description:
					'Enter the ID of the message, for instance delivery.id of the Email Identity Trigger.',
			});
		}
		const simplified = isSimplified(context, itemIndex);
		const entry = await service.getMessage(id);
		if (!simplified) return [entry];
		const { readSimplifiedMessage } = await import('./simplified');
		return [await readSimplifiedMessage(session, entry, itemIndex)];
	},
};

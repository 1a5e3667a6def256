import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { readMessage, readMessageFields } from '../../api/message';
import { openEmail } from '../../email';
import { readSimplifiedEmail } from '../../shared/simplifiedEmail';
import type { Session } from '../operation';
import { isSimplified, simplifyField } from '../simplify';

export const description: INodeProperties[] = [
	{
		displayName: 'Message ID',
		name: 'messageId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 0e9a3c5b-7d1f-4b1e-9a59-6f6c3f1f2d10',
		description:
			'What the Email Identity Trigger gives with each email. The API can neither list nor search messages.',
	},
	simplifyField,
	{
		displayName: 'Remove Quoted Text',
		name: 'removeQuotedText',
		type: 'boolean',
		default: false,
		description:
			'Whether to leave of a reply only its new text, without the earlier emails that it quotes and without its signature',
		// A tool has Output in the place of Simplify.
		displayOptions: { hide: { simplify: [false], output: ['raw'] } },
	},
];

/** An action gives what is in the message; its files are the trigger's business. */
const READING = { attachments: false, headers: false, binaryPrefix: '' };

/** One message by its ID (contract, `GET /messages/{id}`). Attachments are not downloaded. */
export async function execute(
	{ context, service }: Session,
	itemIndex: number,
): Promise<IDataObject[]> {
	const id = String(context.getNodeParameter('messageId', itemIndex, '') ?? '').trim();
	if (id === '') {
		throw new NodeOperationError(context.getNode(), 'The message ID is empty', {
			itemIndex,
			description: 'Enter the ID of the message, for instance from the Email Identity Trigger.',
		});
	}
	const entry = await service.getMessage(id);
	if (!isSimplified(context, itemIndex)) return [entry];
	const received = readMessage(entry);
	const opened = await openEmail(received.rawEmail, () => readMessageFields(received.message));
	const removeQuotedText = context.getNodeParameter(
		'removeQuotedText',
		itemIndex,
		false,
	) as boolean;
	const { json } = await readSimplifiedEmail(context, received, opened, {
		...READING,
		removeQuotedText,
	});
	return [json];
}

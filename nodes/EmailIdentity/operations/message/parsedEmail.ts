import { NodeOperationError, sleep, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import { decodeRawEmail, type ReadEmailOptions } from '../../../../lib/email';
import {
	DEFAULT_ATTACHMENT_PREFIX,
	readSwitch,
	readTextField,
	readTextFormat,
} from '../../shared/fields';
import { withEmail, type MessageWithEmail } from '../../shared/messageWithEmail';
import { prepareFiles, readSimplifiedEmail } from '../../shared/simplifiedEmail';
import type { Item } from '../operation';
import { rawEmailProblem, withoutMailboxLine } from './rawEmailProblem';
import { checkSenderOf } from './senderCheck';

/**
 * Reads the raw email of an input item.
 *
 * @returns the trigger's item; `delivery.id` is null, and the recipient is known only if a header says it
 * @throws NodeOperationError if there is no email, or something else
 */
export async function parseEmail(item: Item): Promise<INodeExecutionData> {
	const options = item.parameter('options', {}) as IDataObject;
	const reading = readParseOptions(item, options);
	const sent = messageOf(await readRawEmail(item));
	const checked = await checkSenderOf(sent, item, options);
	const { json, files } = await readSimplifiedEmail(checked?.email ?? sent, {
		...reading,
		sender: checked?.sender,
		// The service is not asked: no address counts as one's own.
		askIdentities: async () => undefined,
	});
	if (files.length === 0) return { json };
	const { prepareBinaryData } = item.context.helpers;
	return { json, binary: await prepareFiles(files, prepareBinaryData) };
}

/** @throws NodeOperationError if a switch is neither true nor false */
function readParseOptions(item: Item, options: IDataObject): ReadEmailOptions {
	const {
		attachmentPrefix = DEFAULT_ATTACHMENT_PREFIX,
		includeHeaders = false,
		removeQuotedText = false,
		textFormat,
	} = options;
	const attachments = item.parameter('downloadAttachments', true);
	return {
		attachments: readSwitch(item, 'Download Attachments', attachments),
		headers: readSwitch(item, 'Include Headers', includeHeaders),
		binaryPrefix: String(attachmentPrefix ?? '').trim(),
		removeQuotedText: readSwitch(item, 'Remove Quoted Text', removeQuotedText),
		textFormat: readTextFormat(textFormat),
	};
}

async function readRawEmail(item: Item): Promise<string> {
	const { context, index } = item;
	const bytes = await readInput(item);
	const problem = rawEmailProblem(bytes);
	if (problem === undefined) return decodeRawEmail(withoutMailboxLine(bytes));
	throw new NodeOperationError(context.getNode(), problem.message, {
		description: problem.description,
		itemIndex: index,
	});
}

async function readInput(item: Item): Promise<Buffer> {
	const { context, index, parameter } = item;
	if (parameter('source', 'binary') === 'text') {
		return Buffer.from(readTextField(item, 'Raw Email', parameter('rawEmail', '')));
	}
	const field = parameter('binaryPropertyName', 'data') as string;
	context.helpers.assertBinaryData(index, field);
	return await context.helpers.getBinaryDataBuffer(index, field);
}

function messageOf(rawEmail: string): MessageWithEmail {
	return withEmail({ id: null, message: {}, rawEmail }, async () => await sleep(0));
}

import type {
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import type { ServiceMessage } from '../../api/messages';
import type { Authentication } from '../../dns/authentication';
import type { EmailFile, OpenedEmail } from '../../email';
import { readSimplifiedEmail } from '../../shared/simplifiedEmail';
import type { DeliveryParameters } from '../parameters';
import { itemsOfAttachments } from './itemsOfAttachments';
import type { DeliveredEvent } from './readEvent';
import { wantedFiles } from './wantedFiles';

/** The binary field of the raw email. */
const RAW_EMAIL_FIELD = 'rawEmail';

/** An email as far as it has been looked into. */
export interface ReadEmail {
	received: ServiceMessage;
	/** Where the items are to hold what it says instead of what was delivered. */
	opened: OpenedEmail | undefined;
	/** Whether it comes from the domain in From; undefined where that was not asked for. */
	authentication?: Authentication;
}

/**
 * The items that the workflow starts with. Files become binary data, and nothing is kept in it twice: with
 * the raw email as a file, the delivered event goes without it.
 */
export async function buildItems(
	context: IWebhookFunctions,
	delivered: DeliveredEvent,
	{ received, opened, authentication }: ReadEmail,
	parameters: DeliveryParameters,
): Promise<INodeExecutionData[]> {
	const { json, files } = opened
		? await simplified(context, received, opened, { ...parameters, authentication })
		: { json: asDelivered(delivered, received, parameters), files: [] };
	if (parameters.includeRawEmail && received.rawEmail) files.push(rawEmailFile(received));
	const binary = await storeFiles(context, files);
	const item = files.length > 0 ? { json, binary } : { json };
	return parameters.output === 'attachment' ? itemsOfAttachments(item) : [item];
}

async function simplified(
	context: IWebhookFunctions,
	received: ServiceMessage,
	opened: OpenedEmail,
	parameters: DeliveryParameters & Pick<ReadEmail, 'authentication'>,
) {
	const { json, files } = await readSimplifiedEmail(context, received, opened, {
		attachments: parameters.downloadAttachments,
		headers: parameters.includeHeaders,
		isWanted: wantedFiles(parameters),
		binaryPrefix: parameters.attachmentPrefix,
		removeQuotedText: parameters.removeQuotedText,
		authentication: parameters.authentication,
	});
	return { json, files: [...files] };
}

/** What a service adds beside the message is kept, but not where only the message was verified. */
function asDelivered(
	{ event, data }: DeliveredEvent,
	{ message, rawEmail = '' }: ServiceMessage,
	{ includeRawEmail, verify }: DeliveryParameters,
): IDataObject {
	const content: IDataObject = { ...(!verify && data), message, rawEmail };
	if (includeRawEmail) delete content.rawEmail;
	return { event, data: content };
}

function rawEmailFile({ id, rawEmail = '' }: ServiceMessage): EmailFile {
	const name = (id ?? '').replace(/[^\w.-]+/g, '_').slice(0, 100);
	return {
		binaryProperty: RAW_EMAIL_FIELD,
		fileName: `${name || 'email'}.eml`,
		mimeType: 'message/rfc822',
		content: Buffer.from(rawEmail, 'utf8'),
	};
}

/** One after the other: the memory that n8n takes for one file is free before the next. */
async function storeFiles(context: IWebhookFunctions, files: EmailFile[]): Promise<IBinaryKeyData> {
	const binary: IBinaryKeyData = {};
	for (const { binaryProperty, content, fileName, mimeType } of files) {
		binary[binaryProperty] = await context.helpers.prepareBinaryData(content, fileName, mimeType);
	}
	return binary;
}

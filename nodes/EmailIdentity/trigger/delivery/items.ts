import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ServiceMessage } from '../../api/messages';
import type { EmailFile } from '../../../../lib/email';
import { findRecipient, readSimplifiedEmail } from '../../shared/simplifiedEmail';
import type { DeliveryParameters } from '../parameters';
import { wantedFiles } from './filters';
import type { DeliveredEvent, Mail } from './mail';
import { ownIdentitiesOf, type DeliveryRequest } from './request';

/** Other nodes of n8n read this binary field by default. */
const ATTACHMENT_FIELD = 'data';

/** Characters of an email that are repeated in its items. Of ten megabytes of text no workflow needs a thousand copies. */
const MAX_REPEATED = 30_000_000;

/** Longer values, in characters of JSON, are only in the first item of such an email. */
const MAX_REPEATED_VALUE = 1000;

/**
 * The items that the workflow starts with. Files become binary data, and nothing is kept in it twice: with
 * the raw email as a file, the delivered event goes without it.
 */
export async function buildItems(
	mail: Mail,
	request: DeliveryRequest,
): Promise<INodeExecutionData[]> {
	const { parameters } = request;
	const { received } = mail.email;
	const { json, files } = parameters.simplify
		? await simplified(mail, request)
		: { json: asDelivered(mail.event, received, parameters), files: [] };
	const isWithRaw = parameters.includeRawEmail && received.rawEmail;
	const all = isWithRaw ? [...files, rawEmailFile(received)] : files;
	const binary: IBinaryKeyData = {};
	// One after the other: the memory that n8n takes for one file is free before the next.
	for (const { binaryProperty, content, fileName, mimeType } of all) {
		binary[binaryProperty] = await request.prepareFile(content, fileName, mimeType);
	}
	const item = all.length > 0 ? { json, binary } : { json };
	return parameters.output === 'attachment' ? itemsOfAttachments(item) : [item];
}

async function simplified({ email, sender, restrictedTo }: Mail, request: DeliveryRequest) {
	const { parameters } = request;
	const opened = await email.open();
	return await readSimplifiedEmail(email.received, opened, {
		attachments: parameters.downloadAttachments,
		headers: parameters.includeHeaders,
		isWanted: wantedFiles(parameters),
		binaryPrefix: parameters.attachmentPrefix,
		removeQuotedText: parameters.removeQuotedText,
		textFormat: parameters.textFormat,
		sender,
		...(await findRecipient(email.received, opened, {
			restrictedTo,
			askIdentities: async () => await ownIdentitiesOf(request),
		})),
	});
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
		binaryProperty: 'rawEmail',
		fileName: `${name || 'email'}.eml`,
		mimeType: 'message/rfc822',
		content: Buffer.from(rawEmail, 'utf8'),
	};
}

/**
 * Makes one item for each attachment of an email's item: the email's fields with `attachment` in the place of
 * `attachments`, and the file in one binary field, which has the same name in all of them. What else is a file, such as
 * the raw email, is in the first.
 *
 * An email that was sent with very much text and very many files has its long fields in the first item only: what a
 * stranger sends must not fill n8n's memory.
 *
 * @returns one item with `attachment: null` where the email could not be read
 */
function itemsOfAttachments({ json, binary = {} }: INodeExecutionData): INodeExecutionData[] {
	const attachments = json.attachments as IDataObject[];
	const others = { ...binary };
	for (const { binaryProperty } of attachments) delete others[String(binaryProperty)];
	if (attachments.length === 0) return [toItem(json, null, others)];
	const length = lengthOf({ ...json, attachments: [] }) * attachments.length;
	const repeated = length > MAX_REPEATED ? withoutLongValues(json) : json;
	return attachments.map((attachment, index) => {
		const file = binary[String(attachment.binaryProperty)];
		const files = file && { [ATTACHMENT_FIELD]: file };
		if (index === 0) return toItem(json, attachment, { ...files, ...others });
		return toItem(repeated, attachment, { ...files });
	});
}

function withoutLongValues(fields: IDataObject): IDataObject {
	const brief = Object.entries(fields).map(([name, value]) => {
		if (lengthOf(value) <= MAX_REPEATED_VALUE) return [name, value];
		if (typeof value === 'string') return [name, ''];
		return [name, Array.isArray(value) ? [] : {}];
	});
	return Object.fromEntries(brief) as IDataObject;
}

function toItem(
	fields: IDataObject,
	attachment: IDataObject | null,
	binary: IBinaryKeyData,
): INodeExecutionData {
	const binaryProperty = ATTACHMENT_FIELD in binary ? ATTACHMENT_FIELD : null;
	const named = attachment && { ...attachment, binaryProperty };
	const json = Object.fromEntries(
		Object.entries(fields).map(([name, value]) =>
			name === 'attachments' ? ['attachment', named] : [name, value],
		),
	);
	return Object.keys(binary).length > 0 ? { json, binary } : { json };
}

function lengthOf(value: unknown): number {
	return JSON.stringify(value ?? null).length;
}

import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ServiceMessage } from '../../api/data/messages';
import type { EmailFile } from '../../../../lib/email';
import {
	prepareFiles,
	readSimplifiedEmail,
	type SimplifiedEmailWithFiles,
} from '../../shared/reading/simplifiedEmail';
import { wantedFiles } from '../settings/filters';
import { askOwnIdentities, type DeliveryHost } from './deliveryHost';
import type { Ignored } from './outcomes';
import { isProofLost } from './steps/senderProof';
import type { ParsedDelivery } from './stages';

/** Other nodes of n8n read this binary field by default. */
const ATTACHMENT_FIELD = 'data';

/**
 * Characters of an email that all its items repeat. With One Item per Attachment, a stranger's email of ten megabytes with a thousand tiny
 * files would become ten gigabytes, and end n8n's process. No workflow needs that many copies.
 */
const MAX_REPEATED = 30_000_000;

/** In characters of JSON. Longer values are only in the first item of an email above the limit. */
const MAX_REPEATED_VALUE = 1000;

/** Nothing is in the items twice: if the raw email is a file, the delivered event goes without it. */
export async function buildItems(
	delivery: ParsedDelivery,
	host: DeliveryHost,
): Promise<INodeExecutionData[] | Ignored> {
	const { parameters, email } = delivery;
	const { json, files } = await contentOf(delivery, host);
	const lost = isProofLost(parameters, json);
	if (lost) return lost;
	const { received } = email;
	if (parameters.includeRawEmail && received.rawEmail) files.push(rawEmailFile(received));

	const item: INodeExecutionData = { json };
	if (files.length > 0) item.binary = await prepareFiles(files, host.prepareFile);
	if (parameters.output === 'attachment') return itemsOfAttachments(item);
	return [item];
}

async function contentOf(
	delivery: ParsedDelivery,
	host: DeliveryHost,
): Promise<SimplifiedEmailWithFiles> {
	if (!delivery.parameters.simplify) return { json: asDelivered(delivery), files: [] };
	const { parameters, email, sender, restrictedTo } = delivery;
	return await readSimplifiedEmail(email, {
		attachments: parameters.downloadAttachments,
		headers: parameters.includeHeaders,
		isWanted: wantedFiles(parameters),
		binaryPrefix: parameters.attachmentPrefix,
		removeQuotedText: parameters.removeQuotedText,
		textFormat: parameters.textFormat,
		sender,
		restrictedTo,
		askIdentities: async () => await askOwnIdentities(host),
	});
}

/** Keeps what the service adds beside the message, unless only the message was verified. */
function asDelivered(delivery: ParsedDelivery): IDataObject {
	const { event, data, email, parameters } = delivery;
	const { message, rawEmail = '' } = email.received;
	const content: IDataObject = parameters.verify ? {} : { ...data };
	content.message = message;
	if (parameters.includeRawEmail) delete content.rawEmail;
	else content.rawEmail = rawEmail;
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
 * One item for each attachment; one with `attachment: null` if the email could not be read. Other files, such as the raw
 * email, are in the first item, and so are long fields of an email with very much text and very many files.
 */
function itemsOfAttachments({ json, binary = {} }: INodeExecutionData): INodeExecutionData[] {
	const attachments = json.attachments as IDataObject[];
	const others = { ...binary };
	for (const { binaryProperty } of attachments) delete others[String(binaryProperty)];
	if (attachments.length === 0) return [toItem(json, null, others)];

	const length = lengthOf({ ...json, attachments: [] }) * attachments.length;
	const repeated = length > MAX_REPEATED ? withoutLongValues(json) : json;
	return attachments.map((attachment, index) => {
		const isFirst = index === 0;
		const files: IBinaryKeyData = {};
		const file = binary[String(attachment.binaryProperty)];
		if (file) files[ATTACHMENT_FIELD] = file;
		if (isFirst) Object.assign(files, others);
		return toItem(isFirst ? json : repeated, attachment, files);
	});
}

function withoutLongValues(fields: IDataObject): IDataObject {
	const brief: IDataObject = {};
	for (const [name, value] of Object.entries(fields)) {
		if (lengthOf(value) <= MAX_REPEATED_VALUE) brief[name] = value;
		else if (typeof value === 'string') brief[name] = '';
		else brief[name] = Array.isArray(value) ? [] : {};
	}
	return brief;
}

/** The field `attachment` stands in the place of `attachments`. */
function toItem(
	fields: IDataObject,
	attachment: IDataObject | null,
	binary: IBinaryKeyData,
): INodeExecutionData {
	const binaryProperty = ATTACHMENT_FIELD in binary ? ATTACHMENT_FIELD : null;
	const json: IDataObject = {};
	for (const [name, value] of Object.entries(fields)) {
		if (name === 'attachments') json.attachment = attachment && { ...attachment, binaryProperty };
		else json[name] = value;
	}
	const item: INodeExecutionData = { json };
	if (Object.keys(binary).length > 0) item.binary = binary;
	return item;
}

function lengthOf(value: unknown): number {
	return JSON.stringify(value ?? null).length;
}

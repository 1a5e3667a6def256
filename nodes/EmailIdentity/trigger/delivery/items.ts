import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { ServiceMessage } from '../../api/messages';
import type { EmailFile } from '../../email';
import { findRecipient, readSimplifiedEmail } from '../../shared/simplifiedEmail';
import type { DeliveryParameters } from '../parameters';
import { wantedFiles } from './filters';
import type { DeliveredEvent, Mail } from './mail';
import { ownIdentitiesOf, type DeliveryRequest } from './request';

/** Other nodes of n8n read this binary field by default. */
const ATTACHMENT_FIELD = 'data';

/** Characters of an email that are repeated in its items. Of ten megabytes of text no workflow needs a thousand copies. */
const MAX_REPEATED = 30_000_000;

/** Longer values, in characters of JSON, are left out of the items that have to do without. */
const MAX_REPEATED_VALUE = 1000;

/** Of that length, in an item. */
const MAX_VALUES = 20;

/**
 * The items that the workflow starts with. Files become binary data, and nothing is kept in it twice: with
 * the raw email as a file, the delivered event goes without it.
 */
export async function buildItems(
	mail: Mail,
	request: DeliveryRequest,
	parameters: DeliveryParameters = request.parameters,
): Promise<INodeExecutionData[]> {
	const { received } = mail.email;
	const { json, files } = parameters.simplify
		? await simplified(mail, request, parameters)
		: { json: asDelivered(mail.event, received, parameters), files: [] };
	if (parameters.includeRawEmail && received.rawEmail) files.push(rawEmailFile(received));
	const binary: IBinaryKeyData = {};
	// One after the other: the memory that n8n takes for one file is free before the next.
	for (const { binaryProperty, content, fileName, mimeType } of files) {
		binary[binaryProperty] = await request.prepareFile(content, fileName, mimeType);
	}
	const item = files.length > 0 ? { json, binary } : { json };
	return parameters.output === 'attachment' ? itemsOfAttachments(item) : [item];
}

async function simplified(
	{ email, sender, restrictedTo }: Mail,
	request: DeliveryRequest,
	parameters: DeliveryParameters,
) {
	const opened = await email.open();
	const { json, files } = await readSimplifiedEmail(email.received, opened, {
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
 * An email that was sent with very much text and very many files has its long fields in the first items only: what a
 * stranger sends must not fill n8n's memory.
 *
 * @returns one item with `attachment: null` where the email could not be read
 */
function itemsOfAttachments({ json, binary = {} }: INodeExecutionData): INodeExecutionData[] {
	const attachments = json.attachments as IDataObject[];
	const others = { ...binary };
	for (const { binaryProperty } of attachments) delete others[String(binaryProperty)];
	if (attachments.length === 0) return [toItem(json, null, undefined, others)];
	const { brief, complete } = repeatedFields({ ...json, attachments: [] }, attachments.length);
	return attachments.map((attachment, index) => {
		const fields = index < complete ? json : brief;
		const file = binary[String(attachment.binaryProperty)];
		return toItem(fields, attachment, file, index === 0 ? others : {});
	});
}

/** @returns the fields for items that have to do without what is long, and how many can have all */
function repeatedFields(fields: IDataObject, count: number) {
	const length = lengthOf(fields);
	if (length * count <= MAX_REPEATED) return { brief: fields, complete: count };
	const maxValue = Math.min(MAX_REPEATED_VALUE, MAX_REPEATED / count / MAX_VALUES);
	const brief = Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			name,
			lengthOf(value) <= maxValue ? value : emptyLike(value),
		]),
	) as IDataObject;
	const rest = MAX_REPEATED - lengthOf(brief) * count;
	return { brief, complete: Math.max(1, Math.floor(rest / length)) };
}

function emptyLike(value: unknown) {
	if (typeof value === 'string') return '';
	return Array.isArray(value) ? [] : {};
}

function toItem(
	fields: IDataObject,
	attachment: IDataObject | null,
	file: NonNullable<INodeExecutionData['binary']>[string] | undefined,
	others: NonNullable<INodeExecutionData['binary']>,
): INodeExecutionData {
	const named = attachment && { ...attachment, binaryProperty: file ? ATTACHMENT_FIELD : null };
	const json = Object.fromEntries(
		Object.entries(fields).map(([name, value]) =>
			name === 'attachments' ? ['attachment', named] : [name, value],
		),
	);
	const binary = { ...(file && { [ATTACHMENT_FIELD]: file }), ...others };
	return Object.keys(binary).length > 0 ? { json, binary } : { json };
}

function lengthOf(value: unknown): number {
	return JSON.stringify(value ?? null).length;
}

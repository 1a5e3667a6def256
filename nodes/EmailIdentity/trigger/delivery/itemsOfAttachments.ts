import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** The binary field with the file of an item. */
export const ATTACHMENT_FIELD = 'attachment';

/** So many characters of an email are repeated in its items. Of ten megabytes of text no workflow needs a thousand copies. */
const MOST_REPEATED = 30_000_000;

/** What is longer is left out of the items that have to do without. */
const LONGEST_REPEATED = 1000;

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
export function itemsOfAttachments({
	json,
	binary = {},
}: INodeExecutionData): INodeExecutionData[] {
	const attachments = json.attachments as IDataObject[];
	const others = { ...binary };
	for (const { binaryProperty } of attachments) delete others[String(binaryProperty)];
	if (attachments.length === 0) return [toItem(json, null, undefined, others)];
	const complete = Math.floor(MOST_REPEATED / lengthOf({ ...json, attachments: [] }));
	const brief = attachments.length > complete ? shorten({ ...json, attachments: [] }) : json;
	return attachments.map((attachment, index) => {
		const fields = index < Math.max(1, complete) ? json : brief;
		const file = binary[String(attachment.binaryProperty)];
		return toItem(fields, attachment, file, index === 0 ? others : {});
	});
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

/** Keeps the shape of fields, without what is long in them. */
function shorten(fields: object): IDataObject {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [name, shortenValue(value)]),
	) as IDataObject;
}

function shortenValue(value: unknown): unknown {
	if (typeof value === 'string') return value.slice(0, LONGEST_REPEATED);
	if (value === null || typeof value !== 'object' || lengthOf(value) <= LONGEST_REPEATED) {
		return value;
	}
	return Array.isArray(value) ? [] : shorten(value);
}

function lengthOf(value: object): number {
	return JSON.stringify(value).length;
}

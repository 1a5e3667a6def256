import type { MessageFields, StoredMessage } from '../types';
import type { Dialect } from './dialect';
import { presentJson } from './json';
import { omit, presentNames } from './names';
import { presentTime } from './timestamps';

type Fields = Record<string, unknown>;

/** What stands for a field that is not there, where that is not `null`. */
const absentValues: Record<
	Dialect['absentInMessage'],
	Partial<Record<keyof MessageFields, unknown>>
> = {
	empty: { references: [], text: '', textAsHtml: '' },
	null: {},
};

function presentReplyTo({ replyTo }: MessageFields, { absentInMessage }: Dialect): unknown {
	if (absentInMessage === 'empty') return replyTo?.value ?? [];
	return replyTo ?? [];
}

const messageTimes = ({ date, createdAt, updatedAt }: MessageFields, { timestamps }: Dialect) => ({
	date: date && presentTime(date, timestamps),
	createdAt: presentTime(createdAt, timestamps),
	updatedAt: presentTime(updatedAt, timestamps),
});

/** The `message` object of deliveries. */
export function presentMessage({ fields }: StoredMessage, dialect: Dialect): Fields {
	const { ownerId, workspaceId, deliveredTo, metaData, rawStorageKey, ...rest } = fields;
	const absent = Object.entries(absentValues[dialect.absentInMessage]).filter(
		([name]) => fields[name as keyof MessageFields] === null,
	);
	return presentNames(
		{
			...rest,
			...Object.fromEntries(absent),
			...(dialect.messageNamesOwner && { ownerId, workspaceId }),
			...(dialect.extraFields && { deliveredTo, metaData, rawStorageKey }),
			replyTo: presentReplyTo(fields, dialect),
			headersJson: presentJson(fields.headersJson, dialect),
			...messageTimes(fields, dialect),
		},
		dialect.fieldNames,
	);
}

/** What a subscription is sent for a received message (contract, section 6). */
export function presentEvent(message: StoredMessage, dialect: Dialect): Fields {
	return {
		event: 'message.received',
		data: { message: presentMessage(message, dialect), rawEmail: message.rawEmail },
	};
}

/** Where a message is kept, and whose it is: not for those who read it. */
const notRead = ['ownerId', 'workspaceId', 'deliveredTo', 'metaData', 'rawStorageKey'] as const;

/** Which parts of a message are asked for when it is read. */
export interface ReadingOptions {
	bodies: boolean;
	headers: boolean;
}

/** A message as it is read by its ID or in a list: with its attachments, without where it is kept and whose it is. */
export function presentReading(
	{ fields, attachments }: StoredMessage,
	{ bodies, headers }: ReadingOptions,
	dialect: Dialect,
): Fields {
	const { text, textAsHtml, html, headersJson, ...rest } = omit(fields, notRead);
	return presentNames(
		{
			...rest,
			replyTo: presentReplyTo(fields, dialect),
			...messageTimes(fields, dialect),
			...(bodies && { text, textAsHtml, html }),
			...(headers && { headers: presentJson(headersJson, dialect) }),
			attachments,
		},
		dialect.fieldNames,
	);
}

import { isObject, parseJson } from './json';
import { DEEPEST, firstEntries, isText, readNamed, textOf, type Told } from './messageNames';
import { toIsoTime } from './timestamps';
import type { Entry } from './types';

/** A mailbox: the text of an address header, or taken apart already. */
export type ToldAddress = string | { name: string; address: string };

/** What a message object tells of its email. What it does not tell is empty; headers and addresses are not decoded. */
export interface MessageFields {
	messageId: string;
	inReplyTo: string;
	/** Message-IDs, one behind the other. */
	references: string;
	from: ToldAddress[];
	to: ToldAddress[];
	cc: ToldAddress[];
	replyTo: ToldAddress[];
	subject: string;
	/** ISO 8601 in UTC. */
	date: string | null;
	text: string;
	html: string;
	headers: Array<{ key: string; value: string }>;
	attachments: ToldAttachment[];
}

/** A file that a message object names; its content stays with the service. */
export interface ToldAttachment {
	fileName: string | null;
	mimeType: string | null;
	/** Bytes; 0 when it is not told. */
	size: number;
	inline: boolean;
	contentId: string | null;
}

/** Far more than mail servers let through (some ten thousand characters are usual, Exchange takes 256 KB). */
export const LONGEST_HEADERS_JSON = 1_000_000;

/** A list that passed through dozens of servers has some two hundred. */
export const MOST_HEADERS = 5000;

/** Of one field, such as `to`. Mail servers let through a few thousand recipients at most. */
export const MOST_ADDRESSES = 10_000;

/** As many as an email's parts that are read. */
export const MOST_ATTACHMENTS = 2000;

/** What a message object tells of its email, whatever the deployment calls it. Never throws. */
export function readMessageFields(message: Entry): MessageFields {
	const told = readNamed(message);
	const body: Told = isObject(told.body) ? readNamed(told.body) : { text: told.body };
	const date = toIsoTime(textOf(told.date));
	return {
		messageId: textOf(told.messageId),
		inReplyTo: textOf(told.inReplyTo),
		references: textOf(told.references),
		from: readAddresses(told.from),
		to: readAddresses(told.to),
		cc: readAddresses(told.cc),
		replyTo: readAddresses(told.replyTo),
		subject: textOf(told.subject),
		date: date !== null && !Number.isNaN(Date.parse(date)) ? new Date(date).toISOString() : null,
		text: textOf(told.text || body.text),
		html: textOf(told.html || body.html),
		headers: readHeaders(told.headers),
		attachments: readAttachments(told.attachments),
	};
}

/** The address that a message was delivered to, where the service knows it; `''` where it does not. Never throws. */
export function readDeliveredTo(message: Entry): string {
	return textOf(readNamed(message, ['deliveredTo']).deliveredTo).trim();
}

/** `"A <a@b>"`, `{name, address}`, `{email}`, `{text, value: […]}`, a group, or a list of these. */
function readAddresses(value: unknown, depth = DEEPEST): ToldAddress[] {
	if (typeof value === 'string') return [value];
	if (depth === 0) return [];
	if (Array.isArray(value)) {
		const entries = value.slice(0, MOST_ADDRESSES);
		return entries.flatMap((entry) => readAddresses(entry, depth - 1)).slice(0, MOST_ADDRESSES);
	}
	if (!isObject(value)) return [];
	const address = textOf(value.address ?? value.email);
	if (address !== '') return [{ name: textOf(value.name), address }];
	return readAddresses(value.value ?? value.group ?? value.text, depth - 1);
}

/** Headers given as `{name: value or values}` or as a list of `{key or name, value}`, also as JSON text. */
function readHeaders(given: unknown): Array<{ key: string; value: string }> {
	const isTooLong = typeof given === 'string' && given.length > LONGEST_HEADERS_JSON;
	if (isTooLong) return [];
	const headers = typeof given === 'string' ? parseJson(given)?.value : given;
	const entries = Array.isArray(headers)
		? headers
				.slice(0, MOST_HEADERS)
				.filter(isObject)
				.map(({ key, name, value }) => [key ?? name, value] as const)
		: firstEntries(isObject(headers) ? headers : {}, MOST_HEADERS);
	const read = entries.flatMap(([key, value]) => {
		const name = textOf(key).toLowerCase();
		const values = Array.isArray(value) ? value.slice(0, MOST_HEADERS) : [value];
		return values.flatMap((one) => {
			const value = isObject(one) ? (one.text ?? one.value) : one;
			return name !== '' && isText(value) ? [{ key: name, value: String(value) }] : [];
		});
	});
	return read.slice(0, MOST_HEADERS);
}

function readAttachments(attachments: unknown): ToldAttachment[] {
	if (!Array.isArray(attachments)) return [];
	return attachments
		.slice(0, MOST_ATTACHMENTS)
		.filter(isObject)
		.map((attachment) => {
			const told = readNamed(attachment);
			return {
				fileName: textOf(told.fileName) || null,
				mimeType: textOf(told.mimeType) || null,
				size: typeof told.size === 'number' ? told.size : 0,
				inline: told.inline === true || told.inline === 'inline',
				contentId: textOf(told.contentId).replace(/^<|>$/g, '') || null,
			};
		});
}

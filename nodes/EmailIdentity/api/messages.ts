import { isObject, parseJson, SERVICE_LIMITS, type Entry } from './json';
import { isId, readField, toIsoTime } from './resources';

/** Addresses within groups, within lists, within `value`. */
const MAX_ADDRESS_DEPTH = 5;

/** Sent as `{message, rawEmail}`, or as a message object with or without the raw email (contract, sections 2.3 and 6). */
export interface ServiceMessage {
	/** The service's ID; null if there is none. */
	id: string | null;
	/** The message object as the service sent it. */
	message: Entry;
	/** Undefined if none was sent, empty if the service has none. */
	rawEmail: string | undefined;
}

/** @param source the `data` of a delivery, or the response to `GET /messages/{id}` without its envelope */
export function readMessage(source: Entry): ServiceMessage {
	const message = isObject(source.message) ? source.message : source;
	const id = isId(message.id) ? String(message.id) : null;
	const rawEmails = [source, message]
		.map((entry) => readField(entry, 'rawEmail'))
		.filter((value) => typeof value === 'string');
	const filled = rawEmails.find((rawEmail) => rawEmail !== '');
	return { id, message, rawEmail: filled ?? rawEmails[0] };
}

export function readDeliveredTo(message: Entry): string {
	return textOf(readField(message, 'deliveredTo')).trim();
}

/** An address with its name as in a header field, or both apart. */
type ToldAddress = string | { name: string; address: string };

interface ToldHeader {
	/** In lower case. */
	key: string;
	value: string;
}

/** A file without its content. */
interface ToldFile {
	fileName: string | null;
	mimeType: string | null;
	/** Bytes; 0 if unknown. */
	size: number;
	inline: boolean;
	/** Without angle brackets. */
	contentId: string | null;
}

/** A message as the service read it. Missing texts and lists are empty; headers and addresses are not decoded. */
export interface MessageFields {
	messageId: string;
	inReplyTo: string;
	references: string;
	from: ToldAddress[];
	to: ToldAddress[];
	cc: ToldAddress[];
	replyTo: ToldAddress[];
	subject: string;
	/** ISO 8601; null if missing or not readable. */
	date: string | null;
	text: string;
	html: string;
	headers: ToldHeader[];
	/** Absent if the service does not list files. */
	attachments?: ToldFile[];
}

/** Never throws. Reads at most `entriesOfField` entries of a list. */
export function readMessageFields(
	message: Entry,
	{ entriesOfField } = SERVICE_LIMITS,
): MessageFields {
	const text = (name: string): string => textOf(readField(message, name));
	const first = <Item>(items: Item[]): Item[] => items.slice(0, entriesOfField);
	const addresses = (name: string): ToldAddress[] => first(readPeople(readField(message, name)));
	const fields: MessageFields = {
		messageId: text('messageId'),
		inReplyTo: text('inReplyTo'),
		references: text('references'),
		from: addresses('from'),
		to: addresses('to'),
		cc: addresses('cc'),
		replyTo: addresses('replyTo'),
		subject: text('subject'),
		date: readMessageDate(text('date') || text('createdAt')),
		text: text('text'),
		html: text('html'),
		headers: first(readHeaders(message, entriesOfField)),
	};
	if (Array.isArray(message.attachments)) {
		fields.attachments = first(readFiles(message.attachments));
	}
	return fields;
}

function readMessageDate(text: string): string | null {
	const date = toIsoTime(text);
	if (date === null || Number.isNaN(Date.parse(date))) return null;
	return new Date(date).toISOString();
}

/** `"A <a@b>"`, `{name, address}`, `{text, value: […]}`, a group, or a list of these. */
function readPeople(value: unknown, depth = MAX_ADDRESS_DEPTH): ToldAddress[] {
	if (typeof value === 'string') return [value];
	if (depth === 0) return [];
	if (Array.isArray(value)) return value.flatMap((entry) => readPeople(entry, depth - 1));
	if (!isObject(value)) return [];
	const address = textOf(value.address);
	if (address !== '') return [{ name: textOf(value.name), address }];
	return readPeople(value.value ?? value.group ?? value.text, depth - 1);
}

/** `{name: value or values}`, also as JSON text; a value may be an object with a text. `list` contains the `List-` fields. */
function readHeaders(message: Entry, most: number): ToldHeader[] {
	const headers = objectOf(readField(message, 'headersJson') ?? message.headers);
	const read: ToldHeader[] = [];
	let count = 0;
	// A record can have 100,000 names: `Object.entries` would read them all.
	for (const name in headers) {
		if (name === 'list') continue;
		if (++count > most) break;
		read.push(...readHeader(name, headers[name]));
	}
	if (!isObject(headers.list)) return read;
	for (const [name, value] of Object.entries(headers.list)) {
		read.push(...readHeader(`list-${name}`, textsIn(value)));
	}
	return read;
}

/** One header for each value that is a text. */
function readHeader(name: string, values: unknown): ToldHeader[] {
	const key = name.toLowerCase();
	return [values]
		.flat()
		.map((value) => (isObject(value) ? (value.text ?? value.value) : value))
		.filter(isStringOrNumber)
		.map((text) => ({ key, value: String(text) }));
}

/** `{id, name}` of a list, or `{mail, url}` of a way to leave it, as one text. */
function textsIn(value: unknown): unknown {
	return isObject(value) ? textOf(Object.values(value)) : value;
}

/** Files in the format of a fork. */
function readFiles(attachments: unknown[]): ToldFile[] {
	return attachments.filter(isObject).map((attachment) => {
		const size = readField(attachment, 'sizeBytes');
		return {
			fileName: textOf(attachment.filename) || null,
			mimeType: textOf(readField(attachment, 'contentType')) || null,
			size: typeof size === 'number' ? size : 0,
			inline: readField(attachment, 'isInline') === true,
			contentId: textOf(attachment.cid).replace(/^<|>$/g, '') || null,
		};
	});
}

/** Where the service keeps a message. Unknown texts and lists are empty. */
export interface MessagePlace {
	isDraft: boolean;
	/** The service's name for it, in lower case. */
	state: string;
	/** IMAP paths. */
	folders: string[];
	/** Gmail's, in upper case. */
	labels: string[];
	/** IMAP flags as on the mail server: `\Seen`, `$Junk`. */
	flags: string[];
}

/** Reads `metaData.imap` or `metaData.gmail`. Never throws. */
export function readMessagePlace(message: Entry): MessagePlace {
	const metaData = objectOf(readField(message, 'metaData'));
	const imap = objectOf(metaData.imap);
	const gmail = objectOf(metaData.gmail);
	return {
		isDraft: message.draft === true,
		state: textOf(message.state).toLowerCase(),
		folders: listOf(readField(imap, 'mailboxPath')),
		labels: listOf(readField(gmail, 'labelIds')).map((label) => label.toUpperCase()),
		flags: listOf(imap.flags),
	};
}

function objectOf(value: unknown): Entry {
	const entry = typeof value === 'string' ? parseJson(value)?.value : value;
	return isObject(entry) ? entry : {};
}

function listOf(value: unknown): string[] {
	const texts = [value].flat().map(textOf);
	return texts.filter((text) => text !== '').slice(0, SERVICE_LIMITS.entriesOfField);
}

/** Strings and numbers as text, lists of them separated by spaces; `''` for everything else. */
function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.filter(isStringOrNumber).join(' ');
	return isStringOrNumber(value) ? String(value) : '';
}

function isStringOrNumber(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}

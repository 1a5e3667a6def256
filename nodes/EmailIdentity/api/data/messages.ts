import { beginningOfObject, isObject, parseJson, SERVICE_LIMITS, type Entry } from './json';
import { isId, readField, toIsoTime } from './resources';

/** How deep addresses may be nested: in groups, in lists and in `value`. */
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
	const beside = readField(source, 'rawEmail');
	const within = readField(message, 'rawEmail');
	const sent = [beside, within].filter((value) => typeof value === 'string');
	const filled = sent.find((rawEmail) => rawEmail !== '');
	return { id, message, rawEmail: filled ?? sent[0] };
}

export function readDeliveredTo(message: Entry): string {
	return cutTextOf(readField(message, 'deliveredTo')).trim();
}

/** An address with its name as in a header field, or both apart. */
type ReportedAddress = string | { name: string; address: string };

interface ReportedHeader {
	/** In lower case. */
	key: string;
	value: string;
}

/** A file without its content. */
interface ReportedFile {
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
	from: ReportedAddress[];
	to: ReportedAddress[];
	cc: ReportedAddress[];
	replyTo: ReportedAddress[];
	subject: string;
	/** ISO 8601; null if missing or not readable. */
	date: string | null;
	text: string;
	html: string;
	headers: ReportedHeader[];
	/** Absent if the service does not list files. */
	attachments?: ReportedFile[];
}

/** Never throws. Reads at most `entriesOfField` entries of a list. */
export function readMessageFields(
	message: Entry,
	{ entriesOfField } = SERVICE_LIMITS,
): MessageFields {
	const text = (name: string): string => cutTextOf(readField(message, name));
	const addresses = (name: string): ReportedAddress[] =>
		readAddresses(readField(message, name)).slice(0, entriesOfField);
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
		text: textOf(message.text),
		html: textOf(message.html),
		headers: readHeaders(message, entriesOfField),
	};
	if (Array.isArray(message.attachments)) {
		const attachments = message.attachments.filter(isObject).slice(0, entriesOfField);
		fields.attachments = attachments.map(toReportedFile);
	}
	return fields;
}

function readMessageDate(text: string): string | null {
	// `toIsoTime` keeps a text that it cannot read.
	const date = toIsoTime(text);
	if (date === null || Number.isNaN(Date.parse(date))) return null;
	return new Date(date).toISOString();
}

/** `"A <a@b>"`, `{name, address}`, `{text, value: […]}`, a group, or a list of these. */
function readAddresses(value: unknown, depth = MAX_ADDRESS_DEPTH): ReportedAddress[] {
	if (typeof value === 'string') return [cutTextOf(value)];
	if (depth === 0) return [];
	if (Array.isArray(value)) {
		return value.flatMap((entry) => readAddresses(entry, depth - 1));
	}
	if (!isObject(value)) return [];
	const address = cutTextOf(value.address);
	if (address !== '') return [{ name: cutTextOf(value.name), address }];
	const members = value.value ?? value.group ?? value.text;
	return readAddresses(members, depth - 1);
}

function readHeaders(message: Entry, maxHeaders: number): ReportedHeader[] {
	const told: ReportedHeader[] = [];
	for (const header of headersOf(message)) {
		if (told.length === maxHeaders) break;
		told.push(header);
	}
	return told;
}

/**
 * `{name: value or values}`, also as JSON text. `list` contains the `List-` fields. Read one by one, because a record can have
 * 100,000 names.
 */
function* headersOf(message: Entry): Generator<ReportedHeader> {
	const headers = objectOf(readField(message, 'headersJson') ?? message.headers);
	for (const name in headers) {
		if (name !== 'list') yield* headersNamed(name, headers[name]);
	}
	const { list } = headers;
	if (!isObject(list)) return;
	for (const name in list) yield* headersNamed(`list-${name}`, joinedTexts(list[name]));
}

/** One header for each value that is a text, or an object with a text. */
function* headersNamed(name: string, values: unknown): Generator<ReportedHeader> {
	const key = name.toLowerCase();
	for (const value of [values].flat()) {
		const text = isObject(value) ? (value.text ?? value.value) : value;
		if (isStringOrNumber(text)) yield { key, value: cutTextOf(text) };
	}
}

/** List-Id comes as `{id, name}`, List-Unsubscribe as `{mail, url}`: both become one text. */
function joinedTexts(value: unknown): unknown {
	if (!isObject(value)) return value;
	return textOf(Object.values(value));
}

/** A file as a fork of Kurrier describes it. */
function toReportedFile(attachment: Entry): ReportedFile {
	const size = readField(attachment, 'sizeBytes');
	const contentId = cutTextOf(attachment.cid).replace(/^<|>$/g, '');
	return {
		fileName: cutTextOf(attachment.filename) || null,
		mimeType: cutTextOf(readField(attachment, 'contentType')) || null,
		size: typeof size === 'number' ? size : 0,
		inline: readField(attachment, 'isInline') === true,
		contentId: contentId || null,
	};
}

/** The place where the service keeps a message. Unknown texts and lists are empty. */
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

/** An object, or the beginning of one that is sent as JSON text; empty for everything else. */
function objectOf(value: unknown): Entry {
	const entry = typeof value === 'string' ? parseField(value) : value;
	if (!isObject(entry)) return {};
	return entry;
}

function parseField(text: string): unknown {
	return parseJson(beginningOfObject(text, SERVICE_LIMITS.field))?.value;
}

/** The beginning of a text; `''` for everything else. */
function cutTextOf(value: unknown): string {
	return textOf(value).slice(0, SERVICE_LIMITS.field);
}

function listOf(value: unknown): string[] {
	const texts = [value].flat().map(textOf);
	return texts.filter((text) => text !== '').slice(0, SERVICE_LIMITS.entriesOfField);
}

/** Strings and numbers as text, lists of them separated by spaces; `''` for everything else. */
function textOf(value: unknown): string {
	if (Array.isArray(value)) return value.filter(isStringOrNumber).join(' ');
	if (!isStringOrNumber(value)) return '';
	return String(value);
}

function isStringOrNumber(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}

import { isObject, parseJson, SERVICE_LIMITS, type Entry } from './json';
import { isId, readField, toIsoTime } from './resources';

/** Addresses within groups, within lists, within `value`. */
const MAX_ADDRESS_DEPTH = 5;

/** Sent as `{message, rawEmail}`, or as a message object with or without the raw email (contract, sections 2.3 and 6). */
export type ServiceMessage = ReturnType<typeof readMessage>;

/** @param source the `data` of a delivery, or the response to `GET /messages/{id}` without its envelope */
export function readMessage(source: Entry) {
	const message = isObject(source.message) ? source.message : source;
	const rawEmails = [source, message]
		.map((entry) => readField(entry, 'rawEmail'))
		.filter((value) => typeof value === 'string');
	return {
		id: isId(message.id) ? String(message.id) : null,
		message,
		/** Undefined if none was sent, empty if the service has none. */
		rawEmail: rawEmails.find((rawEmail) => rawEmail !== '') ?? rawEmails[0],
	};
}

export function readDeliveredTo(message: Entry): string {
	return textOf(readField(message, 'deliveredTo')).trim();
}

type ToldAddress = string | { name: string; address: string };

/** Missing fields are empty; headers and addresses are not decoded. Never throws. */
export function readMessageFields(message: Entry, { entriesOfField } = SERVICE_LIMITS) {
	const text = (name: string) => textOf(readField(message, name));
	const first = <Item>(items: Item[]) => items.slice(0, entriesOfField);
	const addresses = (name: string) => first(readPeople(readField(message, name)));
	const date = toIsoTime(text('date') || text('createdAt'));
	return {
		messageId: text('messageId'),
		inReplyTo: text('inReplyTo'),
		references: text('references'),
		from: addresses('from'),
		to: addresses('to'),
		cc: addresses('cc'),
		replyTo: addresses('replyTo'),
		subject: text('subject'),
		date: date !== null && !Number.isNaN(Date.parse(date)) ? new Date(date).toISOString() : null,
		text: text('text'),
		html: text('html'),
		headers: first(readHeaders(message, entriesOfField)),
		...(Array.isArray(message.attachments) && {
			attachments: first(readFiles(message.attachments)),
		}),
	};
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
function readHeaders(message: Entry, most: number): Array<{ key: string; value: string }> {
	const headers = objectOf(readField(message, 'headersJson') ?? message.headers);
	const ofLists = isObject(headers.list) ? Object.entries(headers.list) : [];
	return [
		...Object.entries(headers)
			.filter(([name]) => name !== 'list')
			.slice(0, most),
		...ofLists.map(([name, value]) => [`list-${name}`, textsIn(value)] as const),
	].flatMap(([name, values]) =>
		[values]
			.flat()
			.map((value) => (isObject(value) ? (value.text ?? value.value) : value))
			.filter(isStringOrNumber)
			.map((text) => ({ key: name.toLowerCase(), value: String(text) })),
	);
}

/** `{id, name}` of a list, or `{mail, url}` of a way to leave it, as one text. */
const textsIn = (value: unknown) => (isObject(value) ? textOf(Object.values(value)) : value);

/** Files without their content, in the format of a fork. */
function readFiles(attachments: unknown[]) {
	return attachments.filter(isObject).map((attachment) => {
		const size = readField(attachment, 'sizeBytes');
		return {
			fileName: textOf(attachment.filename) || null,
			mimeType: textOf(readField(attachment, 'contentType')) || null,
			/** Bytes; 0 if unknown. */
			size: typeof size === 'number' ? size : 0,
			inline: readField(attachment, 'isInline') === true,
			contentId: textOf(attachment.cid).replace(/^<|>$/g, '') || null,
		};
	});
}

export type MessagePlace = ReturnType<typeof readMessagePlace>;

/** Reads `metaData.imap` or `metaData.gmail`; unknown fields are empty. Never throws. */
export function readMessagePlace(message: Entry) {
	const metaData = objectOf(readField(message, 'metaData'));
	const imap = objectOf(metaData.imap);
	const gmail = objectOf(metaData.gmail);
	return {
		isDraft: message.draft === true,
		/** The service's name for it, in lower case. */
		state: textOf(message.state).toLowerCase(),
		folders: listOf(readField(imap, 'mailboxPath')),
		labels: listOf(readField(gmail, 'labelIds')).map((label) => label.toUpperCase()),
		/** IMAP flags as on the mail server: `\Seen`, `$Junk`. */
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

import { isObject, parseJson } from './json';
import { toIsoTime } from './timestamps';
import type { Entry } from './types';

/**
 * A message of the service. Deliveries and answers bring it as `{message, rawEmail}` or as the message object alone,
 * with or without the raw email in it (contract, sections 2.3 and 6).
 */
export interface ServiceMessage {
	/** The service's own ID of the message, as in `GET /messages/{id}`; null when it has none. */
	id: string | null;
	/** The message object as it was sent. */
	message: Entry;
	/** RFC 5322 text; undefined when none was sent, empty where the service says that it has none. */
	rawEmail: string | undefined;
}

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

/** Where a message is in its mailbox, as far as the service tells. What it does not tell is empty. */
export interface MessagePlace {
	isDraft: boolean;
	/** The service's own word for it, in lower case. */
	state: string;
	/** Paths of folders, as the mail server names them. */
	folders: string[];
	/** IDs of labels, in capitals. */
	labels: string[];
}

/** The names that each field may go by (the contract does not show them); case and underscores do not matter. */
const NAMES = {
	id: ['id'],
	rawEmail: ['rawEmail', 'raw', 'rawMessage', 'rawContent', 'eml'],
	messageId: ['messageId', 'rfcMessageId', 'internetMessageId'],
	inReplyTo: ['inReplyTo'],
	references: ['references'],
	deliveredTo: ['deliveredTo'],
	from: ['from', 'fromAddress', 'sender'],
	to: ['to', 'toAddresses', 'recipients'],
	cc: ['cc', 'ccAddresses'],
	replyTo: ['replyTo'],
	subject: ['subject'],
	date: ['date', 'sentAt', 'receivedAt', 'createdAt'],
	text: ['text', 'textBody', 'bodyText', 'textPlain', 'plain'],
	html: ['html', 'htmlBody', 'bodyHtml', 'textHtml'],
	body: ['body', 'content'],
	headers: ['headersJson', 'headers'],
	attachments: ['attachments'],
	fileName: ['fileName', 'name'],
	mimeType: ['mimeType', 'contentType', 'type'],
	size: ['size', 'sizeBytes', 'length'],
	inline: ['inline', 'isInline', 'related', 'disposition', 'contentDisposition'],
	contentId: ['contentId', 'cid'],
	draft: ['draft', 'isDraft'],
	state: ['state'],
	metaData: ['metaData', 'meta'],
	imap: ['imap'],
	gmail: ['gmail'],
	folder: ['mailboxPath', 'folderPath', 'folder'],
	labels: ['labelIds', 'labels'],
} as const;

type Field = keyof typeof NAMES;

type Told = Partial<Record<Field, unknown>>;

/** Lists within lists, and addresses within groups, are followed that far: none known goes beyond three. */
const DEEPEST = 10;

/** Messages have some thirty fields, with names of some twenty characters. What is beyond is not looked at. */
export const MOST_FIELDS = 1000;
const LONGEST_FIELD_NAME = 100;

/** Far more than mail servers let through (some ten thousand characters are usual, Exchange takes 256 KB). */
export const LONGEST_HEADERS_JSON = 1_000_000;

/** A list that passed through dozens of servers has some two hundred. */
export const MOST_HEADERS = 5000;

/** Of one field, such as `to`. Mail servers let through a few thousand recipients at most. */
export const MOST_ADDRESSES = 10_000;

/** Of one message. Gmail lets a user have ten thousand, and nobody gives one email a hundred. */
const MOST_LABELS = 1000;

/** Of JSON text. Known metadata have some hundred characters. */
const LONGEST_METADATA = 100_000;

/** As many as an email's parts that are read. */
export const MOST_ATTACHMENTS = 2000;

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const FIELDS = Object.keys(NAMES) as Field[];

const PLAIN_NAMES: ReadonlyMap<Field, readonly string[]> = /* @__PURE__ */ plainNames();

const ALL_PLAIN_NAMES: ReadonlySet<string> = /* @__PURE__ */ allPlainNames();

function plainNames() {
	return new Map(FIELDS.map((field) => [field, NAMES[field].map(plainName)]));
}

function allPlainNames() {
	return new Set([...PLAIN_NAMES.values()].flat());
}

/**
 * Reads a message, wherever it comes from: the `data` of a delivery, the answer of `GET /messages/{id}`.
 *
 * @param source as the service sent it, without an envelope
 */
export function readMessage(source: Entry): ServiceMessage {
	const message = isObject(source.message) ? source.message : source;
	const own = read(message, ['id', 'rawEmail']);
	const outer = message === source ? own : read(source, ['rawEmail']);
	const rawEmails = [outer.rawEmail, own.rawEmail].filter((value) => typeof value === 'string');
	return {
		id: idText(own.id),
		message,
		rawEmail: rawEmails.find((rawEmail) => rawEmail !== '') ?? rawEmails[0],
	};
}

/** Whether an object holds a message with its raw email beside it, as a delivery does. */
export function hasRawEmailBeside(source: Entry): boolean {
	return isObject(source.message) && typeof read(source, ['rawEmail']).rawEmail === 'string';
}

/** What a message object tells of its email, whatever the deployment calls it. Never throws. */
export function readMessageFields(message: Entry): MessageFields {
	const told = read(message);
	const body: Told = isObject(told.body) ? read(told.body) : { text: told.body };
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
	return textOf(read(message, ['deliveredTo']).deliveredTo).trim();
}

/**
 * Where a message is: in `metaData.imap` for mail read by IMAP, in `metaData.gmail` for Gmail accounts, or in the message
 * itself. Never throws.
 */
export function readMessagePlace(message: Entry): MessagePlace {
	const told = read(message, ['draft', 'state', 'metaData', 'folder', 'labels', 'imap', 'gmail']);
	const metaData = read(entryOf(told.metaData), ['imap', 'gmail', 'folder', 'labels']);
	const sources = [told, metaData, told.imap, told.gmail, metaData.imap, metaData.gmail]
		.map(entryOf)
		.map((source) => read(source, ['folder', 'labels']));
	return {
		isDraft: told.draft === true || told.draft === 'true',
		state: textOf(told.state).toLowerCase(),
		folders: sources.map(({ folder }) => textOf(folder)).filter((folder) => folder !== ''),
		labels: sources.flatMap(({ labels }) =>
			(Array.isArray(labels) ? labels : [labels])
				.slice(0, MOST_LABELS)
				.map((label) => textOf(label).toUpperCase())
				.filter((label) => label !== ''),
		),
	};
}

/** An object, also as JSON text. */
function entryOf(value: unknown): Entry {
	const isJson = typeof value === 'string' && value.length <= LONGEST_METADATA;
	const read = isJson ? parseJson(value)?.value : value;
	return isObject(read) ? read : {};
}

/** The fields that are there, each by the first of its names that holds something; found in one go. */
function read(source: Entry, wanted: readonly Field[] = FIELDS): Told {
	const found = findNamed(source);
	const told: Told = {};
	for (const field of wanted) {
		const names = (PLAIN_NAMES.get(field) ?? []).filter((plain) => found.has(plain));
		const name = names.find((plain) => found.get(plain) !== '') ?? names.at(-1);
		if (name !== undefined) told[field] = found.get(name);
	}
	return told;
}

/** A message is read for its ID first and for the rest later, and nobody changes it meanwhile. */
const namedOf = new WeakMap<Entry, ReadonlyMap<string, unknown>>();

/** What goes by any of the names, by the plain name. */
function findNamed(source: Entry): ReadonlyMap<string, unknown> {
	const known = namedOf.get(source);
	if (known !== undefined) return known;
	const found = new Map<string, unknown>();
	for (const [name, value] of firstEntries(source, MOST_FIELDS)) {
		if (value === null || value === undefined || name.length > LONGEST_FIELD_NAME) continue;
		const plain = plainName(name);
		// `_id` is some database's own; beside `id` it is not the message's.
		const isSecondary = name.startsWith('_') && found.has(plain);
		if (ALL_PLAIN_NAMES.has(plain) && !isSecondary) found.set(plain, value);
	}
	namedOf.set(source, found);
	return found;
}

/** Of an object from JSON; unlike `Object.entries` it makes nothing for the others. */
function firstEntries(source: Entry, most: number): Array<[string, unknown]> {
	const entries: Array<[string, unknown]> = [];
	for (const name in source) {
		if (entries.length === most) break;
		if (Object.hasOwn(source, name)) entries.push([name, source[name]]);
	}
	return entries;
}

function idText(id: unknown): string | null {
	return isText(id) && id !== '' ? String(id) : null;
}

/** Text and numbers as text, lists of them with blanks between; everything else is none. */
function textOf(value: unknown, depth = DEEPEST): string {
	if (Array.isArray(value) && depth > 0)
		return value.map((one) => textOf(one, depth - 1)).join(' ');
	return isText(value) ? String(value) : '';
}

function isText(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
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
			const told = read(attachment);
			return {
				fileName: textOf(told.fileName) || null,
				mimeType: textOf(told.mimeType) || null,
				size: typeof told.size === 'number' ? told.size : 0,
				inline: told.inline === true || told.inline === 'inline',
				contentId: textOf(told.contentId).replace(/^<|>$/g, '') || null,
			};
		});
}

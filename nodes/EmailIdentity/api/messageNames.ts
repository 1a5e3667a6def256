import { plainName } from './json';
import type { Entry } from './types';

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

/** What was found, by the one name that it has here. */
export type Told = Partial<Record<Field, unknown>>;

/** Lists within lists, and addresses within groups, are followed that far: none known goes beyond three. */
export const DEEPEST = 10;

/** Messages have some thirty fields, with names of some twenty characters. What is beyond is not looked at. */
export const MOST_FIELDS = 1000;
const LONGEST_FIELD_NAME = 100;

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
 * The fields that are there, each by the first of its names that holds something; found in one go.
 *
 * @param wanted all of them, unless told
 */
export function readNamed(source: Entry, wanted: readonly Field[] = FIELDS): Told {
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

/** The first of an object's fields; unlike `Object.entries` it makes nothing for the others. */
export function firstEntries(source: Entry, most: number): Array<[string, unknown]> {
	const entries: Array<[string, unknown]> = [];
	for (const name in source) {
		if (entries.length === most) break;
		if (Object.hasOwn(source, name)) entries.push([name, source[name]]);
	}
	return entries;
}

/** Text and numbers as text, lists of them (`depth` deep) with blanks between; everything else is none. */
export function textOf(value: unknown, depth = DEEPEST): string {
	if (Array.isArray(value) && depth > 0)
		return value.map((one) => textOf(one, depth - 1)).join(' ');
	return isText(value) ? String(value) : '';
}

export function isText(value: unknown): value is string | number {
	return typeof value === 'string' || typeof value === 'number';
}

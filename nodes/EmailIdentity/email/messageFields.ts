import { loadMime } from './loadMime';
import { isObject, parseJson } from '../api/json';
import { toIsoTime } from '../api/timestamps';
import type { Entry } from '../api/types';
import { toAddresses } from './addresses';
import { bodyText, firstMessageId, messageIds } from './emailFields';
import type { EmailFields } from './emailFields';
import { createFileNames } from './fileNames';
import { collectHeaders } from './headers';
import type { Address } from './mime';
import { oneLine } from './oneLine';
import type { EmailAttachment } from './types';

/** What the message object is asked for, and the names it may go by; case and underscores do not matter. */
const NAMES = {
	id: ['id'],
	rawEmail: ['rawEmail', 'raw', 'rawMessage', 'rawContent', 'eml'],
	messageId: ['messageId', 'rfcMessageId', 'internetMessageId'],
	inReplyTo: ['inReplyTo'],
	references: ['references'],
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
} as const;

type Field = keyof typeof NAMES;

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const ACCEPTED: ReadonlyMap<Field, readonly string[]> = new Map(
	Object.entries(NAMES).map(([field, names]) => [field as Field, names.map(plainName)]),
);

/** The first of a field's names that holds something. */
function read(message: Entry, field: Field): unknown {
	const values = new Map<string, unknown>();
	for (const [name, value] of Object.entries(message)) {
		if (value !== null && value !== undefined && value !== '') values.set(plainName(name), value);
	}
	const name = ACCEPTED.get(field)?.find((candidate) => values.has(candidate));
	return name === undefined ? undefined : values.get(name);
}

/** The service's own ID of a message. */
export function idOf(message: Entry): string | null {
	const id = read(message, 'id');
	return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

/** The raw email within a message object, if the deployment puts it there. */
export function rawEmailOf(message: Entry): string | undefined {
	const rawEmail = read(message, 'rawEmail');
	return typeof rawEmail === 'string' ? rawEmail : undefined;
}

/**
 * What a message object tells of an email, whatever the deployment calls it (the contract does not show its
 * fields). What is not there is empty.
 */
export async function readMessageFields(message: Entry): Promise<EmailFields> {
	const { parseAddresses } = await loadMime();
	const addresses = (field: Field) =>
		toAddresses(readAddresses(read(message, field), parseAddresses));
	const body = read(message, 'body');
	const bodies = isObject(body) ? body : { text: body as string };
	const date = toIsoTime(textOf(read(message, 'date')));
	return {
		messageId: firstMessageId(textOf(read(message, 'messageId'))),
		inReplyTo: firstMessageId(textOf(read(message, 'inReplyTo'))),
		references: messageIds(textOf(read(message, 'references'))),
		from: addresses('from')[0] ?? null,
		to: addresses('to'),
		cc: addresses('cc'),
		replyTo: addresses('replyTo'),
		subject: oneLine(textOf(read(message, 'subject')) ?? ''),
		date: date !== null && !Number.isNaN(Date.parse(date)) ? new Date(date).toISOString() : null,
		text: bodyText(textOf(read(message, 'text') ?? read(bodies, 'text'))),
		html: bodyText(textOf(read(message, 'html') ?? read(bodies, 'html'))),
	};
}

function textOf(value: unknown): string | undefined {
	if (Array.isArray(value)) return value.map(textOf).join(' ');
	return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** `"A <a@b>"`, `{name, address}`, `{email}`, `{text, value: […]}`, a group, or a list of these. */
function readAddresses(value: unknown, parse: (text: string) => Address[]): Address[] {
	if (typeof value === 'string') return parse(value);
	if (Array.isArray(value)) return value.flatMap((entry) => readAddresses(entry, parse));
	if (!isObject(value)) return [];
	const address = textOf(value.address ?? value.email);
	if (address !== undefined && address !== '') return [{ name: textOf(value.name) ?? '', address }];
	return readAddresses(value.value ?? value.group ?? value.text, parse);
}

/** The headers of a message object, given as `{name: value or values}` or as a list of `{key or name, value}`. */
export async function readMessageHeaders(message: Entry): Promise<Record<string, string[]>> {
	const { decodeWords } = await loadMime();
	const given = read(message, 'headers');
	const headers = typeof given === 'string' ? parseJson(given)?.value : given;
	return collectHeaders(listHeaders(headers), decodeWords);
}

function listHeaders(headers: unknown): Array<{ key: string; value: string }> {
	const entries = Array.isArray(headers)
		? headers.filter(isObject).map(({ key, name, value }) => [key ?? name, value] as const)
		: Object.entries(isObject(headers) ? headers : {});
	return entries.flatMap(([key, value]) =>
		(Array.isArray(value) ? value : [value]).flatMap((one) => {
			const name = textOf(key);
			const text = textOf(isObject(one) ? (one.text ?? one.value) : one);
			return name === undefined || text === undefined
				? []
				: [{ key: name.toLowerCase(), value: text }];
		}),
	);
}

/** The files that a message object names; their content stays with the service. */
export function readMessageAttachments(message: Entry): EmailAttachment[] {
	const attachments = read(message, 'attachments');
	if (!Array.isArray(attachments)) return [];
	const nameFile = createFileNames();
	return attachments.filter(isObject).map((attachment) => {
		const mimeType = textOf(read(attachment, 'mimeType')) ?? 'application/octet-stream';
		const size = read(attachment, 'size');
		return {
			fileName: nameFile(textOf(read(attachment, 'fileName')) ?? null, mimeType),
			mimeType: mimeType.toLowerCase(),
			size: typeof size === 'number' ? size : 0,
			inline: read(attachment, 'inline') === true || read(attachment, 'inline') === 'inline',
			contentId: textOf(read(attachment, 'contentId'))?.replace(/^<|>$/g, '') ?? null,
			binaryProperty: null,
		};
	});
}

import type { Pace } from '../lib/pause';
import { restoreWindows1252 } from '../lib/windows1252';
import { parseAddresses, toAddresses } from './addresses';
import { bodyText, type Bodies } from './bodyText';
import { decodeWords } from './encodedWords';
import { createFileNames } from './fileNames';
import { firstValue, oneLine } from './headerFields';
import type { HeaderField } from './headerFields';
import { readMessageIds, toThread } from './thread';
import type { Email, EmailAttachment, EmailFields, KnownAddress, KnownEmail } from './types';

const MAX_DATE = 200;

// Reading this much takes a few milliseconds; others get their turn before it.
const CHARACTERS_BETWEEN_PAUSES = 10_000;

/** Reads an email's header into the documented fields. What is not there is empty. */
export async function readEmailFields(header: HeaderField[], pace: Pace): Promise<EmailFields> {
	const text = (name: string) => decodeWords(firstValue(header, name) ?? '');
	const lists = (name: string) =>
		header.filter((field) => field.name === name && field.value !== '').map(({ value }) => value);
	return {
		from: firstAddress(await readAddresses([firstValue(header, 'from') ?? ''], pace)),
		to: await readAddresses(lists('to'), pace),
		cc: await readAddresses(lists('cc'), pace),
		subject: oneLine(text('subject')),
		date: isoDate(firstValue(header, 'date') ?? ''),
		thread: toThread({
			messageId: readMessageIds(text('message-id'))[0] ?? null,
			inReplyTo: readMessageIds(text('in-reply-to'))[0] ?? null,
			references: readMessageIds(text('references')),
			replyTo: await readAddresses(lists('reply-to'), pace),
		}),
	};
}

/** What is known of an email from elsewhere, in the documented shape. */
export async function toKnownFields(known: KnownEmail, pace: Pace): Promise<EmailFields> {
	return {
		from: firstAddress(await readAddresses(known.from, pace)),
		to: await readAddresses(known.to, pace),
		cc: await readAddresses(known.cc, pace),
		subject: oneLine(known.subject),
		date: known.date,
		thread: toThread({
			messageId: readMessageIds(known.messageId)[0] ?? null,
			inReplyTo: readMessageIds(known.inReplyTo)[0] ?? null,
			references: readMessageIds(known.references),
			replyTo: await readAddresses(known.replyTo, pace),
		}),
	};
}

/** The fields of an email, where they say nothing those that are known from elsewhere. */
export function completeFields(own: EmailFields, known: EmailFields): EmailFields {
	return {
		...known,
		...pickFilled(own),
		thread: toThread({ ...known.thread, ...pickFilled(own.thread) }),
	};
}

function pickFilled<T extends object>(fields: T): Partial<T> {
	const isFilled = (value: unknown) =>
		value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => isFilled(value)),
	) as Partial<T>;
}

/** The files that are known of; their content is elsewhere. */
export function toKnownAttachments({ attachments }: KnownEmail): EmailAttachment[] {
	const nameFile = createFileNames();
	return attachments.map(({ fileName, mimeType, ...attachment }) => {
		const type = mimeType ?? 'application/octet-stream';
		return {
			fileName: nameFile(fileName, type),
			mimeType: type.toLowerCase(),
			...attachment,
			binaryProperty: null,
		};
	});
}

/** The text and the HTML that are known, not yet made readable. */
export async function toKnownBodies({ text, html }: KnownEmail, pace: Pace): Promise<Bodies> {
	return {
		text: await bodyText(restoreWindows1252(text), pace),
		html: await bodyText(restoreWindows1252(html), pace),
	};
}

function firstAddress(found: Email['to']): Email['from'] {
	return found.find(({ address }) => address !== '') ?? found[0] ?? null;
}

/** With pauses, so that n8n can answer others meanwhile. */
async function readAddresses(lists: KnownAddress[], pace: Pace): Promise<Email['to']> {
	const addresses: Email['to'] = [];
	for (const list of lists) {
		if (typeof list === 'string') {
			if (pace.isDue(list.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
			addresses.push(...parseAddresses(list));
		} else {
			addresses.push(...toAddresses([list]));
		}
	}
	return addresses;
}

function isoDate(value: string): string | null {
	const date = new Date(value.slice(0, MAX_DATE));
	return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 0
		? null
		: date.toISOString();
}

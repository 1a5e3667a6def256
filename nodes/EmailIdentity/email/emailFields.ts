import { sleep } from 'n8n-workflow';

import { restoreWindows1252 } from '../shared/windows1252';
import { parseAddresses, toAddresses } from './addresses';
import { bodyText } from './bodyText';
import { decodeWords } from './encodedWords';
import { createFileNames } from './fileNames';
import { firstValue, oneLine } from './headerFields';
import type { HeaderField } from './headerFields';
import type { Email, EmailAttachment, KnownAddress, KnownEmail } from './types';

/** What an email's header says. */
export type EmailFields = Omit<
	Email,
	'text' | 'html' | 'attachments' | 'headers' | 'parsed' | 'warning'
>;

const MESSAGE_ID = /<[^<>\s]+>/g;

const LONGEST_DATE = 200;

// Reading this much takes a few milliseconds; others get their turn before it.
const LONG_LIST = 10_000;

/** Reads an email's header into the documented fields. What is not there is empty. */
export async function readEmailFields(header: HeaderField[]): Promise<EmailFields> {
	const text = (name: string) => decodeWords(firstValue(header, name) ?? '');
	const lists = (name: string) =>
		header.filter((field) => field.name === name && field.value !== '').map(({ value }) => value);
	return {
		messageId: firstMessageId(text('message-id')),
		inReplyTo: firstMessageId(text('in-reply-to')),
		references: messageIds(text('references')),
		from: (await readAddresses([firstValue(header, 'from') ?? '']))[0] ?? null,
		to: await readAddresses(lists('to')),
		cc: await readAddresses(lists('cc')),
		replyTo: await readAddresses(lists('reply-to')),
		subject: oneLine(text('subject')),
		date: isoDate(firstValue(header, 'date') ?? ''),
	};
}

/** What is known of an email from elsewhere, in the documented shape. */
export async function toKnownFields(known: KnownEmail): Promise<EmailFields> {
	return {
		messageId: firstMessageId(known.messageId),
		inReplyTo: firstMessageId(known.inReplyTo),
		references: messageIds(known.references),
		from: (await readAddresses(known.from))[0] ?? null,
		to: await readAddresses(known.to),
		cc: await readAddresses(known.cc),
		replyTo: await readAddresses(known.replyTo),
		subject: oneLine(known.subject),
		date: known.date,
	};
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
export function toKnownBodies({ text, html }: KnownEmail) {
	return {
		text: bodyText(restoreWindows1252(text)),
		html: bodyText(restoreWindows1252(html)),
	};
}

/** With pauses, so that n8n can answer others meanwhile. */
async function readAddresses(lists: KnownAddress[]): Promise<Email['to']> {
	const addresses: Email['to'] = [];
	let read = 0;
	for (const list of lists) {
		if (typeof list === 'string') {
			read += list.length;
			if (read > LONG_LIST) {
				read = 0;
				await sleep(0);
			}
			addresses.push(...parseAddresses(list));
		} else {
			addresses.push(...toAddresses([list]));
		}
	}
	return addresses;
}

/** Several may be written, with or without commas; comments and other text between them do not count. */
function messageIds(value: string): string[] {
	const line = oneLine(value);
	const ids = line.match(MESSAGE_ID);
	return ids ?? line.split(/[\s,]+/).filter((id) => id !== '');
}

function firstMessageId(value: string): string | null {
	return messageIds(value)[0] ?? null;
}

function isoDate(value: string): string | null {
	const date = new Date(value.slice(0, LONGEST_DATE));
	return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 0
		? null
		: date.toISOString();
}

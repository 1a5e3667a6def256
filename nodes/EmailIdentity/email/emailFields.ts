import { toAddress, toAddresses } from './addresses';
import type { MimeMail } from './mime';
import { oneLine } from './oneLine';
import type { Email } from './types';
import { restoreWindows1252 } from './windows1252';

const ISO_DATE = /^\d{4}-\d{2}-\d{2}T/;
const MESSAGE_ID = /<[^<>\s]+>/g;

/** What an email's headers and text say. */
export type EmailFields = Omit<Email, 'attachments' | 'headers' | 'parsed' | 'warning'>;

export function toEmailFields(mail: MimeMail): EmailFields {
	return {
		messageId: firstMessageId(mail.messageId),
		inReplyTo: firstMessageId(mail.inReplyTo),
		references: messageIds(mail.references),
		from: toAddress(mail.from),
		to: toAddresses(mail.to),
		cc: toAddresses(mail.cc),
		replyTo: toAddresses(mail.replyTo),
		subject: oneLine(mail.subject ?? ''),
		date: mail.date !== undefined && ISO_DATE.test(mail.date) ? mail.date : null,
		text: bodyText(mail.text),
		html: bodyText(mail.html),
	};
}

/** Several may be written, with or without commas; comments and other text between them do not count. */
export function messageIds(value: string | undefined): string[] {
	const line = oneLine(value ?? '');
	const ids = line.match(MESSAGE_ID);
	return ids ?? line.split(/[\s,]+/).filter((id) => id !== '');
}

export function firstMessageId(value: string | undefined): string | null {
	return messageIds(value)[0] ?? null;
}

/** Line breaks are as in n8n; those at the end come from how emails are written, not from who wrote them. */
export function bodyText(value: string | undefined): string | null {
	const text = restoreWindows1252(value ?? '').replace(/\r\n/g, '\n');
	return text.trimEnd() || null;
}

import { randomUUID } from 'node:crypto';
import { type ParsedMail, simpleParser } from 'mailparser';
import { publicId } from '../store/identifiers';
import type { MessageAttachment, MessageFields } from '../types';
import { joinAddresses } from './addresses';

const snippetLength = 120;

/** What an email says of itself. */
export type ParsedFields = Omit<
	MessageFields,
	| ('threadId' | 'mailboxId' | 'ownerId' | 'workspaceId' | 'deliveredTo' | 'rawStorageKey')
	| 'metaData'
>;

export interface ParsedMessage {
	fields: ParsedFields;
	attachments: MessageAttachment[];
	rawEmail: string;
}

function toIso(date: Date | undefined): string | null {
	return date === undefined || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function referencesOf({ references }: ParsedMail): string[] | null {
	return references === undefined ? null : [references].flat();
}

const snippetOf = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, snippetLength);

function attachmentsOf({ attachments }: ParsedMail, messageId: string): MessageAttachment[] {
	return attachments.map(({ filename, contentType, contentDisposition, size, cid }) => ({
		id: randomUUID(),
		messageId,
		filename: filename ?? null,
		contentType,
		sizeBytes: size,
		cid: cid ?? null,
		isInline: contentDisposition === 'inline' || cid !== undefined,
	}));
}

/**
 * Reads an email as it came, under a fresh ID.
 *
 * @param raw the bytes; `rawEmail` is them decoded as UTF-8, as the running service does it
 */
export async function readMail(raw: Buffer): Promise<ParsedMessage> {
	// Mail with HTML only has no text in the service either.
	const mail = await simpleParser(raw, { skipHtmlToText: true });
	const id = randomUUID();
	const now = new Date().toISOString();
	const html = mail.html || '';
	const hasText = html === '' || (mail.text ?? '') !== '';
	const fields = {
		...{ id, publicId: publicId(id), createdAt: now, updatedAt: now },
		messageId: mail.messageId ?? null,
		inReplyTo: mail.inReplyTo ?? null,
		references: referencesOf(mail),
		subject: mail.subject ?? null,
		snippet: snippetOf(mail.text || html),
		text: hasText ? (mail.text ?? null) : null,
		textAsHtml: hasText ? (mail.textAsHtml ?? null) : null,
		html,
		from: joinAddresses(mail.from),
		to: joinAddresses(mail.to),
		cc: joinAddresses(mail.cc),
		bcc: joinAddresses(mail.bcc),
		replyTo: joinAddresses(mail.replyTo),
		date: toIso(mail.date),
		sizeBytes: raw.length,
		hasAttachments: mail.attachments.length > 0,
		headersJson: Object.fromEntries(mail.headers),
		state: 'received',
		priority: null,
		...{ seen: false, answered: false, flagged: false, draft: false },
	};
	return { fields, attachments: attachmentsOf(mail, id), rawEmail: raw.toString('utf8') };
}

import { simpleParser, type AddressObject } from 'mailparser';
import { randomUUID } from 'node:crypto';
import { publicId } from './ids';

const SNIPPET_LENGTH = 120;

interface Mailbox {
	mailboxId: string;
	ownerId: string;
	workspaceId: string;
	/** `imap.mailboxPath`, where an account is read. */
	metaData: Record<string, unknown> | null;
}

/** The fields of `data.message` before the dialect names them; `null` where there is nothing. */
export type MessageFields = Awaited<ReturnType<typeof readMail>>['fields'];

export interface StoredMessage extends Awaited<ReturnType<typeof readMail>> {
	/** The identity that received it. */
	identityId: string;
}

/** One address object for a header that can occur several times. */
function joinAddresses(given: AddressObject | AddressObject[] | undefined) {
	if (given === undefined) return null;
	const objects = [given].flat();
	return {
		text: objects.map(({ text }) => text).join(', '),
		html: objects.map(({ html }) => html).join(', '),
		value: objects.flatMap(({ value }) => value),
	};
}

/** Reads an email under a fresh ID. `rawEmail` is decoded as UTF-8, as the running service does it. */
export async function readMail(raw: Buffer, mailbox: Mailbox) {
	// In the service, too, an email with only HTML has no text.
	const mail = await simpleParser(raw, { skipHtmlToText: true });
	const id = randomUUID();
	const now = new Date().toISOString();
	const html = mail.html || '';
	const hasText = html === '' || (mail.text ?? '') !== '';
	const hasDate = mail.date !== undefined && !Number.isNaN(mail.date.getTime());
	const fields = {
		...mailbox,
		id,
		publicId: publicId(id),
		threadId: randomUUID(),
		rawStorageKey: `eml/${mailbox.ownerId}/${id}.eml`,
		// Always empty in the observed service.
		deliveredTo: null as string | null,
		messageId: mail.messageId ?? null,
		inReplyTo: mail.inReplyTo ?? null,
		references: mail.references === undefined ? null : [mail.references].flat(),
		subject: mail.subject ?? null,
		snippet: (mail.text || html).replace(/\s+/g, ' ').trim().slice(0, SNIPPET_LENGTH),
		text: hasText ? (mail.text ?? null) : null,
		textAsHtml: hasText ? (mail.textAsHtml ?? null) : null,
		html,
		from: joinAddresses(mail.from),
		to: joinAddresses(mail.to),
		cc: joinAddresses(mail.cc),
		bcc: joinAddresses(mail.bcc),
		replyTo: joinAddresses(mail.replyTo),
		date: hasDate ? mail.date!.toISOString() : null,
		sizeBytes: raw.length,
		hasAttachments: mail.attachments.length > 0,
		headersJson: Object.fromEntries(mail.headers),
		state: 'received',
		priority: null,
		seen: false,
		answered: false,
		flagged: false,
		draft: false,
		createdAt: now,
		updatedAt: now,
	};
	const attachments = mail.attachments.map((file) => ({
		id: randomUUID(),
		messageId: id,
		filename: file.filename ?? null,
		contentType: file.contentType,
		sizeBytes: file.size,
		cid: file.cid ?? null,
		isInline: file.contentDisposition === 'inline' || file.cid !== undefined,
	}));
	return { fields, attachments, rawEmail: raw.toString('utf8') };
}

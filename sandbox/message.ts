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

/** The addresses of a header. */
type Addresses = Pick<AddressObject, 'html' | 'text' | 'value'>;

/** The fields of `data.message` before the dialect names them; `null` where there is nothing. Times are ISO 8601. */
export interface MessageFields extends Mailbox {
	id: string;
	publicId: string;
	threadId: string;
	rawStorageKey: string;
	deliveredTo: string | null;
	messageId: string | null;
	inReplyTo: string | null;
	references: string[] | null;
	subject: string | null;
	snippet: string;
	text: string | null;
	textAsHtml: string | null;
	html: string;
	from: Addresses | null;
	to: Addresses | null;
	cc: Addresses | null;
	bcc: Addresses | null;
	replyTo: Addresses | null;
	date: string | null;
	sizeBytes: number;
	hasAttachments: boolean;
	headersJson: Record<string, unknown>;
	state: string;
	priority: string | null;
	seen: boolean;
	answered: boolean;
	flagged: boolean;
	draft: boolean;
	createdAt: string;
	updatedAt: string;
}

/** A file of an email. */
interface StoredAttachment {
	id: string;
	messageId: string;
	filename: string | null;
	contentType: string;
	sizeBytes: number;
	/** Its Content-ID. */
	cid: string | null;
	isInline: boolean;
}

interface Mail {
	fields: MessageFields;
	attachments: StoredAttachment[];
	/** Decoded as UTF-8, as the running service does it. */
	rawEmail: string;
}

export interface StoredMessage extends Mail {
	/** The identity that received it. */
	identityId: string;
}

/** One address object for a header that can occur several times. */
function joinAddresses(given: AddressObject | AddressObject[] | undefined): Addresses | null {
	if (given === undefined) return null;
	const objects = [given].flat();
	return {
		text: objects.map(({ text }) => text).join(', '),
		html: objects.map(({ html }) => html).join(', '),
		value: objects.flatMap(({ value }) => value),
	};
}

/** Reads an email under a fresh ID. */
export async function readMail(raw: Buffer, mailbox: Mailbox): Promise<Mail> {
	// In the service, too, an email with only HTML has no text.
	const mail = await simpleParser(raw, { skipHtmlToText: true });
	const id = randomUUID();
	const now = new Date().toISOString();
	const html = mail.html || '';
	const hasText = html === '' || (mail.text ?? '') !== '';
	const fields: MessageFields = {
		...mailbox,
		id,
		publicId: publicId(id),
		threadId: randomUUID(),
		rawStorageKey: `eml/${mailbox.ownerId}/${id}.eml`,
		// Always empty in the observed service.
		deliveredTo: null,
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
		date: toIsoTime(mail.date),
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

function toIsoTime(date: Date | undefined): string | null {
	if (date === undefined || Number.isNaN(date.getTime())) return null;
	return date.toISOString();
}

import type { Pause } from '../lib/pause';
import type { EmailOrigin } from './origin';

/** A person or mailbox. Either field may be empty: some senders have only a name, most lists only an address. */
export interface EmailAddress {
	/** The display name, decoded; `''` if missing. */
	name: string;
	/** The address as written, without angle brackets; `''` if missing. */
	address: string;
}

/** A file that came with an email, or a picture shown within its text. */
export interface EmailAttachment {
	/** Safe to save under: no folders, no control characters, never empty, unique within the email. */
	fileName: string;
	/** Such as `application/pdf`, lower case. */
	mimeType: string;
	/** Bytes, decoded. */
	size: number;
	/** Shown within the text, such as a logo in a signature. */
	inline: boolean;
	/** The ID of `cid:…` links in the HTML, without angle brackets. */
	contentId: string | null;
	/** The file name of the attached email that it came with; absent for the email's own files. */
	inside?: string;
	/** The binary field with the file; null if attachments were not requested. */
	binaryProperty: string | null;
}

/** The properties of a file before it is decoded. */
export type ListedFile = Pick<EmailAttachment, 'fileName' | 'mimeType' | 'inline' | 'inside'>;

/** The position of an email in its conversation. IDs are Message-IDs in angle brackets, such as `<abc@example.com>`. */
export interface EmailThread {
	/** The same for all emails of a conversation: the Message-ID of the first one; null if unknown. */
	id: string | null;
	messageId: string | null;
	/** Message-ID of the email that this one answers. */
	inReplyTo: string | null;
	/** Message-IDs of the conversation so far, oldest first. */
	references: string[];
	/** Addresses for replies; empty if replies go to `from`. */
	replyTo: EmailAddress[];
}

/**
 * The content of an email, in reading order. All keys are always present, except `hiddenText`, `headers` (only on
 * request) and the last two (only if a part of the email could not be read).
 */
export interface Email {
	from: EmailAddress | null;
	to: EmailAddress[];
	cc: EmailAddress[];
	/** Decoded; `''` when there is none. */
	subject: string;
	/** ISO 8601 in UTC; null when missing or not a date. */
	date: string | null;
	/** The readable text; converted from the HTML if the email has no text. */
	text: string | null;
	html: string | null;
	attachments: EmailAttachment[];
	thread: EmailThread;
	/** Words were left out of these fields because nobody who reads the email sees them. */
	hiddenText?: true;
	/** Lower-case name to all its values, decoded, in the order of the email. */
	headers?: Record<string, string[]>;
	/** The raw email was missing or could not be read: the fields come from other data of the service. */
	parsed?: false;
	/** Why it was not read, or which part is lost; without its content. */
	warning?: string;
}

/** One attachment's content, named like its entry in `attachments`. */
export interface EmailFile {
	binaryProperty: string;
	fileName: string;
	mimeType: string;
	content: Buffer;
}

/** What became of an email. */
export type ReportKind = 'bounce' | 'complaint' | 'delay' | 'delivered' | 'read';

export interface ReportedRecipient {
	/** The address that the email was sent to. */
	recipient: string;
	/** Such as `5.1.1` (RFC 3463); null if unknown. */
	status: string | null;
	/** The reason, in the words of a mail server; null if unknown. */
	diagnostic: string | null;
}

/** What a mail server or a mail program reports about an email: `delivery.report`. */
export interface DeliveryReport {
	/** Of several recipients, the worst. */
	kind: ReportKind;
	/** The Message-ID of the email; null if unknown. */
	messageId: string | null;
	recipients: ReportedRecipient[];
}

export interface EmailReading {
	email: Email;
	/** Empty unless `attachments` was requested. */
	files: EmailFile[];
	/** Only if the email is a report about another email. */
	report?: DeliveryReport;
}

export interface OpenEmailOptions {
	pause: Pause;
	/** Other known data about the email; called if the raw email is missing or cannot be read. */
	known?(): Partial<KnownEmail>;
}

export type TextFormat = 'plain' | 'markdown';

export interface ReadEmailOptions {
	/** Return the attachments' contents. */
	attachments: boolean;
	headers: boolean;
	/** Other files are neither decoded nor in the output. */
	isWanted?(file: ListedFile): boolean;
	/** Prefix of the binary fields: `attachment_` gives `attachment_0`, `attachment_1`, … */
	binaryPrefix: string;
	/** Reduce `text` of a reply to the new text, without quoted emails and signature. */
	removeQuotedText?: boolean;
	/** Of `text`: plain if it is missing. */
	textFormat?: TextFormat;
}

/** What the service knows about an email. Addresses are the text of an address header, or one mailbox. */
export interface KnownEmail {
	messageId: string;
	inReplyTo: string;
	/** Message-IDs, one after another. */
	references: string;
	from: Array<string | EmailAddress>;
	to: Array<string | EmailAddress>;
	cc: Array<string | EmailAddress>;
	replyTo: Array<string | EmailAddress>;
	subject: string;
	/** ISO 8601 in UTC. */
	date: string | null;
	text: string;
	html: string;
	headers: Array<{ key: string; value: string }>;
	attachments: Array<
		Pick<EmailAttachment, 'size' | 'inline' | 'contentId'> & {
			fileName: string | null;
			mimeType: string | null;
		}
	>;
}

export type EmailFields = Pick<
	Email,
	'from' | 'to' | 'cc' | 'subject' | 'date' | 'thread' | 'hiddenText'
>;

/** An email with its headers read; text and files are read on request. */
export interface OpenedEmail extends EmailFields, EmailOrigin {
	/** Whether it has at least one file of its own that is not inline. */
	hasAttachments: boolean;
	/** See `Email.parsed`. */
	isParsed: boolean;
	/** Its files and inline pictures and those of attached emails, with their names in `attachments`. */
	listFiles(): Promise<ListedFile[]>;
	/** Never fails, see `Email.parsed`. */
	read(options: ReadEmailOptions): Promise<EmailReading>;
}

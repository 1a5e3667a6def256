import type { Pause } from '../lib/pause';
import type { EmailOrigin } from './origin';

/** A person or mailbox. Either half may be empty: some senders give only a name, most lists only an address. */
export interface EmailAddress {
	/** The display name, decoded; `''` when there is none. */
	name: string;
	/** The address as written, without angle brackets; `''` when there is none. */
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
	/** What the HTML refers to as `cid:…`, without angle brackets. */
	contentId: string | null;
	/** The binary field that holds the file; null when attachments were not asked for. */
	binaryProperty: string | null;
}

/** What is known of a file before it is decoded. */
export type ListedFile = Pick<EmailAttachment, 'fileName' | 'mimeType' | 'inline'>;

/** Where an email stands in its conversation. IDs are Message-IDs in angle brackets, such as `<abc@example.com>`. */
export interface EmailThread {
	/** The same for all emails of a conversation: the Message-ID of the first one; null if unknown. */
	id: string | null;
	messageId: string | null;
	/** Message-ID of the email that this one answers. */
	inReplyTo: string | null;
	/** Message-IDs of the conversation so far, oldest first. */
	references: string[];
	/** Where an answer should go; empty when it goes to `from`. */
	replyTo: EmailAddress[];
}

/**
 * What an email says, the same for every deployment, in the order in which people read it. Every key is always there,
 * except `headers` (only when asked for) and the last two (only where something of the email could not be read).
 */
export interface Email {
	from: EmailAddress | null;
	to: EmailAddress[];
	cc: EmailAddress[];
	/** Decoded; `''` when there is none. */
	subject: string;
	/** ISO 8601 in UTC; null when missing or not a date. */
	date: string | null;
	/** The readable text; taken from the HTML when the email brings nothing else. */
	text: string | null;
	html: string | null;
	attachments: EmailAttachment[];
	thread: EmailThread;
	/** Lower-case name to all its values, decoded, in the order of the email. */
	headers?: Record<string, string[]>;
	/** The raw email was missing or could not be read: the fields come from what else was known. */
	parsed?: false;
	/** Why it was not read, or what of it is lost; without its content. */
	warning?: string;
}

/** One attachment's content, named like its entry in `attachments`. */
export interface EmailFile {
	binaryProperty: string;
	fileName: string;
	mimeType: string;
	content: Buffer;
}

export interface EmailReading {
	email: Email;
	/** Empty unless `attachments` was asked for. */
	files: EmailFile[];
}

export interface OpenEmailOptions {
	pause: Pause;
	/** What else is known of the email; asked where the raw email is missing or cannot be read. */
	known?(): Partial<KnownEmail>;
}

export interface ReadEmailOptions {
	/** Return the attachments' contents. */
	attachments: boolean;
	headers: boolean;
	/** Other files are neither decoded nor in the output. */
	isWanted?(file: ListedFile): boolean;
	/** Start of the binary fields' names: `attachment_` gives `attachment_0`, `attachment_1`, … */
	binaryPrefix: string;
	/** Reduce `text` of a reply to what is new, without quoted emails and signature. */
	removeQuotedText?: boolean;
}

/** The text of an address header, or one mailbox that is parsed already. */
export type KnownAddress = string | EmailAddress;

/** The header of an email as it is known, from itself or from elsewhere. Addresses may be encoded as in an email. */
export interface KnownFields {
	messageId: string;
	inReplyTo: string;
	/** Message-IDs, one behind the other. */
	references: string;
	from: KnownAddress[];
	to: KnownAddress[];
	cc: KnownAddress[];
	replyTo: KnownAddress[];
	subject: string;
	/** ISO 8601 in UTC. */
	date: string | null;
}

/** What is known of an email from elsewhere, where it cannot be read itself; what is not known is empty. */
export interface KnownEmail extends KnownFields {
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

export type EmailFields = Pick<Email, 'from' | 'to' | 'cc' | 'subject' | 'date' | 'thread'>;

/** An email of which the headers have been read; its text and its files wait until they are asked for. */
export interface OpenedEmail extends EmailFields, EmailOrigin {
	/** True when it brings at least one file that is not inline. */
	hasAttachments: boolean;
	/** False if some of it is known from elsewhere, see `Email.parsed`. */
	isParsed: boolean;
	/** Its files and inline pictures, named as they will be in `attachments`, without any of them being decoded. */
	listFiles(): Promise<ListedFile[]>;
	/** Never fails, see `Email.parsed`. */
	read(options: ReadEmailOptions): Promise<EmailReading>;
}

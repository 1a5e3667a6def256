import type { Pause } from '../basics';
import type { EmailLimits } from './limits';
import type { MimeOutline } from './mime/mimeStructure';
import type { EmailOrigin } from './message/origin';

export interface EmailAddress {
	name: string;
	/** As written, without angle brackets. */
	address: string;
}

export interface EmailAttachment {
	/** A safe name: no folders, no control characters, never empty, unique in the email. */
	fileName: string;
	/** Such as `application/pdf`, lower case. */
	mimeType: string;
	size: number;
	/** Whether it is a picture that the HTML shows, such as a logo in a signature. */
	inline: boolean;
	/** The ID of `cid:…` links in the HTML, without angle brackets. */
	contentId: string | null;
	/** The file name of the attached email or winmail.dat that contains it; missing for the email's own files. */
	inside?: string;
	/** The binary field with the file; null if attachments were not requested. */
	binaryProperty: string | null;
}

export type ListedFile = Pick<EmailAttachment, 'fileName' | 'mimeType' | 'inline' | 'inside'>;

/** The position of an email in its conversation. IDs are Message-IDs in angle brackets, such as `<abc@example.com>`. */
export interface EmailThread {
	/** The same for all emails of a conversation: the Message-ID of the first one; null if unknown. */
	id: string | null;
	messageId: string | null;
	inReplyTo: string | null;
	/** Message-IDs of the conversation so far, oldest first. */
	references: string[];
	/** Addresses for replies. If empty, replies go to `from`. */
	replyTo: EmailAddress[];
}

/** The content of an email, in reading order. Optional keys are present only if they have a value. */
export interface Email {
	from: EmailAddress | null;
	to: EmailAddress[];
	cc: EmailAddress[];
	subject: string;
	/** ISO 8601 in UTC; null if missing or invalid. */
	date: string | null;
	/** The visible text: made from the HTML if it shows words, otherwise the text part. */
	text: string | null;
	/** What Remove Quoted Text took away from `text`; null if nothing. Absent without this option. */
	removedText?: string | null;
	html: string | null;
	attachments: EmailAttachment[];
	thread: EmailThread;
	/** All values of each header, decoded, in order, by its name in lower case. Only on request. */
	headers?: Record<string, string[]>;
	/** False if the raw email was missing or could not be read. The fields then come from other data of the service. */
	parsed?: false;
	/** Why it was not read, or which part is lost. Never contains content of the email. */
	warning?: string;
}

export interface EmailFile {
	binaryProperty: string;
	fileName: string;
	mimeType: string;
	content: Buffer;
}

export type ReportKind = 'bounce' | 'complaint' | 'delay' | 'delivered' | 'read';

export interface ReportedRecipient {
	/** The address that the email was sent to. */
	recipient: string;
	/** Such as `5.1.1` (RFC 3463); null if unknown. */
	status: string | null;
	/** The reason, in the words of a mail server; null if unknown. */
	diagnostic: string | null;
}

/** A report of a mail server or mail program about another email: `delivery.report`. */
export interface DeliveryReport {
	/** If the recipients differ, the worst kind. */
	kind: ReportKind;
	/** The Message-ID of the reported email; null if unknown. */
	messageId: string | null;
	recipients: ReportedRecipient[];
}

export interface EmailReading {
	email: Email;
	files: EmailFile[];
	/** Only if the email is a report about another email. */
	report?: DeliveryReport;
}

export interface OpenEmailOptions {
	pause: Pause;
	/** Wrong ones throw. */
	limits?: Partial<EmailLimits>;
	/** Other known data about the email; called if the raw email is missing or cannot be read. */
	known?(): Partial<KnownEmail>;
}

export type TextFormat = 'plain' | 'markdown';

export interface ReadEmailOptions {
	attachments: boolean;
	headers: boolean;
	/** Other files are neither decoded nor in the output. */
	isWanted?(file: ListedFile): boolean;
	/** Prefix of the binary fields: `attachment_` gives `attachment_0`, `attachment_1`, … */
	binaryPrefix: string;
	/** Whether to reduce the text of a reply to the new text, without quoted emails and the signature. */
	removeQuotedText?: boolean;
	textFormat?: TextFormat;
}

/** What the service knows about an email, as in its header. Addresses are the text of an address header, or one mailbox. */
export interface KnownEmail {
	messageId: string;
	inReplyTo: string;
	references: string;
	from: Array<string | EmailAddress>;
	to: Array<string | EmailAddress>;
	cc: Array<string | EmailAddress>;
	replyTo: Array<string | EmailAddress>;
	subject: string;
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

export type EmailFields = Pick<Email, 'from' | 'to' | 'cc' | 'subject' | 'date' | 'thread'>;

/** An email with its headers read; text and files are read on request. */
export interface OpenedEmail extends EmailFields, EmailOrigin {
	/** Undefined if it was not parsed, see `Email.parsed`. */
	outline?: MimeOutline;
	/** The charset in which an email that is one text is read; undefined for UTF-8 and Windows-1252 by default. */
	usedCharset(): Promise<string | undefined>;
	/** The files and inline images of the email and of attached emails, with their names in `attachments`; undefined if unknown. */
	listFiles(): Promise<ListedFile[] | undefined>;
	/** Never fails, see `Email.parsed`. */
	read(options: ReadEmailOptions): Promise<EmailReading>;
}

import type { Pause } from '../basics';
import type {
	DownloadOptions,
	EmailAttachment,
	EmailFile,
	KnownAttachment,
	ListedFile,
} from './files/attachmentTypes';
import type { EmailLimits } from './limits';
import type { EmailOrigin } from './message/origin';
import type { EmailFields, EmailThread, KnownFields } from './message/headerTypes';
import type { MimeOutline } from './mime/mimeStructure';
import type { ForwardedEmail } from './reply/forwardedEmail';
import type { DeliveryReport } from './reports/deliveryReport';
import type { TextFormat } from './text/blocks/blocks';

/** The content of an email. Optional keys are present only if they have a value. */
export interface Email extends EmailFields {
	/** The visible text: made from the HTML if it shows words, otherwise the text part. */
	text: string | null;
	/** What Remove Quoted Text took away from `text`; null if nothing. Absent without this option. */
	removedText?: string | null;
	html: string | null;
	attachments: EmailAttachment[];
	thread: EmailThread & { forwarded: ForwardedEmail | null };
	/** All values of each header, decoded, in order, by its name in lower case. Only on request. */
	headers?: Record<string, string[]>;
	/** False if the raw email was missing or could not be read. The fields then come from other data of the service. */
	parsed?: false;
	/** Why it was not read, or which part is lost. Of the email, it has the name of an unknown charset at most. */
	warning?: string;
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

export interface ReadEmailOptions extends DownloadOptions {
	headers: boolean;
	/** Other files are neither decoded nor in the output. */
	isWanted?(file: ListedFile): boolean;
	/** Whether to reduce the text of a reply to the new text, without quoted emails and the signature. */
	removeQuotedText?: boolean;
	textFormat?: TextFormat;
}

/** What the service knows about an email. */
export interface KnownEmail extends KnownFields {
	text: string;
	html: string;
	headers: Array<{ key: string; value: string }>;
	attachments: KnownAttachment[];
}

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

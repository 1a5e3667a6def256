import type { IDataObject } from 'n8n-workflow';

import type { Entry } from './json';
import { readField } from './resources';

export interface OutgoingFile {
	filename: string;
	contentType: string;
	/** In base64. */
	content: string;
}

/** An email to send, with at least one of `text` and `html`. */
export interface OutgoingEmail {
	/** The ID of the identity that sends it. */
	identityId: string;
	/** One address without a name, the domain in ASCII. */
	to: string;
	/** Without line breaks; empty only for a reply, whose subject the service then makes itself. */
	subject: string;
	/** Absent for an email that has only HTML. */
	text?: string;
	/** Absent for an email that has only text. */
	html?: string;
	attachments: readonly OutgoingFile[];
	/** The name of the identity, for errors; absent if it is not known. */
	sender?: string;
}

/** The body of a request that sends an email. Neither Cc nor Bcc: Kurrier 3.5.0 accepts them, and sends to none of them. */
export function toRequestBody(email: OutgoingEmail): IDataObject {
	const { identityId, to, subject, text, html, attachments } = email;
	const body: IDataObject = { identityId, to };
	if (subject !== '') body.subject = subject;
	if (text !== undefined) body.text = text;
	if (html !== undefined) body.html = html;
	if (attachments.length > 0) body.attachments = attachments.map((file) => ({ ...file }));
	return body;
}

/** What a service says about an email that it accepted. */
export interface AcceptedEmail {
	/** The service's own ID, not the Message-ID header; null if it says none. */
	messageId: string | null;
}

/** @param answered undefined if the response confirms success without content */
export function toAcceptedEmail(answered: Entry = {}): AcceptedEmail {
	const id = readField(answered, 'messageId') ?? answered.id ?? null;
	return { messageId: id === null ? null : String(id) };
}

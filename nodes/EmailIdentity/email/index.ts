import type { EmailOrigin } from './origin';
import type { KnownEmail, OpenedEmail, OpenEmailOptions } from './types';

export { tagOf, toRecipient } from './deliveredTo';
export { extensionOf } from './fileExtensions';
export { fileKinds, isExtension, isPicture, usualSpelling, type FileKinds } from './fileKinds';
export type { Automatic } from './automatic';
export type { EmailOrigin } from './origin';
export type {
	Email,
	EmailAddress,
	EmailAttachment,
	EmailFile,
	EmailHeaders,
	EmailReading,
	EmailThread,
	KnownEmail,
	ListedFile,
	OpenedEmail,
	OpenEmailOptions,
	ReadEmailOptions,
} from './types';

/**
 * Opens an email: reads its headers, and finds its parts without decoding them. Whoever reads no mail never loads what
 * does this.
 *
 * @param rawEmail RFC 5322 text with its attachments, decoded as UTF-8, if there is one
 * @returns never fails: what cannot be parsed has `parsed: false`
 */
export async function openEmail(
	rawEmail: string | undefined,
	options: OpenEmailOptions,
): Promise<OpenedEmail> {
	const opening = await import('./openEmail');
	return await opening.openEmail(rawEmail, options);
}

/**
 * Reads only what an email's header says of how it came about; its parts are not looked for.
 *
 * @param known as for `openEmail`
 * @returns never fails
 */
export async function readOrigin(
	rawEmail: string | undefined,
	known: () => Partial<KnownEmail>,
): Promise<EmailOrigin> {
	const opening = await import('./openEmail');
	return opening.readOrigin(rawEmail, known);
}

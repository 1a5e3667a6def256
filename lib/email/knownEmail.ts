import { restoreWindows1252 } from '../basics';
import { toKnownAttachments } from './files/attachments';
import type { Reading } from './limits';
import type { DownloadOptions, EmailAttachment } from './files/attachmentTypes';
import { readEmailFields, toEmailFields } from './message/emailFields';
import { originOf } from './message/origin';
import type { EmailFields } from './message/headerTypes';
import { collectHeaders, type HeaderField } from './mime/headerFields';
import { hasEmailField } from './mime/splitEmail';
import { readForwarded, type ForwardedEmail } from './reply/forwardedEmail';
import { shownText, type ShownText } from './shownText';
import { bodyText, type Bodies } from './text/bodyText';
import { visibleText } from './text/visibleText';
import type { Email, EmailReading, KnownEmail, OpenedEmail, ReadEmailOptions } from './emailTypes';

/** What is known about an email that was not parsed. */
interface UnparsedEmail {
	header: HeaderField[];
	fields: EmailFields;
	bodies: Bodies;
	/** Undefined if they are unknown. */
	attachments: EmailAttachment[] | undefined;
	/** Why it was not parsed, as a clause after "because". */
	reason: string;
	reading: Reading;
}

/**
 * Uses the service's data about an email, but the email's own header if there is one.
 *
 * @param reason why the email is not parsed, as a clause after "because"
 */
export async function openKnownEmail(
	known: Partial<KnownEmail>,
	reason: string,
	ownHeader: HeaderField[],
	reading: Reading,
): Promise<OpenedEmail> {
	const { pace } = reading;
	const hasHeader = hasEmailField(ownHeader);
	const header = hasHeader ? ownHeader : toHeader(known);
	const fields = hasHeader ? await readEmailFields(header, pace) : await toEmailFields(known, pace);
	const text = await bodyText(restoreWindows1252(known.text ?? ''), reading);
	const html = await bodyText(restoreWindows1252(known.html ?? ''), reading);
	const attachments = toKnownAttachments(known.attachments);
	const email = { header, fields, bodies: { text, html }, attachments, reason, reading };
	return {
		...fields,
		...originOf(header),
		usedCharset: async () => await Promise.resolve(undefined),
		listFiles: async () => await Promise.resolve(attachments),
		read: async (options) => await readKnownEmail(email, options),
	};
}

function toHeader({ headers = [] }: Partial<KnownEmail>): HeaderField[] {
	return headers.map(({ key, value }) => ({ name: key, value }));
}

/** Options of reading that this file follows, or that are about the content of files, which is unknown here. */
type DecidedOption =
	keyof DownloadOptions | 'headers' | 'isWanted' | 'removeQuotedText' | 'textFormat';

/** After a new option of reading, the call does not compile until the option is followed here and listed above. */
type DecidedOptions = ReadEmailOptions &
	Record<Exclude<keyof ReadEmailOptions, DecidedOption>, never>;

async function readKnownEmail(
	unparsed: UnparsedEmail,
	options: DecidedOptions,
): Promise<EmailReading> {
	const { header, fields, bodies, attachments: all = [], reason, reading } = unparsed;
	const attachments = options.isWanted === undefined ? all : all.filter(options.isWanted);
	const { texts, warning, forwarded } = await readShownTexts(unparsed, options);
	const { thread, ...others } = fields;
	const email: Email = {
		...others,
		...texts,
		html: bodies.html,
		attachments,
		thread: { ...thread, forwarded },
	};
	if (options.headers) email.headers = await collectHeaders(header, reading.pace);
	email.parsed = false;
	const notParsed = `The email was not parsed because ${reason}. The fields come from other data that the service sent.`;
	email.warning = warning === undefined ? notParsed : `${notParsed} ${warning}`;
	return { email, files: [] };
}

interface ShownTexts extends ShownText {
	forwarded: ForwardedEmail | null;
}

/** After an error in this node, the text as the service knows it. */
async function readShownTexts(
	{ bodies, fields, header, reading }: UnparsedEmail,
	options: ReadEmailOptions,
): Promise<ShownTexts> {
	try {
		const visible = await visibleText(bodies, reading, options.textFormat);
		const shown = await shownText(visible, fields, options, reading);
		const email = { fields, origin: originOf(header), text: visible.text, readAttached };
		return { ...shown, forwarded: await readForwarded(email, reading) };
	} catch {
		const { text } = bodies;
		const texts = options.removeQuotedText ? { text, removedText: null } : { text };
		return { texts, warning: undefined, forwarded: null };
	}
}

/** The content of files is unknown. */
async function readAttached(): Promise<HeaderField[][]> {
	return await Promise.resolve([]);
}

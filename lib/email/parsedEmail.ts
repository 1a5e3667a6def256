import { EmailParts } from './files/emailParts';
import { readAttachments } from './files/attachments';
import { readAttachedHeaders } from './files/attachedHeaders';
import { listFileParts, type FileList } from './files/fileList';
import type { Reading } from './limits';
import { isReaction } from './message/automatic';
import { readEmailFields } from './message/emailFields';
import { originOf, type EmailOrigin } from './message/origin';
import type { EmailFields } from './message/headerTypes';
import { collectHeaders, type HeaderField } from './mime/headerFields';
import type { MimeStructure } from './mime/mimeStructure';
import { readForwarded, type ForwardedEmail } from './reply/forwardedEmail';
import { readDeliveryReport } from './reports/deliveryReport';
import { shownText } from './shownText';
import { readBodies } from './text/bodyText';
import { visibleText } from './text/visibleText';
import { warningsAbout } from './warnings';
import type { Email, EmailReading, OpenedEmail, ReadEmailOptions } from './emailTypes';

/** An email whose header was read and whose parts were found. */
interface ParsedEmail {
	structure: MimeStructure;
	parts: EmailParts;
	fields: EmailFields;
	origin: EmailOrigin;
	/** Listed when they are first needed, and only once. */
	files: Promise<FileList> | undefined;
	reading: Reading;
}

export async function openParsedEmail(
	structure: MimeStructure,
	reading: Reading,
): Promise<OpenedEmail> {
	const written = structure.email;
	const fields = await readEmailFields(written.fields, reading.pace);
	const origin = originOf(written.fields);
	if (structure.leaves.some(({ header }) => isReaction(header))) origin.automatic = 'reaction';
	const parts = new EmailParts(written.body, structure.leaves);
	const parsed = { structure, parts, fields, origin, files: undefined, reading };
	return {
		...fields,
		...origin,
		outline: structure.outline,
		usedCharset: async () => await usedCharset(parsed),
		listFiles: async () => (await listFiles(parsed)).files,
		read: async (options) => await readParsedEmail(parsed, options),
	};
}

async function listFiles(parsed: ParsedEmail): Promise<FileList> {
	parsed.files ??= listFileParts(parsed.parts, parsed.structure.totals, parsed.reading);
	return await parsed.files;
}

/** Only the text of an email can name the charset itself; that of a container is of no consequence. */
async function usedCharset({
	parts,
	structure,
	reading,
}: ParsedEmail): Promise<string | undefined> {
	const [text] = parts.texts;
	const isWhole = text !== undefined && text.parent === undefined;
	if (!isWhole) return structure.outline.content.charset;
	const [read] = await parts.readTexts(reading);
	return read?.charset;
}

async function readParsedEmail(
	parsed: ParsedEmail,
	options: ReadEmailOptions,
): Promise<EmailReading> {
	const { structure, parts, fields, origin, reading } = parsed;
	const written = structure.email;
	const { files: all, warnings, texts: textsInTnef } = await listFiles(parsed);
	const read = textsInTnef ?? (await parts.readTexts(reading));
	const bodies = await readBodies(read, reading);
	const wanted = options.isWanted === undefined ? all : all.filter(options.isWanted);
	const { attachments, files } = await readAttachments(wanted, options, reading);
	const visible = await visibleText(bodies, reading, options.textFormat);
	const shown = await shownText(visible, fields, options, reading);
	const forwarded = await readForwardedBy(parsed, visible.text);
	const { thread, ...others } = fields;
	const email: Email = {
		...others,
		...shown.texts,
		html: bodies.html,
		attachments,
		thread: { ...thread, forwarded },
	};
	if (options.headers) email.headers = await collectHeaders(written.fields, reading.pace);
	const { leaves } = structure;
	const report = readDeliveryReport({
		limits: reading.limits,
		emailBody: written.body,
		leaves,
		origin,
		thread,
		subject: fields.subject,
		// The HTML of some reports is only a part of their text, or the other way round.
		texts: [bodies.text ?? '', visible.text ?? ''],
	});
	const about = warningsAbout({
		email,
		visible: visible.text,
		written,
		leaves,
		texts: read,
		files: all,
		report,
		limits: reading.limits,
	});
	const sentences = [...about, ...warnings];
	if (shown.warning !== undefined) sentences.push(shown.warning);
	if (sentences.length > 0) email.warning = sentences.join(' ');
	return { email, files, report };
}

/** The header of the email that an email forwards, in its text or as a file. */
async function readForwardedBy(
	parsed: ParsedEmail,
	text: string | null,
): Promise<ForwardedEmail | null> {
	const { fields, origin, reading } = parsed;
	async function readAttached(): Promise<HeaderField[][]> {
		const { files } = await listFiles(parsed);
		return await readAttachedHeaders(files, reading);
	}
	return await readForwarded({ fields, origin, text, readAttached }, reading);
}

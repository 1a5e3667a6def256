import { loadMime } from './loadMime';
import { isInline } from './attachments';
import { toEmailFields } from './emailFields';
import type { EmailFields } from './emailFields';
import type { MimeMail } from './mime';
import { readMimeStructure } from './mimeStructure';
import { parseEmail } from './parseEmail';
import { BEFORE_THE_HEADERS } from './recognition';
import type { EmailHeaders } from './types';

const NO_MAIL: MimeMail = { headers: [], headerLines: [], attachments: [] };

/**
 * What filters need, without decoding any body: cheap even for a large email.
 *
 * @param rawEmail RFC 5322 text.
 * @returns decoded addresses and subject; empty where the email has none. Never throws.
 */
export async function readHeaders(rawEmail: string): Promise<EmailHeaders> {
	const raw = rawEmail.replace(BEFORE_THE_HEADERS, '');
	const structure = readMimeStructure(raw);
	const { from, to, cc, subject, messageId } = await readHeaderFields(raw, structure.headerEnd);
	const leaves = structure.pieces.filter((piece) => 'isFile' in piece);
	const isClear = structure.certain || structure.excess !== undefined;
	const hasAttachments =
		isClear && leaves.length > 0
			? leaves.some(({ isFile, inline }) => isFile && !inline)
			: await hasAttachmentsWhenParsed(raw);
	return { from, to, cc, subject, messageId, hasAttachments };
}

/** Where the structure alone does not tell: irregular emails, which are rare. */
async function hasAttachmentsWhenParsed(rawEmail: string): Promise<boolean> {
	const parsed = await parseEmail(rawEmail);
	return 'files' in parsed && parsed.files.some(({ attachment }) => !isInline(attachment));
}

/** The fields of the email's own header block; its text is left out. Empty where that cannot be read. */
export async function readHeaderFields(
	rawEmail: string,
	headerEnd = readMimeStructure(rawEmail).headerEnd,
): Promise<EmailFields> {
	const { parseMime } = await loadMime();
	const mail = await parseMime(rawEmail.slice(0, headerEnd)).catch(() => NO_MAIL);
	return toEmailFields(mail);
}

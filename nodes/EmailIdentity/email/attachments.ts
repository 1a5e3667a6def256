import { sleep } from 'n8n-workflow';

import { createFileNames } from './fileNames';
import type { Attachment } from './mime';
import { oneLine } from './oneLine';
import type { ParsedFile } from './parseEmail';
import type { EmailAttachment, EmailFile, ReadEmailOptions } from './types';

// Decoding this much takes a few milliseconds; other deliveries get their turn after it.
const BYTES_BETWEEN_PAUSES = 4 * 1024 * 1024;

/**
 * Lists an email's files, and decodes them one after the other, with pauses, so that n8n can answer others meanwhile.
 */
export async function readAttachments(
	parsed: ParsedFile[],
	options: Pick<ReadEmailOptions, 'attachments' | 'binaryPrefix'>,
): Promise<{ attachments: EmailAttachment[]; files: EmailFile[] }> {
	const nameFile = createFileNames();
	const attachments: EmailAttachment[] = [];
	const files: EmailFile[] = [];
	let bytesSincePause = 0;
	for (const [index, { attachment, decode }] of parsed.entries()) {
		if (bytesSincePause > BYTES_BETWEEN_PAUSES) {
			await sleep(0);
			bytesSincePause = 0;
		}
		const content = decode();
		bytesSincePause += content.length;
		const mimeType = oneLine(attachment.mimeType) || 'application/octet-stream';
		const fileName = nameFile(attachment.filename, mimeType);
		const binaryProperty = `${options.binaryPrefix}${index}`;
		attachments.push({
			fileName,
			mimeType,
			size: content.length,
			inline: isInline(attachment),
			contentId: readContentId(attachment.contentId),
			binaryProperty: options.attachments ? binaryProperty : null,
		});
		if (options.attachments) files.push({ binaryProperty, fileName, mimeType, content });
	}
	return { attachments, files };
}

/** A picture within the text: it can be referred to, and is sent as a part of what is shown. */
export function isInline({ contentId, related, disposition }: Attachment): boolean {
	return Boolean(contentId) && (related === true || disposition === 'inline');
}

function readContentId(contentId: string | undefined): string | null {
	return oneLine(contentId ?? '').replace(/^<|>$/g, '') || null;
}

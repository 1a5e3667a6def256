import { sleep } from 'n8n-workflow';

import { createFileNames } from './fileNames';
import { oneLine } from './headerFields';
import { PARTS_BETWEEN_PAUSES } from './mimeStructure';
import type { LeafPart } from './mimeStructure';
import { decodeBody } from './transferEncoding';
import type { EmailAttachment, EmailFile, ReadEmailOptions } from './types';

// Decoding this much takes a few milliseconds; other deliveries get their turn after it.
const BYTES_BETWEEN_PAUSES = 4 * 1024 * 1024;

/**
 * Lists an email's files, and decodes them one after the other, with pauses, so that n8n can answer others meanwhile.
 *
 * @param files the parts that are files
 */
export async function readAttachments(
	rawEmail: string,
	files: LeafPart[],
	options: Pick<ReadEmailOptions, 'attachments' | 'binaryPrefix'>,
): Promise<{ attachments: EmailAttachment[]; files: EmailFile[] }> {
	const nameFile = createFileNames();
	const attachments: EmailAttachment[] = [];
	const contents: EmailFile[] = [];
	let bytesSincePause = 0;
	for (const [index, { header, inline, bodyStart, bodyEnd }] of files.entries()) {
		if (
			bytesSincePause > BYTES_BETWEEN_PAUSES ||
			index % PARTS_BETWEEN_PAUSES === PARTS_BETWEEN_PAUSES - 1
		) {
			await sleep(0);
			bytesSincePause = 0;
		}
		const content = decodeBody(rawEmail.slice(bodyStart, bodyEnd), header.encoding);
		bytesSincePause += content.length;
		const mimeType = oneLine(header.type) || 'application/octet-stream';
		const fileName = nameFile(header.fileName, mimeType);
		const binaryProperty = `${options.binaryPrefix}${index}`;
		attachments.push({
			fileName,
			mimeType,
			size: content.length,
			inline,
			contentId: readContentId(header.contentId),
			binaryProperty: options.attachments ? binaryProperty : null,
		});
		if (options.attachments) contents.push({ binaryProperty, fileName, mimeType, content });
	}
	return { attachments, files: contents };
}

function readContentId(contentId: string | undefined): string | null {
	return oneLine(contentId ?? '').replace(/^<|>$/g, '') || null;
}

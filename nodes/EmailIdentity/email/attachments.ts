import { sleep } from 'n8n-workflow';

import { createFileNames } from './fileNames';
import { oneLine } from './headerFields';
import { PARTS_BETWEEN_PAUSES } from './mimeStructure';
import type { LeafPart } from './mimeStructure';
import { decodeBody } from './transferEncoding';
import type { EmailAttachment, EmailFile, ListedFile, ReadEmailOptions } from './types';

// Decoding this much takes a few milliseconds; other deliveries get their turn after it.
const BYTES_BETWEEN_PAUSES = 4 * 1024 * 1024;

/** A part that is a file, under the name and type that it has in the output. */
export interface FilePart extends ListedFile {
	part: LeafPart;
}

/**
 * Names the parts that are files, with pauses: each name is its own within the email, whichever of them are wanted.
 */
export async function listFileParts(parts: LeafPart[]): Promise<FilePart[]> {
	const nameFile = createFileNames();
	const listed: FilePart[] = [];
	for (const part of parts) {
		if (listed.length % PARTS_BETWEEN_PAUSES === PARTS_BETWEEN_PAUSES - 1) await sleep(0);
		const mimeType = oneLine(part.header.type) || 'application/octet-stream';
		const fileName = nameFile(part.header.fileName, mimeType);
		listed.push({ fileName, mimeType, inline: part.inline, part });
	}
	return listed;
}

/** Decodes an email's files one after the other, with pauses, so that n8n can answer others meanwhile. */
export async function readAttachments(
	rawEmail: string,
	files: FilePart[],
	options: Pick<ReadEmailOptions, 'attachments' | 'binaryPrefix'>,
): Promise<{ attachments: EmailAttachment[]; files: EmailFile[] }> {
	const attachments: EmailAttachment[] = [];
	const contents: EmailFile[] = [];
	let bytesSincePause = 0;
	for (const [index, { part, fileName, mimeType, inline }] of files.entries()) {
		if (
			bytesSincePause > BYTES_BETWEEN_PAUSES ||
			index % PARTS_BETWEEN_PAUSES === PARTS_BETWEEN_PAUSES - 1
		) {
			await sleep(0);
			bytesSincePause = 0;
		}
		const content = decodeBody(rawEmail.slice(part.bodyStart, part.bodyEnd), part.header.encoding);
		bytesSincePause += content.length;
		const binaryProperty = `${options.binaryPrefix}${index}`;
		attachments.push({
			fileName,
			mimeType,
			size: content.length,
			inline,
			contentId: readContentId(part.header.contentId),
			binaryProperty: options.attachments ? binaryProperty : null,
		});
		if (options.attachments) contents.push({ binaryProperty, fileName, mimeType, content });
	}
	return { attachments, files: contents };
}

function readContentId(contentId: string | undefined): string | null {
	return oneLine(contentId ?? '').replace(/^<|>$/g, '') || null;
}

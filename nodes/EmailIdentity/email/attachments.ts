import type { Pace } from '../lib/pause';
import { createFileNames } from './fileNames';
import { oneLine } from './headerFields';
import { PARTS_BETWEEN_PAUSES } from './mimeStructure';
import type { LeafPart } from './mimeStructure';
import { decodeBody } from './transferEncoding';
import type { EmailAttachment, EmailFile, ListedFile, ReadEmailOptions } from './types';

// Decoding this much takes a few milliseconds; other deliveries get their turn after it.
const CHARACTERS_BETWEEN_PAUSES = 4 * 1024 * 1024;

/** A part that is a file, under the name and type that it has in the output. */
export interface FilePart extends ListedFile {
	part: LeafPart;
}

/**
 * Names the parts that are files, with pauses: each name is its own within the email, whichever of them are wanted.
 */
export async function listFileParts(parts: LeafPart[], pace: Pace): Promise<FilePart[]> {
	const nameFile = createFileNames();
	const listed: FilePart[] = [];
	for (const part of parts) {
		if (pace.isDue(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
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
	pace: Pace,
): Promise<{ attachments: EmailAttachment[]; files: EmailFile[] }> {
	const attachments: EmailAttachment[] = [];
	const contents: EmailFile[] = [];
	for (const [index, { part, fileName, mimeType, inline }] of files.entries()) {
		const body = rawEmail.slice(part.bodyStart, part.bodyEnd);
		const share = 1 / PARTS_BETWEEN_PAUSES + body.length / CHARACTERS_BETWEEN_PAUSES;
		if (pace.isDue(share)) await pace.pause();
		const content = decodeBody(body, part.header.encoding);
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

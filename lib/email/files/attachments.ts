import type { Reading } from '../limits';
import { oneLine } from '../mime/headerFields';
import type {
	DownloadOptions,
	EmailAttachment,
	EmailFile,
	KnownAttachment,
} from './attachmentTypes';
import { decodeFile, type FilePart } from './fileList';
import { FileNames } from './fileNames';
import { mayBePicture, UNKNOWN_TYPE } from './fileTypes';

/** Files as they are handed out. */
export interface ReadFiles {
	attachments: EmailAttachment[];
	/** Their content; empty if it was not requested. */
	files: EmailFile[];
}

/** Decodes files, and describes them. */
export async function readAttachments(
	files: FilePart[],
	options: DownloadOptions,
	reading: Reading,
): Promise<ReadFiles> {
	const attachments: EmailAttachment[] = [];
	const contents: EmailFile[] = [];
	for (const [index, file] of files.entries()) {
		const content = await decodeFile(file, reading);
		const { part, fileName, mimeType, inline, inside } = file;
		const size = content.length;
		const contentId = oneLine(part.header.contentId ?? '').replace(/^<|>$/g, '') || null;
		const described = { fileName, mimeType, size, inline, contentId };
		const placed = inside === undefined ? described : { ...described, inside };
		if (!options.attachments) {
			attachments.push({ ...placed, binaryProperty: null });
			continue;
		}
		const binaryProperty = `${options.binaryPrefix}${index}`;
		attachments.push({ ...placed, binaryProperty });
		contents.push({ binaryProperty, fileName, mimeType, content });
	}
	return { attachments, files: contents };
}

/**
 * The files that the service names, without their content.
 *
 * @returns undefined if they are unknown
 */
export function toKnownAttachments(
	attachments: KnownAttachment[] | undefined,
): EmailAttachment[] | undefined {
	if (attachments === undefined) return undefined;
	const names = new FileNames();
	return attachments.map(({ fileName, mimeType, size, inline, contentId }) => {
		const type = mimeType ?? UNKNOWN_TYPE;
		return {
			fileName: names.nameFor(fileName, type),
			mimeType: type.toLowerCase(),
			size,
			inline: inline && mayBePicture(fileName ?? '', type),
			contentId,
			binaryProperty: null,
		};
	});
}

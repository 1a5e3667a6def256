import type { Reading } from '../limits';
import { decodeWords } from '../mime/encodedWords';
import { firstValue, oneLine } from '../mime/headerFields';
import { readMimeStructure, type MimeStructure } from '../mime/mimeStructure';
import { closestContainer, PARTS_BETWEEN_PAUSES, type LeafPart } from '../mime/parts';
import { isOfEmail, splitEmail } from '../mime/splitEmail';
import { decodeBody } from '../mime/transferEncoding';
import type {
	EmailAttachment,
	EmailFile,
	KnownEmail,
	ListedFile,
	ReadEmailOptions,
} from '../types';
import { EmailParts } from './emailParts';
import { emailFileName, FileNames } from './fileNames';
import { fileKinds, mayBePicture } from './fileTypes';
import { findShownPictures } from './shownPictures';

const FILE_CHARACTERS_BETWEEN_PAUSES = 4 * 1024 * 1024;

const EMAIL_TYPE = 'message/rfc822';

/** Characters of an attached email in which its subject is looked for. Longer headers are rare. */
const MAX_SUBJECT_SEARCH = 50_000;

const NOT_ALL_OPENED =
	'Some files are missing because the attached emails have too many parts or too long headers.';

const TNEF_NOT_READ =
	"The files in winmail.dat cannot be read because they are in Outlook's own format (TNEF).";

export interface FilePart extends ListedFile {
	part: LeafPart;
	/** The body of the email that it is a part of. */
	body: string;
}

export interface FileList {
	files: FilePart[];
	/** Sentences about files that are missing. */
	warnings: string[];
}

/**
 * Lists the files of an email and of the emails attached to it, with pauses. Names are unique in the whole email and do not
 * depend on which files are wanted.
 *
 * @param totals of the email itself, to which those of attached emails are added
 */
export async function listFileParts(
	parts: EmailParts,
	totals: MimeStructure['totals'],
	reading: Reading,
): Promise<FileList> {
	const { limits } = reading;
	const names = new FileNames();
	const files = await filesOf(parts, names, undefined, reading);
	const warnings = new Set<string>();
	let before = totals;
	let emails = files.filter(isAttachedEmail);
	for (let level = 1; level <= limits.attachedLevels; level++) {
		const known = files.length;
		for (const file of emails) {
			const email = splitEmail((await decodeFile(file, reading)).toString(), limits);
			const inner = await readMimeStructure(email, reading, before);
			if (inner.excess !== undefined) {
				warnings.add(NOT_ALL_OPENED);
				continue;
			}
			before = inner.totals;
			if (!isOfEmail(email.fields)) continue;
			const innerParts = new EmailParts(email.body, inner.leaves);
			for (const one of await filesOf(innerParts, names, file.fileName, reading)) files.push(one);
		}
		emails = files.slice(known).filter(isAttachedEmail);
	}
	if (files.some(isTnef)) warnings.add(TNEF_NOT_READ);
	return { files, warnings: [...warnings] };
}

/** @param inside the name of the attached email that contains them; undefined for the email's own */
async function filesOf(
	parts: EmailParts,
	names: FileNames,
	inside: string | undefined,
	reading: Reading,
): Promise<FilePart[]> {
	const { pace } = reading;
	const { body } = parts;
	const inline = await inlineFiles(parts, reading);
	const files: FilePart[] = [];
	for (const part of parts.files) {
		const isUnnamedEmail = part.header.fileName === null && part.header.type === EMAIL_TYPE;
		const share = isUnnamedEmail ? 10 / PARTS_BETWEEN_PAUSES : 1 / PARTS_BETWEEN_PAUSES;
		if (pace.isDue(share)) await pace.pause();
		const mimeType = oneLine(part.header.type) || 'application/octet-stream';
		const written = isUnnamedEmail ? nameOfEmail(body, part, reading) : part.header.fileName;
		const fileName = names.nameFor(written, mimeType);
		const file: FilePart = { fileName, mimeType, inline: inline.has(part), part, body };
		if (inside !== undefined) file.inside = inside;
		files.push(file);
	}
	return files;
}

/** The pictures that the HTML of the same email shows. The HTML is read only if it could refer to a file. */
async function inlineFiles(parts: EmailParts, reading: Reading): Promise<ReadonlySet<LeafPart>> {
	const candidates = parts.files.filter(({ header }) => {
		const hasAddress = header.contentId !== undefined || header.location !== undefined;
		return hasAddress && mayBePicture(header.fileName ?? '', header.type);
	});
	const hasHtml = parts.texts.some(({ header }) => header.type === 'text/html');
	if (candidates.length === 0 || !hasHtml) return new Set();
	return await findShownPictures(await parts.readTexts(reading), candidates, reading);
}

/** The name of an attached email without one, by its subject. */
function nameOfEmail(
	body: string,
	{ header, bodyStart, bodyEnd }: LeafPart,
	{ limits }: Reading,
): string | null {
	const start = body.slice(bodyStart, Math.min(bodyEnd, bodyStart + MAX_SUBJECT_SEARCH));
	const { fields } = splitEmail(decodeBody(start, header.encoding).toString(), limits);
	return emailFileName(oneLine(decodeWords(firstValue(fields, 'subject') ?? '')));
}

/** The email that a report is about is not opened: its files are not news. */
function isAttachedEmail(file: FilePart): boolean {
	const isEmail = file.mimeType === EMAIL_TYPE || fileKinds(file).types.includes(EMAIL_TYPE);
	return isEmail && closestContainer(file.part, 'multipart/report') === undefined;
}

function isTnef({ fileName, mimeType }: FilePart): boolean {
	return mimeType.endsWith('ms-tnef') || fileName.toLowerCase() === 'winmail.dat';
}

export async function readAttachments(
	files: FilePart[],
	options: Pick<ReadEmailOptions, 'attachments' | 'binaryPrefix'>,
	reading: Reading,
): Promise<{ attachments: EmailAttachment[]; files: EmailFile[] }> {
	const attachments: EmailAttachment[] = [];
	const contents: EmailFile[] = [];
	for (const [index, file] of files.entries()) {
		const content = await decodeFile(file, reading);
		const { part, fileName, mimeType, inline, inside } = file;
		const binaryProperty = `${options.binaryPrefix}${index}`;
		attachments.push({
			fileName,
			mimeType,
			size: content.length,
			inline,
			contentId: oneLine(part.header.contentId ?? '').replace(/^<|>$/g, '') || null,
			...(inside !== undefined && { inside }),
			binaryProperty: options.attachments ? binaryProperty : null,
		});
		if (options.attachments) contents.push({ binaryProperty, fileName, mimeType, content });
	}
	return { attachments, files: contents };
}

async function decodeFile({ part, body }: FilePart, { pace }: Reading): Promise<Buffer> {
	const written = body.slice(part.bodyStart, part.bodyEnd);
	const share = 1 / PARTS_BETWEEN_PAUSES + written.length / FILE_CHARACTERS_BETWEEN_PAUSES;
	if (pace.isDue(share)) await pace.pause();
	return decodeBody(written, part.header.encoding);
}

/**
 * The files that the service names, without their content.
 *
 * @returns undefined if they are unknown
 */
export function toKnownAttachments({
	attachments,
}: Partial<KnownEmail>): EmailAttachment[] | undefined {
	const names = new FileNames();
	return attachments?.map(({ fileName, mimeType, size, inline, contentId }) => {
		const type = mimeType ?? 'application/octet-stream';
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

import type { Reading } from '../limits';
import { decodeWords } from '../mime/encodedWords';
import { firstValue, oneLine } from '../mime/headerFields';
import { readMimeStructure, type MimeStructure } from '../mime/mimeStructure';
import { closestContainer, PARTS_BETWEEN_PAUSES, type LeafPart } from '../mime/parts';
import { isOfEmail, splitEmail } from '../mime/splitEmail';
import { decodeBody } from '../mime/transferEncoding';
import type { ListedFile } from '../types';
import { EmailParts } from './emailParts';
import { emailFileName, FileNames } from './fileNames';
import { fileKinds, mayBePicture, UNKNOWN_TYPE } from './fileTypes';
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
	const names = new FileNames();
	const opened: OpenedFiles = { totals, isAllOpened: true };
	const files = await filesOf(parts, names, undefined, reading);
	let emails = files.filter(isAttachedEmail);
	for (let level = 1; level <= reading.limits.attachedLevels; level++) {
		const inner: FilePart[] = [];
		for (const email of emails) {
			const innerParts = await openAttached(email, opened, reading);
			if (innerParts === undefined) continue;
			const listed = await filesOf(innerParts, names, email.fileName, reading);
			for (const file of listed) inner.push(file);
		}
		for (const file of inner) files.push(file);
		emails = inner.filter(isAttachedEmail);
	}
	const warnings: string[] = [];
	if (!opened.isAllOpened) warnings.push(NOT_ALL_OPENED);
	if (files.some(isTnef)) warnings.push(TNEF_NOT_READ);
	return { files, warnings };
}

/** The attached emails that were opened so far. */
interface OpenedFiles {
	/** The totals of the email itself and of all of them. */
	totals: MimeStructure['totals'];
	/** Whether none had too many parts or too long headers. */
	isAllOpened: boolean;
}

/** @returns the parts of an attached email; undefined if it cannot be opened, or is none */
async function openAttached(
	file: FilePart,
	opened: OpenedFiles,
	reading: Reading,
): Promise<EmailParts | undefined> {
	const content = await decodeFile(file, reading);
	const email = splitEmail(content.toString(), reading.limits);
	const structure = await readMimeStructure(email, reading, opened.totals);
	if (structure.excess !== undefined) {
		opened.isAllOpened = false;
		return undefined;
	}
	opened.totals = structure.totals;
	if (!isOfEmail(email.fields)) return undefined;
	return new EmailParts(email.body, structure.leaves);
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
		let written = part.header.fileName;
		let share = 1 / PARTS_BETWEEN_PAUSES;
		if (written === null && part.header.type === EMAIL_TYPE) {
			written = nameOfEmail(body, part, reading);
			share *= 10;
		}
		if (pace.isDue(share)) await pace.pause();
		const mimeType = oneLine(part.header.type) || UNKNOWN_TYPE;
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
	const end = Math.min(bodyEnd, bodyStart + MAX_SUBJECT_SEARCH);
	const beginning = decodeBody(body.slice(bodyStart, end), header.encoding);
	const { fields } = splitEmail(beginning.toString(), limits);
	const subject = decodeWords(firstValue(fields, 'subject') ?? '');
	return emailFileName(oneLine(subject));
}

/** The email that a report is about is not opened: its files are not news. */
function isAttachedEmail(file: FilePart): boolean {
	const isEmail = file.mimeType === EMAIL_TYPE || fileKinds(file).types.includes(EMAIL_TYPE);
	return isEmail && closestContainer(file.part, 'multipart/report') === undefined;
}

function isTnef({ fileName, mimeType }: FilePart): boolean {
	return mimeType.endsWith('ms-tnef') || fileName.toLowerCase() === 'winmail.dat';
}

/** The content of a file, without its transfer encoding. */
export async function decodeFile({ part, body }: FilePart, { pace }: Reading): Promise<Buffer> {
	const written = body.slice(part.bodyStart, part.bodyEnd);
	const share = 1 / PARTS_BETWEEN_PAUSES + written.length / FILE_CHARACTERS_BETWEEN_PAUSES;
	if (pace.isDue(share)) await pace.pause();
	return decodeBody(written, part.header.encoding);
}

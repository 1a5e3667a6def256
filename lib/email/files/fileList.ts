import type { Reading } from '../limits';
import { decodeWords } from '../mime/encodedWords';
import { firstValue, oneLine, type WrittenField } from '../mime/headerFields';
import { readMimeStructure, type MimeStructure } from '../mime/mimeStructure';
import { decodeRawEmail, isRaw } from '../mime/rawBytes';
import { closestContainer, PARTS_BETWEEN_PAUSES, type LeafPart } from '../mime/parts';
import { hasEmailField, splitEmail } from '../mime/splitEmail';
import type { TextPart } from '../mime/textParts';
import { decodeBody } from '../mime/transferEncoding';
import { readBodies } from '../text/bodyText';
import { visibleText } from '../text/visibleText';
import type { ListedFile } from './attachmentTypes';
import { EmailParts } from './emailParts';
import { emailFileName, FileNames } from './fileNames';
import { fileKinds, mayBePicture, typeOfName, UNKNOWN_TYPE } from './fileTypes';
import { findShownPictures } from './shownPictures';
import { readTnef } from './tnef';
import { readTnefTexts } from './tnefTexts';

const FILE_CHARACTERS_BETWEEN_PAUSES = 4 * 1024 * 1024;

/** The second is for an email with addresses in UTF-8 (RFC 6532). */
const EMAIL_TYPES: ReadonlySet<string> = new Set(['message/rfc822', 'message/global']);

/** Characters of an attached email in which its subject is looked for. Longer headers are rare. */
const MAX_SUBJECT_SEARCH = 50_000;

/** Characters of HTML without a text, as mail programs write it. Longer HTML is not read twice. */
const MAX_BLANK = 100_000;

/** Mailing list software draws it, and adds the footer as a text of its own. */
const LINE_ABOVE_FOOTER = '_'.repeat(40);

const NOT_ALL_OPENED =
	'Some files are missing because the attached emails have too many parts or too long headers.';

const TNEF_DAMAGED =
	'Some files or the text of winmail.dat are missing because it is damaged, too long, or has too many files.';

const NAME_OF_RTF = 'message.rtf';

const WRITTEN_AS_RTF =
	'The text was written as RTF and may lack something that people see. The attached RTF file has all of it.';

export interface FilePart extends ListedFile {
	part: LeafPart;
	/** The body of the email that it is a part of. */
	body: string;
	/** For a file of a winmail.dat; absent for a part of its own. */
	content?: Buffer;
}

export interface FileList {
	files: FilePart[];
	/** Sentences about files that are missing. */
	warnings: string[];
	/** The texts in a winmail.dat, if the email itself has none. */
	texts: TextPart[] | undefined;
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
	const opened: OpenedFiles = { totals, isAllOpened: true, isTnefWhole: true };
	const files = await filesOf(parts, names, undefined, opened, reading);
	const { texts } = opened;
	let emails = files.filter(isAttachedEmail);
	for (let level = 1; level <= reading.limits.attachedLevels; level++) {
		const inner: FilePart[] = [];
		for (const email of emails) {
			const innerParts = await openAttached(email, opened, reading);
			if (innerParts === undefined) continue;
			const listed = await filesOf(innerParts, names, email.fileName, opened, reading);
			for (const file of listed) inner.push(file);
		}
		for (const file of inner) files.push(file);
		emails = inner.filter(isAttachedEmail);
	}
	const warnings: string[] = [];
	if (!opened.isAllOpened) warnings.push(NOT_ALL_OPENED);
	if (!opened.isTnefWhole) warnings.push(TNEF_DAMAGED);
	if (opened.isWrittenAsRtf) warnings.push(WRITTEN_AS_RTF);
	return { files, warnings, texts };
}

/** The attached emails that were opened so far. */
interface OpenedFiles {
	/** The totals of the email itself and of all of them. */
	totals: MimeStructure['totals'];
	/** Whether none had too many parts or too long headers. */
	isAllOpened: boolean;
	/** Whether each winmail.dat was read to its end. */
	isTnefWhole: boolean;
	/** Those of the first winmail.dat of the email itself that has any, if the email has no other text. */
	texts?: TextPart[];
	/** Whether the email has another text. */
	hasText?: boolean;
	/** Whether that of the winmail.dat was written as RTF, which is among the files. */
	isWrittenAsRtf?: boolean;
	/** RTF takes many times its compressed size, so that of one winmail.dat is read: a stranger can attach twenty without visible text. */
	isRtfRead?: boolean;
}

/** @returns the parts of an attached email; undefined if it cannot be opened, or is none */
async function openAttached(
	file: FilePart,
	opened: OpenedFiles,
	reading: Reading,
): Promise<EmailParts | undefined> {
	const content = await decodeFile(file, reading);
	const email = splitEmail(decodeRawEmail(content), reading.limits);
	const structure = await readMimeStructure(email, reading, opened.totals);
	if (structure.excess !== undefined) {
		opened.isAllOpened = false;
		return undefined;
	}
	opened.totals = structure.totals;
	if (!hasEmailField(email.fields)) return undefined;
	return new EmailParts(email.body, structure.leaves);
}

/** @param inside the name of the attached email that contains them; undefined for the email's own */
async function filesOf(
	parts: EmailParts,
	names: FileNames,
	inside: string | undefined,
	opened: OpenedFiles,
	reading: Reading,
): Promise<FilePart[]> {
	const { pace } = reading;
	const { body } = parts;
	const files: FilePart[] = [];
	for (const part of parts.files) {
		let written = part.header.fileName;
		let share = 1 / PARTS_BETWEEN_PAUSES;
		if (written === null && EMAIL_TYPES.has(part.header.type)) {
			written = await nameOfEmail(body, part, reading);
			share *= 10;
		}
		if (pace.spend(share)) await pace.pause();
		const mimeType = oneLine(part.header.type) || UNKNOWN_TYPE;
		const fileName = names.nameFor(written, mimeType);
		const file: FilePart = { fileName, mimeType, inline: false, part, body };
		if (inside !== undefined) file.inside = inside;
		files.push(file);
		if (!isTnef(file)) continue;
		for (const inner of await filesInTnef(file, names, opened, parts, reading)) files.push(inner);
	}
	const candidates = files.map(({ part }) => part);
	const texts = inside === undefined ? opened.texts : undefined;
	const shown = await shownPictures(parts, texts, candidates, reading);
	for (const file of files) file.inline = shown.has(file.part);
	return files;
}

/** The files in a winmail.dat; an attached message in it is one of them. */
async function filesInTnef(
	container: FilePart,
	names: FileNames,
	opened: OpenedFiles,
	parts: EmailParts,
	reading: Reading,
): Promise<FilePart[]> {
	const { totals } = opened;
	const { limits, pace } = reading;
	const stream = await decodeFile(container, reading);
	const tnef = await readTnef(stream, Math.max(0, limits.parts - totals.parts), pace);
	if (tnef === undefined || !tnef.isWhole) opened.isTnefWhole = false;
	if (tnef === undefined) return [];
	opened.totals = { ...totals, parts: totals.parts + tnef.files.length };
	const inner = [...tnef.files];
	const isOwn = container.inside === undefined;
	if (isOwn) opened.hasText ??= await hasWrittenText(parts, reading);
	if (isOwn && opened.texts === undefined && !opened.hasText) {
		const compressedRtf = opened.isRtfRead ? undefined : tnef.compressedRtf;
		if (compressedRtf !== tnef.compressedRtf) opened.isTnefWhole = false;
		opened.isRtfRead ||= compressedRtf !== undefined;
		const content = { ...tnef, compressedRtf };
		const { texts, rtf, isWhole } = await readTnefTexts(content, container.part, reading);
		if (!isWhole) opened.isTnefWhole = false;
		if (texts.length > 0) opened.texts = texts;
		if (rtf !== undefined) {
			opened.isWrittenAsRtf = true;
			inner.push({ name: NAME_OF_RTF, mimeType: null, contentId: undefined, content: rtf });
		}
	}
	const files: FilePart[] = [];
	for (const { name, mimeType, contentId, content } of inner) {
		if (pace.spend(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
		const type = oneLine(mimeType ?? '') || typeOfName(name ?? '');
		const header = { ...container.part.header, type, contentId, location: undefined };
		const part = { ...container.part, header: { ...header, fileName: name } };
		const fileName = names.nameFor(name, type);
		const { body, fileName: inside } = container;
		files.push({ fileName, mimeType: type, inline: false, inside, part, body, content });
	}
	return files;
}

/** Whether people see a text, other than the footer that a mailing list adds. */
async function hasWrittenText(parts: EmailParts, reading: Reading): Promise<boolean> {
	const texts = await parts.readTexts(reading);
	const bodies = await readBodies(texts, reading);
	if ((bodies.html ?? '').length > MAX_BLANK) return true;
	const { text } = await visibleText(bodies, reading);
	return text !== null && !text.startsWith(LINE_ABOVE_FOOTER);
}

/** The pictures that the HTML of the same email shows. The HTML is read only if it could refer to a file. */
async function shownPictures(
	parts: EmailParts,
	textsInTnef: readonly TextPart[] | undefined,
	files: readonly LeafPart[],
	reading: Reading,
): Promise<ReadonlySet<LeafPart>> {
	const candidates = files.filter(({ header }) => {
		const hasAddress = header.contentId !== undefined || header.location !== undefined;
		return hasAddress && mayBePicture(header.fileName ?? '', header.type);
	});
	if (candidates.length === 0) return new Set();
	if (textsInTnef !== undefined) return await findShownPictures(textsInTnef, candidates, reading);
	const hasHtml = parts.texts.some(({ header }) => header.type === 'text/html');
	if (!hasHtml) return new Set();
	return await findShownPictures(await parts.readTexts(reading), candidates, reading);
}

/** The name of an attached email without one, by its subject. */
async function nameOfEmail(body: string, part: LeafPart, reading: Reading): Promise<string | null> {
	const fields = await fieldsOfAttached({ part, body }, MAX_SUBJECT_SEARCH, reading);
	const subject = decodeWords(firstValue(fields, 'subject') ?? '');
	return emailFileName(oneLine(subject));
}

/** @param maxCharacters of its beginning in which the header of the attached email is read */
export async function fieldsOfAttached(
	{ part, body }: Pick<FilePart, 'part' | 'body'>,
	maxCharacters: number,
	reading: Reading,
): Promise<WrittenField[]> {
	const end = Math.min(part.bodyEnd, part.bodyStart + maxCharacters);
	const beginning = decodeBody(body.slice(part.bodyStart, end), part.header.encoding);
	const email = splitEmail(decodeRawEmail(beginning), reading.limits);
	if (!email.fields.some(({ value }) => isRaw(value))) return email.fields;
	const structure = await readMimeStructure(email, reading);
	return structure.email.fields;
}

/** The email that a report is about is not opened: its files are not news. */
export function isAttachedEmail(file: FilePart): boolean {
	const isEmail = [file.mimeType, ...fileKinds(file).types].some((type) => EMAIL_TYPES.has(type));
	return isEmail && closestContainer(file.part, 'multipart/report') === undefined;
}

/** A second one has another name in the list. */
function isTnef({ mimeType, part }: FilePart): boolean {
	const written = part.header.fileName?.trim().toLowerCase();
	return mimeType.endsWith('ms-tnef') || written === 'winmail.dat';
}

/** The content of a file, without its transfer encoding. */
export async function decodeFile(
	{ part, body, content }: FilePart,
	{ pace }: Reading,
): Promise<Buffer> {
	if (content !== undefined) return content;
	const written = body.slice(part.bodyStart, part.bodyEnd);
	const share = 1 / PARTS_BETWEEN_PAUSES + written.length / FILE_CHARACTERS_BETWEEN_PAUSES;
	if (pace.spend(share)) await pace.pause();
	return decodeBody(written, part.header.encoding);
}

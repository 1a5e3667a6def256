import { isDotOrBlank, normalized, restoreWindows1252, trimEndOf } from '../../basics';
import { EXTENSIONS, extensionOf, fileKinds } from './fileTypes';
import { oneLine } from '../mime/headerFields';
import { withoutInvisible } from '../mime/invisible';
import type { Reading } from '../limits';
import {
	PARTS_BETWEEN_PAUSES,
	readMimeStructure,
	type LeafPart,
	type MimeStructure,
} from '../mime/mimeStructure';
import { isOfEmail, splitEmail } from '../mime/splitEmail';
import { decodeBody } from '../mime/transferEncoding';
import type {
	EmailAttachment,
	EmailFile,
	KnownEmail,
	ListedFile,
	ReadEmailOptions,
} from '../types';

const FILE_CHARACTERS_BETWEEN_PAUSES = 4 * 1024 * 1024;

const EMAIL_TYPE = 'message/rfc822';

const NOT_ALL_OPENED =
	'Some files are missing because the attached emails have too many parts or too long headers.';

const TNEF_NOT_READ =
	"The files in winmail.dat cannot be read because they are in Outlook's own format (TNEF).";

interface FilePart extends ListedFile {
	part: LeafPart;
	/** The body of the email that it is a part of. */
	body: string;
}

export interface FileList {
	files: FilePart[];
	warnings: string[];
}

/**
 * Lists the files of an email and of the emails attached to it, with pauses. Names are unique in the whole email and do not
 * depend on which files are wanted.
 */
export async function listFileParts(
	emailBody: string,
	{ leaves, totals }: MimeStructure,
	reading: Reading,
): Promise<FileList> {
	const { limits, pace } = reading;
	const nameFile = createFileNames();
	const files: FilePart[] = [];
	const addFiles = async (body: string, parts: LeafPart[], inside?: string) => {
		for (const part of parts.filter(({ isFile }) => isFile)) {
			if (pace.isDue(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
			const mimeType = oneLine(part.header.type) || 'application/octet-stream';
			const fileName = nameFile(part.header.fileName, mimeType);
			files.push({
				fileName,
				mimeType,
				inline: part.inline,
				part,
				body,
				...(inside !== undefined && { inside }),
			});
		}
	};
	await addFiles(emailBody, leaves);
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
			if (isOfEmail(email.fields)) await addFiles(email.body, inner.leaves, file.fileName);
		}
		emails = files.slice(known).filter(isAttachedEmail);
	}
	const isTnef = ({ fileName, mimeType }: FilePart) =>
		mimeType.endsWith('ms-tnef') || fileName.toLowerCase() === 'winmail.dat';
	if (files.some(isTnef)) warnings.add(TNEF_NOT_READ);
	return { files, warnings: [...warnings] };
}

function isAttachedEmail(file: FilePart): boolean {
	const isEmail = file.mimeType === EMAIL_TYPE || fileKinds(file).types.includes(EMAIL_TYPE);
	return isEmail && !file.part.isInReport;
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

/** @returns undefined if they are unknown */
export function toKnownAttachments({
	attachments,
}: Partial<KnownEmail>): EmailAttachment[] | undefined {
	const nameFile = createFileNames();
	return attachments?.map(({ fileName, mimeType, ...attachment }) => {
		const type = mimeType ?? 'application/octet-stream';
		return {
			fileName: nameFile(fileName, type),
			mimeType: type.toLowerCase(),
			...attachment,
			binaryProperty: null,
		};
	});
}

// File systems allow 255 bytes. The rest is for a unique number and the folder.
const MAX_NAME_IN_BYTES = 200;

// The extension is at the end. Reading more would take too long.
const MAX_NAME_READ = 1000;

const RUN_OF_BLANKS = /[ \t]+/g;

const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/gu;

const NO_CHARACTERS = /[\p{Cs}\p{Co}]/gu;

const REFUSED_BY_WINDOWS = /[<>:"|?*]/g;

const RESERVED_BY_WINDOWS = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i;

/** Creates a function that gives each attachment of one email a safe and unique name. */
export function createFileNames(): (name: string | null, mimeType: string) => string {
	const uses = new Map<string, number>();
	return (name, mimeType) => {
		const safe = safeName(name ?? '');
		const own = extensionOf(safe);
		const known = own || EXTENSIONS.get(mimeType);
		const extension = known === undefined ? '' : `.${known}`;
		const maxBytes = MAX_NAME_IN_BYTES - Buffer.byteLength(extension);
		const stem =
			shorten(trimName(safe.slice(0, safe.length - own.length)), maxBytes) || 'attachment';
		const plain = `${stem}${extension}`;
		let count = uses.get(plain.toLowerCase()) ?? 0;
		let unique = plain;
		while (uses.has(unique.toLowerCase())) unique = `${stem} (${++count})${extension}`;
		uses.set(plain.toLowerCase(), Math.max(count, 1));
		uses.set(unique.toLowerCase(), 1);
		return unique;
	};
}

function safeName(name: string): string {
	// A signature covers neither the number of blanks nor whether one is a tab, so the name must not depend on it.
	const end = name.replace(RUN_OF_BLANKS, ' ').slice(-MAX_NAME_READ);
	const written = restoreWindows1252(end)
		.replace(CONTROL_CHARACTERS, ' ')
		.replace(NO_CHARACTERS, '');
	const visible = normalized(withoutInvisible(written));
	const lastPart = visible.split(/[\\/]/).map(trimName).findLast(Boolean) ?? '';
	const safe = lastPart.replace(REFUSED_BY_WINDOWS, '_').replace(/\s+/g, ' ');
	return RESERVED_BY_WINDOWS.test(safe) ? `_${safe}` : safe;
}

/** Leading dots hide a file; Windows drops trailing dots and spaces. */
function trimName(name: string): string {
	return trimEndOf(name.replace(/^[\s.]+/u, ''), isDotOrBlank);
}

/** A decoder in stream mode leaves out a character that is cut off. */
function shorten(text: string, bytes: number): string {
	const start = Buffer.from(text).subarray(0, bytes);
	return new TextDecoder().decode(start, { stream: true }).trimEnd();
}

import type { LeafPart } from '../mime/parts';
import { readTextParts, type TextPart } from '../mime/textParts';
import type { Reading } from '../limits';
import { EXTENSIONS, extensionOf, usualSpelling } from './fileTypes';

const TEXT_TYPES: ReadonlySet<string> = new Set(['text/plain', 'text/html']);

/** Formats of text that people read as an email. A version in another one, such as an invitation (`ics`), is a file. */
const WRITTEN_FORMATS: ReadonlySet<string> = new Set(['html', 'md', 'rtf', 'txt']);

/**
 * `namedText`: text with a file name, which is a file if the email has other text; `otherVersion`: the same text in a format
 * that is not read, such as AMP; `resourceFork`: what macOS stores beside a file.
 */
type PartRole = 'file' | 'namedText' | 'otherVersion' | 'resourceFork' | 'text';

/** The parts of an email, by what they are for. Text is decoded when it is first needed, and only once. */
export class EmailParts {
	/** The text of the email, in its versions. */
	readonly texts: LeafPart[] = [];

	readonly files: LeafPart[] = [];

	private reading: Promise<TextPart[]> | undefined;

	/** @param body of the email, which the positions of its parts refer to */
	constructor(
		readonly body: string,
		leaves: readonly LeafPart[],
	) {
		const roles = leaves.map(roleOf);
		const isTextNamed = !roles.includes('text');
		for (const [index, part] of leaves.entries()) {
			const role = roles[index];
			const isOnlyText = isTextNamed && this.texts.length === 0;
			if (role === 'text' || (role === 'namedText' && isOnlyText)) this.texts.push(part);
			else if (role === 'file' || role === 'namedText')
				this.files.push(withNameOfFork(part, leaves[index - 1]));
		}
	}

	async readTexts(reading: Reading): Promise<TextPart[]> {
		this.reading ??= readTextParts(this.body, this.texts, reading.pace);
		return await this.reading;
	}
}

function roleOf(part: LeafPart): PartRole {
	const { type, disposition, fileName } = part.header;
	if (isResourceFork(part)) return 'resourceFork';
	if (disposition === 'attachment') return 'file';
	if (TEXT_TYPES.has(type)) {
		return fileName === null || isPlaceOfText(part) ? 'text' : 'namedText';
	}
	return isVersion(part) && isInWrittenFormat(part) ? 'otherVersion' : 'file';
}

/** AppleDouble (RFC 1740): the resource fork of a file, then the file. */
function isResourceFork({ parent, index, header }: LeafPart): boolean {
	const isFirst = parent?.header.type === 'multipart/appledouble' && index === 0;
	return isFirst && header.type === 'application/applefile';
}

/** @param before the part in front of the file, which may be its resource fork */
function withNameOfFork(part: LeafPart, before: LeafPart | undefined): LeafPart {
	const { header, parent } = part;
	if (header.fileName !== null || before === undefined || before.parent !== parent) return part;
	if (!isResourceFork(before)) return part;
	return { ...part, header: { ...header, fileName: before.header.fileName } };
}

/** Whether a part stands where the text stands: a version of it, the root of `multipart/related`, or the words of a report. */
function isPlaceOfText(part: LeafPart): boolean {
	const around = part.parent?.header.type;
	const isFirst = part.index === 0;
	const isFirstOfText = around === 'multipart/related' || around === 'multipart/report';
	return isVersion(part) || (isFirst && isFirstOfText);
}

/** Whether a part is one of the versions in `multipart/alternative`, alone or as the root of `multipart/related`. */
function isVersion({ parent, index }: LeafPart): boolean {
	let around = parent;
	let place = index;
	while (around?.header.type === 'multipart/related' && place === 0) {
		place = around.index;
		around = around.parent;
	}
	return around?.header.type === 'multipart/alternative';
}

/** Whether the format of a text is one to be read as an email, by its file name or else by its type. */
function isInWrittenFormat({ header: { type, fileName } }: LeafPart): boolean {
	if (!type.startsWith('text/')) return false;
	const ofName = extensionOf(usualSpelling((fileName ?? '').toLowerCase()));
	const extension = ofName === '' ? EXTENSIONS.get(type) : ofName;
	return extension === undefined || WRITTEN_FORMATS.has(extension);
}

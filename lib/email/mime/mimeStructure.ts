import type { Reading } from '../limits';
import { charsetOfFields } from './charsets';
import { readContentHeader, readStructured, type ContentHeader } from './contentHeader';
import { decodeFields, firstValue, readHeaderFields, type WrittenField } from './headerFields';
import { OpenContainers, type BoundaryLine } from './openContainers';
import { PARTS_BETWEEN_PAUSES, type LeafPart, type MimePart } from './parts';
import { isRaw } from './rawBytes';
import {
	findHeader,
	isTooLong,
	type EmailText,
	type HeaderExtent,
	type HeaderSize,
} from './splitEmail';

/** Parts, and characters and lines of headers, of an email together with the emails attached to it. */
interface Totals extends HeaderSize {
	parts: number;
}

/** The email itself and the parts directly within it, as they were read. */
export interface MimeOutline {
	/** The content header of the email itself, as written, also if the body was read by another boundary. */
	content: ContentHeader;
	/** Whether the header does not fit the body: it was read by another boundary or type, or no part was found in it. */
	isRepaired: boolean;
	/** The text above the first boundary of the outermost container; `''` without one. */
	preamble: string;
	/** The text below the closing boundary of that container; undefined if that is missing. */
	epilogue: string | undefined;
	/** The headers of the parts directly within it, in order. */
	partHeaders: PartHeader[];
}

export interface PartHeader {
	fields: WrittenField[];
	/** Whether each line is a field or folded. */
	isPlain: boolean;
}

export interface MimeStructure {
	/** In the order of the email. */
	leaves: LeafPart[];
	/** The reason why the email is not parsed, as a clause after "because". */
	excess: string | undefined;
	totals: Totals;
	outline: MimeOutline;
	/** The email with decoded fields. */
	email: EmailText;
}

/** Below 0, because the email itself is counted as a part, too. */
const NO_TOTALS: Totals = { parts: -1, characters: 0, lines: 0 };

const LINES_BETWEEN_PAUSES = 20_000;

// A line that looks like a boundary, followed by a part's header or a blank line.
const LIKELY_BOUNDARY =
	/(?:^|\n)--([^\s"\\][^\r\n"\\]{0,199}?)[ \t]{0,9}\r?\n(?=[\w-]{1,99}:|\r?\n)/;

/**
 * Finds the parts of an email (RFC 2046, 5.1) in one pass, without decoding, in linear time for any input.
 *
 * Header fields and file names that are not UTF-8 are in the charset of the email's own Content-Type, or else of its first text
 * that names one. No other field says it, because anyone can add one to a signed email.
 *
 * In some emails the header names no boundary or a wrong one. Then the first line that looks like a boundary is used; if
 * there is none, the body is plain text.
 *
 * @param before the totals of the email that this one is attached to, and of what was opened in it before
 */
export async function readMimeStructure(
	email: EmailText,
	reading: Reading,
	before: Totals = NO_TOTALS,
): Promise<MimeStructure> {
	if (email.isTypeUnsigned) return await readInCharset(email, undefined, reading, before);
	const { charset } = readContentHeader(email.fields, 'text/plain');
	const own = charsetOfFields(charset);
	const structure = await readInCharset(email, own, reading, before);
	const ofText = own === undefined ? charsetOfText(structure.leaves) : undefined;
	if (ofText === undefined || !hasBytes(email)) return structure;
	return await readInCharset(email, ofText, reading, before);
}

function charsetOfText(leaves: readonly LeafPart[]): string | undefined {
	const texts = leaves.filter(({ header }) => header.type.startsWith('text/'));
	for (const { header } of texts) {
		const charset = charsetOfFields(header.charset);
		if (charset !== undefined) return charset;
	}
	return undefined;
}

/** Whether an email is not UTF-8. */
function hasBytes({ fields, body }: EmailText): boolean {
	return isRaw(body) || fields.some(({ text }) => isRaw(text));
}

/** @param charset of header fields that are not UTF-8 */
async function readInCharset(
	written: EmailText,
	charset: string | undefined,
	reading: Reading,
	before: Totals,
): Promise<MimeStructure> {
	const email = { ...written, fields: decodeFields(written.fields, charset) };
	const readAs = async (header: ContentHeader): Promise<MimeStructure> =>
		await new StructureReader(email, charset, reading, before).read(header);
	const content = readContentHeader(email.fields, 'text/plain');
	const container = containerInPlaceOf(content, email);
	if (container !== undefined) {
		const asContainer = await readAs(container);
		const outline = { ...asContainer.outline, content, isRepaired: true };
		if (isFound(asContainer)) return { ...asContainer, outline };
	}
	const asWritten = await readAs(content);
	if (isFound(asWritten)) return asWritten;

	const repaired = repairContent(content, email.body.slice(0, reading.limits.preamble));
	const asRepaired = await readAs(repaired);
	const used = asRepaired.excess === undefined ? asRepaired : asWritten;
	const outline = { ...used.outline, content, isRepaired: true };
	return { ...used, outline };
}

/** Whether there are parts, or too many of them. */
function isFound({ leaves, excess }: MimeStructure): boolean {
	return leaves.length > 0 || excess !== undefined;
}

/** Some programs write `text/html` with a boundary instead of a container, and parts in the body. */
function containerInPlaceOf(
	content: ContentHeader,
	{ body, fields }: EmailText,
): ContentHeader | undefined {
	if (!content.type.startsWith('text/')) return undefined;
	const { parameters } = readStructured(firstValue(fields, 'content-type') ?? '');
	const boundary = parameters.get('boundary') ?? '';
	const isUsed = body.startsWith(`--${boundary}`) || body.includes(`\n--${boundary}`);
	if (boundary === '' || !isUsed) return undefined;
	return { ...content, type: 'multipart/mixed', boundary };
}

/** The content header of an email whose boundary was not found: with the first likely boundary of its beginning, or as `text/plain`. */
function repairContent(content: ContentHeader, beginning: string): ContentHeader {
	const [, boundary] = LIKELY_BOUNDARY.exec(beginning) ?? [];
	if (boundary === undefined) return { ...content, type: 'text/plain' };
	return { ...content, boundary };
}

class StructureReader {
	private readonly containers: OpenContainers;

	private readonly leaves: LeafPart[] = [];

	private readonly totals: Totals;

	private excess: string | undefined;

	/** The start of the first boundary of the outermost container; undefined if there is none. */
	private outerStart: number | undefined;

	/** The end of its closing boundary; undefined if there is none. */
	private outerEnd: number | undefined;

	private readonly partHeaders: PartHeader[] = [];

	/** @param charset of header fields that are not UTF-8 */
	constructor(
		private readonly email: EmailText,
		private readonly charset: string | undefined,
		private readonly reading: Reading,
		before: Totals,
	) {
		this.containers = new OpenContainers(email.body);
		this.totals = { ...before };
		this.countPart(email.headerSize);
	}

	private get body(): string {
		return this.email.body;
	}

	/** @param content the content header of the email itself */
	async read(content: ContentHeader): Promise<MimeStructure> {
		const { pace } = this.reading;
		const root = { parent: undefined, index: 0, header: content };
		this.openIfContainer(root);
		let boundary = await this.readPart(root, 0);
		while (boundary !== undefined && this.excess === undefined) {
			if (pace.spend(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
			if (boundary.opensPart) {
				boundary = await this.readPartWithHeader(boundary.end);
			} else {
				// Text after the last part of a container is skipped.
				boundary = await this.findBoundary(boundary.end);
			}
		}
		const { leaves, excess, totals, email } = this;
		return { leaves, excess, totals, outline: this.outline(content), email };
	}

	private outline(content: ContentHeader): MimeOutline {
		const { body, outerStart, outerEnd, partHeaders } = this;
		const preamble = outerStart === undefined ? '' : body.slice(0, outerStart);
		const epilogue = outerEnd === undefined ? undefined : body.slice(outerEnd);
		return { content, isRepaired: false, preamble, epilogue, partHeaders };
	}

	/** @returns the boundary line after the part; undefined at the end of the email */
	private async readPartWithHeader(start: number): Promise<BoundaryLine | undefined> {
		const { end, bodyStart, hasBody, lines, isPlain } = this.findPartHeader(start);
		this.countPart({ characters: end - start, lines });
		const written = this.excess === undefined ? this.body.slice(start, end) : '';
		const fields = readHeaderFields(written, this.charset);
		if (this.containers.depth === 1) this.partHeaders.push({ fields, isPlain });

		const around = this.containers.innermost;
		const isInDigest = around?.container.header.type === 'multipart/digest';
		const header = readContentHeader(fields, isInDigest ? 'message/rfc822' : 'text/plain');
		const part = { parent: around?.container, index: around?.parts ?? 0, header };
		if (around !== undefined) around.parts++;
		if (hasBody) this.openIfContainer(part);
		return await this.readPart(part, bodyStart);
	}

	private findPartHeader(start: number): HeaderExtent {
		const { limits } = this.reading;
		const left = {
			headerCharacters: limits.headerCharacters - this.totals.characters,
			headerLines: limits.headerLines - this.totals.lines,
		};
		const isBoundary = (position: number): boolean =>
			this.containers.boundaryAt(position) !== undefined;
		return findHeader(this.body, start, left, isBoundary);
	}

	/** @returns the boundary line after the part; undefined at the end of the email */
	private async readPart(part: MimePart, bodyStart: number): Promise<BoundaryLine | undefined> {
		const next = await this.findBoundary(bodyStart);
		if (part.header.type.startsWith('multipart/')) return next;
		const bodyEnd = next === undefined ? this.body.length : this.endOfLines(bodyStart, next.start);
		this.leaves.push({ ...part, bodyStart, bodyEnd });
		return next;
	}

	/** The end of a text without its last line break, which belongs to the boundary below. */
	private endOfLines(start: number, end: number): number {
		if (end === start || !this.body.startsWith('\n', end - 1)) return end;
		const isCrlf = end - 1 > start && this.body.startsWith('\r', end - 2);
		return isCrlf ? end - 2 : end - 1;
	}

	private countPart({ characters, lines }: HeaderSize): void {
		const { totals } = this;
		const { limits } = this.reading;
		totals.parts += 1;
		totals.characters += characters;
		totals.lines += lines;
		if (totals.parts > limits.parts) this.excess = `it has more than ${limits.parts} parts`;
		if (isTooLong(totals, limits)) this.excess = 'its headers are too long';
	}

	private openIfContainer(part: MimePart): void {
		this.containers.open(part);
		const { nesting } = this.reading.limits;
		if (this.containers.depth > nesting) {
			this.excess = `its parts are nested more than ${nesting} levels deep`;
		}
	}

	/** The next boundary line from here on. The containers that it ends are then closed. */
	private async findBoundary(start: number): Promise<BoundaryLine | undefined> {
		if (this.containers.depth === 0) return undefined;
		const { pace } = this.reading;
		let position = start;
		let boundary = this.containers.boundaryAt(position);
		while (boundary === undefined) {
			if (pace.spend(1 / LINES_BETWEEN_PAUSES)) await pace.pause();
			position = this.body.indexOf('\n--', position) + 1;
			if (position === 0) return undefined;
			boundary = this.containers.boundaryAt(position);
		}
		this.noteOutermost(boundary);
		this.containers.closeAt(boundary);
		return boundary;
	}

	private noteOutermost({ start, end, depth, opensPart }: BoundaryLine): void {
		if (depth > 1) return;
		this.outerStart ??= start;
		if (!opensPart) this.outerEnd = end;
	}
}

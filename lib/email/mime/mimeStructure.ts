import { trimEndOf } from '../../basics';
import { readContentHeader, type ContentHeader } from './contentHeader';
import type { Reading } from '../limits';
import {
	findHeader,
	isSpaceOrTab,
	isTooLong,
	nextLine,
	readHeaderFields,
	type EmailText,
	type HeaderSize,
	type WrittenField,
} from './splitEmail';

/** The place of a part in the email. */
interface Place {
	/** The container around it; undefined for the email itself. */
	parent: Multipart | undefined;
	/** Its place in that container, from 0. */
	index: number;
}

/** A `multipart` part, which contains others (RFC 2046, 5.1). */
export interface Multipart extends Place {
	header: ContentHeader;
}

/** A part that is not a container; positions are indices into the body of the email. */
export interface LeafPart extends Place {
	header: ContentHeader;
	bodyStart: number;
	/** The line break before a boundary belongs to the boundary. */
	bodyEnd: number;
}

/** Counted for an email together with the emails attached to it. */
interface Totals extends HeaderSize {
	parts: number;
}

/** The email itself and the parts directly within it, as they were read. */
export interface MimeOutline {
	/** The content header of the email itself, as written, also if the body was read by another boundary. */
	content: ContentHeader;
	/** Whether the body was read by another boundary than that of the header, or by none. */
	isRepaired: boolean;
	/** The text above the first boundary of the outermost container; `''` without one. */
	preamble: string;
	/** The text below its last boundary; undefined if that is missing. */
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
}

/** A container whose end was not found yet. */
interface OpenContainer {
	container: Multipart;
	boundary: string;
	/** Its parts so far. */
	parts: number;
}

interface Boundary {
	/** Of its container. */
	depth: number;
	opensPart: boolean;
}

interface BoundaryLine extends Boundary {
	start: number;
	end: number;
}

const LINES_BETWEEN_PAUSES = 20_000;
export const PARTS_BETWEEN_PAUSES = 200;

// A line that looks like a boundary, followed by a part's header or a blank line.
const LIKELY_BOUNDARY =
	/(?:^|\n)--([^\s"\\][^\r\n"\\]{0,199}?)[ \t]{0,9}\r?\n(?=[\w-]{1,99}:|\r?\n)/;

/**
 * Finds the parts of an email (RFC 2046, 5.1) in one pass, without decoding, in linear time for any input.
 *
 * In some emails the header names no boundary or a wrong one. Then the first line that looks like a boundary is used; if
 * there is none, the body is plain text.
 *
 * @param before the totals of the emails that this one is attached to
 */
export async function readMimeStructure(
	email: EmailText,
	reading: Reading,
	before: Totals = { parts: -1, characters: 0, lines: 0 },
): Promise<MimeStructure> {
	const content = readContentHeader(email.fields, 'text/plain');
	const structure = await new StructureReader(email, reading, before).read(content);
	if (structure.leaves.length > 0 || structure.excess !== undefined) return structure;
	const repaired = { ...content };
	const boundary = LIKELY_BOUNDARY.exec(email.body.slice(0, reading.limits.preamble))?.[1];
	if (boundary === undefined) repaired.type = 'text/plain';
	else repaired.boundary = boundary;
	const again = await new StructureReader(email, reading, before).read(repaired);
	const read = again.excess === undefined ? again : structure;
	const outline = { ...read.outline, content, isRepaired: true };
	return { ...read, outline };
}

class StructureReader {
	private readonly body: string;

	private readonly containers: OpenContainer[] = [];

	/** By their line without the dashes in front, so that a line costs one lookup. The inner container wins. */
	private readonly boundaries = new Map<string, Boundary>();

	private readonly leaves: LeafPart[] = [];

	private readonly totals: Totals;

	private excess: string | undefined;

	/** The start of the first boundary of the outermost container; undefined if there is none. */
	private outerStart: number | undefined;

	/** The end of its last boundary; undefined if there is none. */
	private outerEnd: number | undefined;

	private readonly partHeaders: PartHeader[] = [];

	constructor(
		{ body, headerSize }: EmailText,
		private readonly reading: Reading,
		before: Totals,
	) {
		this.body = body;
		this.totals = { ...before };
		this.countPart(headerSize);
	}

	/** @param content the content header of the email itself */
	async read(content: ContentHeader): Promise<MimeStructure> {
		const { pace } = this.reading;
		let boundary = await this.readPart(content, { parent: undefined, index: 0 }, 0);
		while (boundary && this.excess === undefined) {
			if (pace.isDue(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
			boundary = boundary.opensPart
				? await this.readPartWithHeader(boundary.end)
				: // Text after the last part of a container is skipped.
					await this.findBoundary(boundary.end);
		}
		const { leaves, excess, totals } = this;
		return { leaves, excess, totals, outline: this.outline(content) };
	}

	private outline(content: ContentHeader): MimeOutline {
		const { body, outerStart, outerEnd, partHeaders } = this;
		const preamble = outerStart === undefined ? '' : body.slice(0, outerStart);
		const epilogue = outerEnd === undefined ? undefined : body.slice(outerEnd);
		return { content, isRepaired: false, preamble, epilogue, partHeaders };
	}

	/** @returns the boundary line after the part, undefined at the end of the email */
	private async readPart(
		header: ContentHeader,
		place: Place,
		bodyStart: number,
		hasBody = true,
	): Promise<BoundaryLine | undefined> {
		if (hasBody) this.openContainer({ ...place, header });
		const next = await this.findBoundary(bodyStart);
		if (header.type.startsWith('multipart/')) return next;
		const end = next?.start ?? this.body.length;
		const [lineBreak = ''] =
			(next && /\r?\n$/.exec(this.body.slice(Math.max(bodyStart, end - 2), end))) ?? [];
		this.leaves.push({ ...place, header, bodyStart, bodyEnd: end - lineBreak.length });
		return next;
	}

	private async readPartWithHeader(start: number): Promise<BoundaryLine | undefined> {
		const around = this.containers.at(-1);
		const parent = around?.container;
		const isInDigest = parent?.header.type === 'multipart/digest';
		const defaultType = isInDigest ? 'message/rfc822' : 'text/plain';
		const isBoundary = (line: number) => this.boundaryAt(line) !== undefined;
		const { limits } = this.reading;
		const left = {
			headerCharacters: limits.headerCharacters - this.totals.characters,
			headerLines: limits.headerLines - this.totals.lines,
		};
		const extent = findHeader(this.body, start, left, isBoundary);
		const { end, bodyStart, hasBody, lines, isPlain } = extent;
		this.countPart({ characters: end - start, lines });
		const text = this.excess === undefined ? this.body.slice(start, end) : '';
		const fields = readHeaderFields(text);
		if (this.containers.length === 1) this.partHeaders.push({ fields, isPlain });
		const place = { parent, index: around?.parts ?? 0 };
		if (around !== undefined) around.parts++;
		return await this.readPart(readContentHeader(fields, defaultType), place, bodyStart, hasBody);
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

	private openContainer(container: Multipart): void {
		const written = container.header.boundary;
		const boundary = written && asDelimiter(written);
		if (!boundary) return;
		this.containers.push({ container, boundary, parts: 0 });
		this.addBoundaries(boundary, this.containers.length);
		const { nesting } = this.reading.limits;
		if (this.containers.length > nesting) {
			this.excess = `its parts are nested more than ${nesting} levels deep`;
		}
	}

	private async findBoundary(start: number): Promise<BoundaryLine | undefined> {
		if (this.containers.length === 0) return undefined;
		const { pace } = this.reading;
		let position = start;
		let boundary = this.boundaryAt(position);
		while (boundary === undefined) {
			if (pace.isDue(1 / LINES_BETWEEN_PAUSES)) await pace.pause();
			position = this.body.indexOf('\n--', position) + 1;
			if (position === 0) return undefined;
			boundary = this.boundaryAt(position);
		}
		if (boundary.depth === 1) {
			this.outerStart ??= boundary.start;
			if (!boundary.opensPart) this.outerEnd = boundary.end;
		}
		this.closeContainers(boundary);
		return boundary;
	}

	private addBoundaries(boundary: string, depth: number): void {
		this.boundaries.set(boundary, { depth, opensPart: true });
		this.boundaries.set(`${boundary}--`, { depth, opensPart: false });
	}

	/** The inner containers, and after the last part the boundary's own. */
	private closeContainers({ depth, opensPart }: Boundary): void {
		const closed = this.containers.splice(opensPart ? depth : depth - 1);
		if (closed.length === 0) return;
		this.boundaries.clear();
		for (const [index, { boundary }] of this.containers.entries())
			this.addBoundaries(boundary, index + 1);
	}

	private boundaryAt(start: number): BoundaryLine | undefined {
		const isLikely = this.containers.length > 0 && this.body.startsWith('--', start);
		if (!isLikely) return undefined;
		const end = nextLine(this.body, start);
		const written = trimEndOf(this.body.slice(start + 2, end), isLineEnd);
		const boundary = this.boundaries.get(asDelimiter(written));
		return boundary && { ...boundary, start, end };
	}
}

/** The closest container of this type around a part, such as the `multipart/alternative` that it is a version in. */
export function closestContainer({ parent }: Place, type: string): Multipart | undefined {
	let container = parent;
	while (container !== undefined && container.header.type !== type) container = container.parent;
	return container;
}

/** Signatures do not cover the number of blanks (RFC 6376, 3.4.4), so each run counts as one. */
function asDelimiter(written: string): string {
	const line = trimEndOf(written, isSpaceOrTab);
	return line.replace(/[ \t]{2,}|\t/g, ' ');
}

const isLineEnd = (character: string): boolean => character === '\r' || character === '\n';

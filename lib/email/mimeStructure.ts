import { trimEndOf } from '../basics';
import { loadCharsetsOf } from './charsets';
import { readContentHeader, type ContentHeader, type ReadableEmail } from './contentHeader';
import type { Reading } from './limits';
import {
	findHeader,
	isBlank,
	isTooLong,
	nextLine,
	readHeaderFields,
	type EmailText,
	type HeaderSize,
} from './splitEmail';

/** A part that is not a container; positions are indices into the body of the email. */
export interface LeafPart {
	header: ContentHeader;
	bodyStart: number;
	/** The line break before a boundary belongs to the boundary. */
	bodyEnd: number;
	/** False for text that the sender did not mark as an attachment. */
	isFile: boolean;
	/** See `EmailAttachment.inline`. */
	inline: boolean;
	/** The closest `multipart/alternative` around it (RFC 2046, 5.1.4). */
	alternative: Container | undefined;
	/** For example, the returned email in a bounce. */
	isInReport: boolean;
}

/** Counted for an email together with the emails attached to it. */
interface Totals extends HeaderSize {
	parts: number;
}

export interface MimeStructure {
	/** In the order of the email. */
	leaves: LeafPart[];
	/** The reason why the email is not parsed, as a clause after "because". */
	excess: string | undefined;
	totals: Totals;
}

interface Container {
	type: string;
	boundary: string;
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

const TEXT_TYPES: ReadonlySet<string> = new Set(['text/plain', 'text/html']);

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
	email: ReadableEmail,
	reading: Reading,
	before: Totals = { parts: -1, characters: 0, lines: 0 },
): Promise<MimeStructure> {
	await loadCharsetsOf(email.fields.map(({ name, value }) => `${name}: ${value}`).join('\n'));
	const content = email.content ?? readContentHeader(email.fields, 'text/plain');
	const structure = await new StructureReader(email, reading, before).read(content);
	if (structure.leaves.length > 0 || structure.excess !== undefined) return structure;
	const written = LIKELY_BOUNDARY.exec(email.body.slice(0, reading.limits.preamble))?.[1];
	const repaired = written === undefined ? { type: 'text/plain' } : { boundary: written };
	const again = await new StructureReader(email, reading, before).read({ ...content, ...repaired });
	return again.excess === undefined ? again : structure;
}

class StructureReader {
	private readonly body: string;

	private readonly containers: Container[] = [];

	/** By their line without the dashes in front, so that a line costs one lookup. The inner container wins. */
	private readonly boundaries = new Map<string, Boundary>();

	private readonly leaves: LeafPart[] = [];

	private readonly totals: Totals;

	private excess: string | undefined;

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
		let boundary = await this.readPart(content, 0);
		while (boundary && this.excess === undefined) {
			if (pace.isDue(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
			boundary = boundary.opensPart
				? await this.readPartWithHeader(boundary.end)
				: // Text after the last part of a container is skipped.
					await this.findBoundary(boundary.end);
		}
		const { leaves, excess, totals } = this;
		return { leaves, excess, totals };
	}

	/** @returns the boundary line after the part, undefined at the end of the email */
	private async readPart(
		header: ContentHeader,
		bodyStart: number,
		hasBody = true,
	): Promise<BoundaryLine | undefined> {
		const isIn = (kind: string) => this.containers.some(({ type }) => type === kind);
		const leaf = {
			header,
			bodyStart,
			isFile: header.disposition === 'attachment' || !TEXT_TYPES.has(header.type),
			inline:
				header.contentId !== undefined &&
				(isIn('multipart/related') || header.disposition === 'inline'),
			alternative: this.containers.findLast(({ type }) => type === 'multipart/alternative'),
			isInReport: isIn('multipart/report'),
		};
		if (hasBody) this.openContainer(header);
		const next = await this.findBoundary(bodyStart);
		if (header.type.startsWith('multipart/')) return next;
		const end = next?.start ?? this.body.length;
		const [lineBreak = ''] =
			(next && /\r?\n$/.exec(this.body.slice(Math.max(bodyStart, end - 2), end))) ?? [];
		this.leaves.push({ ...leaf, bodyEnd: end - lineBreak.length });
		return next;
	}

	private async readPartWithHeader(start: number): Promise<BoundaryLine | undefined> {
		const parent = this.containers.at(-1);
		const defaultType = parent?.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
		const isBoundary = (line: number) => this.boundaryAt(line) !== undefined;
		const { end, bodyStart, hasBody, lines } = findHeader(this.body, start, isBoundary);
		this.countPart({ characters: end - start, lines });
		const text = this.excess === undefined ? this.body.slice(start, end) : '';
		await loadCharsetsOf(text);
		const header = readContentHeader(readHeaderFields(text), defaultType);
		return await this.readPart(header, bodyStart, hasBody);
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

	private openContainer({ boundary: written, type }: ContentHeader): void {
		const boundary = written && trimEndOf(written, isBlank);
		if (!boundary) return;
		this.containers.push({ type, boundary });
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
		const written = this.body.slice(start + 2, end);
		const line = trimEndOf(trimEndOf(written, isLineEnd), isBlank);
		const boundary = this.boundaries.get(line);
		return boundary && { ...boundary, start, end };
	}
}

const isLineEnd = (character: string): boolean => character === '\r' || character === '\n';

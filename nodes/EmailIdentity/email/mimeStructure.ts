import { readPartHeader } from './partHeader';
import type { PartHeader } from './partHeader';

/** A part of an email that is no container; positions are indices into the raw email. */
export interface LeafPart {
	header: PartHeader;
	headerStart: number;
	/** False for a header that ends without a blank line: at a boundary, or where the email was cut off. */
	hasBody: boolean;
	bodyStart: number;
	/** The line break before a boundary belongs to the boundary. */
	bodyEnd: number;
	/** Text that the sender did not mark as an attachment is read, everything else is a file. */
	isFile: boolean;
	/** Belongs into the text, see `EmailAttachment.inline`. */
	inline: boolean;
}

/** Containers' headers, and boundaries with the line break before them: what holds the parts together. */
export interface Frame {
	/** Of a container. */
	header?: PartHeader;
	start: number;
	end: number;
}

export interface MimeStructure {
	/** The email's own header. */
	header: PartHeader;
	/** Where the blank line after it ends. */
	headerEnd: number;
	/** In order, without what belongs to no part, such as the text before the first boundary. */
	pieces: Array<LeafPart | Frame>;
	/** False when only the MIME library can say what the parts are, see `PartHeader`. */
	certain: boolean;
	/** Why the email should not be parsed at all, in words that follow "because". */
	excess: string | undefined;
}

interface Container {
	boundary: string;
	type: string;
}

interface PartStart {
	header: PartHeader;
	end: number;
	hasBody: boolean;
	/** Set when the part ends with its header. */
	boundary: BoundaryLine | undefined;
}

interface BoundaryLine extends Frame {
	opensPart: boolean;
}

// More than any honest email has. Each part costs the MIME library time and memory, and each nested container
// makes every line that could be a boundary dearer.
const MOST_PARTS = 2000;
const DEEPEST_NESTING = 100;
const MOST_COMPARISONS = 5_000_000;

const TEXT_TYPES: ReadonlySet<string> = new Set(['text/plain', 'text/html']);

const BLANK_LINE = /\r*(?:\n|$)/y;
const REST_OF_BOUNDARY_LINE = /(--)?[ \t]*\r*(?:\n|$)/y;

/**
 * Finds where the parts of an email begin and end (RFC 2046, 5.1), in one pass, without decoding anything.
 * It follows the MIME library line by line, so that both see the same parts.
 */
export function readMimeStructure(rawEmail: string): MimeStructure {
	return new StructureReader(rawEmail).read();
}

class StructureReader {
	private readonly containers: Container[] = [];

	private readonly pieces: MimeStructure['pieces'] = [];

	private parts = -1;

	private certain = true;

	private comparisons = 0;

	private excess: string | undefined;

	constructor(private readonly raw: string) {}

	read(): MimeStructure {
		const { header, headerEnd, next } = this.readPart(0);
		let boundary = next;
		while (boundary && this.excess === undefined) {
			boundary = boundary.opensPart
				? this.readPart(boundary.end).next
				: this.passEpilogue(boundary.end);
		}
		return { header, headerEnd, pieces: this.pieces, certain: this.certain, excess: this.excess };
	}

	/** Reads one part, `next` is the boundary line after its header or body, undefined at the end of the email. */
	private readPart(start: number): {
		header: PartHeader;
		headerEnd: number;
		next: BoundaryLine | undefined;
	} {
		const related = this.containers.some(({ type }) => type === 'multipart/related');
		const { header, end, hasBody, boundary } = this.readHeader(start);
		const isContainer = header.type.startsWith('multipart/');
		if (isContainer) this.pieces.push({ header, start, end });
		if (hasBody) this.openContainer(header);
		const next = boundary ?? this.findBoundary(end);
		const bodyEnd = next ? this.withoutLineBreak(end, next.start) : this.raw.length;
		if (!isContainer) {
			this.pieces.push({
				header,
				headerStart: start,
				hasBody,
				bodyStart: end,
				bodyEnd,
				isFile: header.disposition === 'attachment' || !TEXT_TYPES.has(header.type),
				inline: header.hasContentId && (related || header.disposition === 'inline'),
			});
		}
		if (next) this.pieces.push({ start: isContainer ? next.start : bodyEnd, end: next.end });
		return { header, headerEnd: end, next };
	}

	/** A header ends at a blank line, or at a boundary when the part has no body. */
	private readHeader(start: number): PartStart {
		const parent = this.containers.at(-1);
		const defaultType = parent?.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
		let position = start;
		let textEnd = start;
		let boundary: BoundaryLine | undefined;
		let hasBody = false;
		while (position < this.raw.length && !hasBody) {
			boundary = this.boundaryAt(position);
			if (boundary) break;
			hasBody = matchesAt(BLANK_LINE, this.raw, position);
			position = this.nextLine(position);
			if (!hasBody) textEnd = position;
		}
		const header = readPartHeader(this.raw.slice(start, textEnd), defaultType);
		this.certain &&= header.certain;
		this.parts += 1;
		if (this.parts > MOST_PARTS) this.excess = `it has more than ${MOST_PARTS} parts`;
		return { header, end: position, hasBody, boundary };
	}

	private openContainer({ boundary, type }: PartHeader): void {
		if (boundary === undefined) return;
		this.containers.push({ boundary, type });
		if (this.containers.length > DEEPEST_NESTING) {
			this.excess = `its parts are nested more than ${DEEPEST_NESTING} levels deep`;
		}
	}

	/** What follows the last part of a container belongs to no part. */
	private passEpilogue(start: number): BoundaryLine | undefined {
		const boundary = this.findBoundary(start);
		if (boundary) this.pieces.push(boundary);
		return boundary;
	}

	private findBoundary(start: number): BoundaryLine | undefined {
		if (this.containers.length === 0) return undefined;
		let position = start;
		let boundary = this.boundaryAt(position);
		while (!boundary) {
			if (this.excess !== undefined) return undefined;
			position = this.raw.indexOf('\n--', position) + 1;
			if (position === 0) return undefined;
			boundary = this.boundaryAt(position);
		}
		return boundary;
	}

	/** Also closes what the boundary line closes: its own container when it says so, and all within it anyway. */
	private boundaryAt(position: number): BoundaryLine | undefined {
		if (!this.raw.startsWith('--', position)) return undefined;
		for (let depth = this.containers.length - 1; depth >= 0; depth--) {
			const { boundary } = this.containers[depth] as Container;
			this.comparisons += 1;
			if (!this.raw.startsWith(boundary, position + 2)) continue;
			REST_OF_BOUNDARY_LINE.lastIndex = position + 2 + boundary.length;
			const rest = REST_OF_BOUNDARY_LINE.exec(this.raw);
			if (rest === null) continue;
			const opensPart = rest[1] === undefined;
			this.containers.length = opensPart ? depth + 1 : depth;
			return { start: position, end: REST_OF_BOUNDARY_LINE.lastIndex, opensPart };
		}
		if (this.comparisons > MOST_COMPARISONS)
			this.excess = 'too many of its lines look like boundaries';
		return undefined;
	}

	private nextLine(position: number): number {
		const lineBreak = this.raw.indexOf('\n', position);
		return lineBreak < 0 ? this.raw.length : lineBreak + 1;
	}

	private withoutLineBreak(start: number, end: number): number {
		if (end === start) return end;
		return end - 2 >= start && this.raw[end - 2] === '\r' ? end - 2 : end - 1;
	}
}

function matchesAt(pattern: RegExp, text: string, position: number): boolean {
	pattern.lastIndex = position;
	return pattern.test(text);
}

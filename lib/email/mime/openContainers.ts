import { trimEndOf } from '../../basics';
import type { MimePart } from './parts';
import { isSpaceOrTab } from './headerFields';
import { nextLine } from './splitEmail';

/** A line between the parts of a container (RFC 2046, 5.1.1); positions are indices into the body of the email. */
export interface BoundaryLine {
	start: number;
	end: number;
	/** The depth of its container: 1 for the outermost. */
	depth: number;
	/** False for the line after the last part. */
	opensPart: boolean;
}

type BoundaryKind = Pick<BoundaryLine, 'depth' | 'opensPart'>;

/** A container whose end was not found yet. */
interface OpenContainer {
	container: MimePart;
	boundary: string;
	/** Its parts so far. */
	parts: number;
}

/** The containers around a place in the body of an email, and the lines that end their parts. */
export class OpenContainers {
	/** The outermost first. */
	private readonly containers: OpenContainer[] = [];

	/** By the text of their lines without the dashes in front, so that a line costs one lookup. The inner container wins. */
	private readonly kinds = new Map<string, BoundaryKind>();

	/** @param body of the email */
	constructor(private readonly body: string) {}

	get depth(): number {
		return this.containers.length;
	}

	get innermost(): OpenContainer | undefined {
		return this.containers.at(-1);
	}

	/** A container without a boundary stays closed. */
	open(container: MimePart): void {
		const boundary = asDelimiter(container.header.boundary ?? '');
		if (boundary === '') return;
		this.containers.push({ container, boundary, parts: 0 });
		this.addKinds(boundary, this.depth);
	}

	/** The boundary line that begins at this position; undefined if there is none. */
	boundaryAt(start: number): BoundaryLine | undefined {
		if (this.depth === 0 || !this.body.startsWith('--', start)) return undefined;
		const end = nextLine(this.body, start);
		const written = trimEndOf(this.body.slice(start + 2, end), isLineEnd);
		const kind = this.kinds.get(asDelimiter(written));
		return kind && { ...kind, start, end };
	}

	/** Closes the containers within that of a boundary, and after the last part also that one. */
	closeAt({ depth, opensPart }: BoundaryLine): void {
		const depthBelow = opensPart ? depth : depth - 1;
		if (this.depth === depthBelow) return;
		this.containers.length = depthBelow;
		this.kinds.clear();
		for (const [index, { boundary }] of this.containers.entries()) {
			this.addKinds(boundary, index + 1);
		}
	}

	private addKinds(boundary: string, depth: number): void {
		this.kinds.set(boundary, { depth, opensPart: true });
		this.kinds.set(`${boundary}--`, { depth, opensPart: false });
	}
}

/** Signatures do not cover the number of blanks (RFC 6376, 3.4.4), so each run counts as one. */
function asDelimiter(written: string): string {
	const line = trimEndOf(written, isSpaceOrTab);
	return line.replace(/[ \t]{2,}|\t/g, ' ');
}

function isLineEnd(character: string): boolean {
	return character === '\r' || character === '\n';
}

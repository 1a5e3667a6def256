import type { Link, Mark, Run } from '../blocks/blocks';
import { markdownLink } from '../blocks/links';

/** Characters that mean something wherever they stand. */
const SPECIAL = /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,40};)/gu;

/** In code they would need other delimiters, or end a cell. */
const SPECIAL_IN_CODE = /[`|\\]/;

const DELIMITERS = { bold: '**', code: '`', italic: '*', link: '', struck: '~~' };

const WORD_END = /[\p{L}\p{N}\p{M}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;

/** A mark that began on this line, with the index of its first piece. */
interface OpenMark {
	mark: Mark;
	start: number;
}

/** The pieces that hold the delimiters of an emphasis. */
interface Delimiters {
	start: number;
	end: number;
}

/**
 * The words of a line in Markdown (CommonMark 0.31), without regard to what begins a line.
 *
 * @param written links that have been written: the first line of a link leads to its target
 */
export function writeWords(runs: readonly Run[], isHeading: boolean, written: Set<Link>): string {
	const line = new MarkedLine(isHeading, written);
	for (const run of runs) line.add(run);
	return line.result();
}

class MarkedLine {
	private readonly pieces: string[] = [];

	private readonly open: OpenMark[] = [];

	/** Those that have ended, as long as no link holds them. */
	private ended: Delimiters[] = [];

	/** The last words end with a blank. */
	private endsApart = false;

	constructor(
		private readonly isHeading: boolean,
		private readonly written: Set<Link>,
	) {}

	add({ gap, text, marks }: Run): void {
		const line = text.replace(/\s+/g, ' ');
		const words = line.trim();
		const isApart = this.endsApart || line.startsWith(' ');
		this.endsApart = words !== '' && line.endsWith(' ');
		const wanted = words === '' ? [] : this.marksOf(text, marks);
		this.closeMarks(gap === '\t' ? 0 : this.countContinued(wanted));
		this.pieces.push(gap || (isApart ? ' ' : ''));
		for (const mark of wanted.slice(this.open.length)) {
			this.open.push({ mark, start: this.pieces.length });
			this.pieces.push(DELIMITERS[mark.kind]);
		}
		const isCode = this.open.at(-1)?.mark.kind === 'code';
		this.pieces.push(isCode ? words : words.replace(SPECIAL, '\\$&'));
	}

	result(): string {
		this.closeMarks(0);
		this.removeBrokenDelimiters(0);
		return this.pieces.join('');
	}

	/** Nothing can be marked in code, and headings are bold already. */
	private marksOf(text: string, marks: readonly Mark[]): readonly Mark[] {
		const wanted: Mark[] = [];
		for (const mark of marks) {
			if (mark.kind === 'link' && this.written.has(mark)) continue;
			if (mark.kind === 'bold' && this.isHeading) continue;
			if (mark.kind === 'code' && SPECIAL_IN_CODE.test(text)) continue;
			wanted.push(mark);
			if (mark.kind === 'code') break;
		}
		return wanted;
	}

	/** How many of the open marks the next words have, too. */
	private countContinued(wanted: readonly Mark[]): number {
		let count = 0;
		for (const { mark } of this.open) {
			if (!continues(mark, wanted[count])) break;
			count++;
		}
		return count;
	}

	/** Closes all open marks but the outermost ones. */
	private closeMarks(count: number): void {
		while (this.open.length > count) {
			const { mark, start } = this.open.pop() as OpenMark;
			if (mark.kind === 'link') {
				this.closeLink(mark, start);
				continue;
			}
			// Those of the others count beside any character.
			const isEmphasis = mark.kind === 'bold' || mark.kind === 'italic';
			if (isEmphasis) this.ended.push({ start, end: this.pieces.length });
			this.pieces.push(DELIMITERS[mark.kind]);
		}
	}

	private closeLink(link: Link, start: number): void {
		this.removeBrokenDelimiters(start);
		const label = this.pieces.splice(start).join('');
		this.pieces.push(markdownLink(label, link.address));
		this.written.add(link);
	}

	/** Beside a letter, or another emphasis that has ended, delimiters do not always count (CommonMark 0.31, 6.2). */
	private removeBrokenDelimiters(from: number): void {
		const { pieces } = this;
		const ended = this.ended.filter(({ start }) => start >= from);
		const starts = new Set(ended.map(({ start }) => start));
		const ends = new Set(ended.map(({ end }) => end));
		for (const { start, end } of ended) {
			let before = start - 1;
			while (before >= from && (pieces[before] === '' || starts.has(before))) before--;
			let after = end + 1;
			while (after < pieces.length && (pieces[after] === '' || ends.has(after))) after++;
			const touches =
				ends.has(before) ||
				starts.has(after) ||
				(before >= from && WORD_END.test(pieces[before] ?? '')) ||
				WORD_START.test(pieces[after] ?? '');
			if (!touches) continue;
			pieces[start] = '';
			pieces[end] = '';
		}
		this.ended = this.ended.filter(({ start }) => start < from);
	}
}

/** Bold words beside bold words are one emphasis. */
function continues(mark: Mark, wanted: Mark | undefined): boolean {
	if (mark === wanted) return true;
	const isJoined = mark.kind !== 'link' && mark.kind !== 'code';
	return isJoined && mark.kind === wanted?.kind;
}

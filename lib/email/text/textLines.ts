import type { TextFormat } from '../types';
import type { Limits } from './limits';
import { saysAddress, shownAddress } from './links';
import { MarkdownLines } from './markdown';
import type { Element } from './walker';

/** All but a single blank. */
const BLANKS = / [ \t\r\n\f]+|[\t\r\n\f][ \t\r\n\f]*/g;

const WORD = /^[\p{L}\p{N}]/u;

const CELL_SEPARATOR = '\t';
const RULE = '-'.repeat(20);
const MAX_QUOTE_DEPTH = 5;
const LINES_TO_JOIN = 10_000;

// Texts between tags, because each takes memory until the line ends.
const MAX_LINE_PIECES = 10_000;

// A longer label is no address.
const MAX_LABEL = 10_000;

// Marks, indents and rules of a usual email, however short its HTML.
const MIN_DECORATION = 1000;

/** Puts text into lines and paragraphs. Breaks are asked for before and after; the widest of those in a row is made. */
export class TextLines {
	/** The last lines; those before are joined, because each takes memory. */
	private lines: string[] = [];

	private readonly joined: string[] = [];

	private count = 0;

	private pieces = 0;

	private line = '';

	private linePieces = 0;

	/** Before the current line: marks of quoting, and an entry's number or dash. */
	private lineStart = '';

	private isLinePreformatted = false;

	/** Line breaks before the next text. */
	private breaks = 0;

	/** Between the text on this line and the next one. */
	private gap: '' | ' ' | typeof CELL_SEPARATOR = '';

	/** Begins the next line, which is an entry of a list. */
	private marker = '';

	/** The line on which the text of each cell around begins; undefined as long as it has none. */
	private readonly cells: Array<number | undefined> = [];

	/** The last cell of this row has its text on one line, on which the next one can stand. */
	private canJoinCell = false;

	private quotes = 0;

	private link: { address: string; label: string } | undefined;

	/** Of the link that the next text follows directly. */
	private lastAddress = '';

	/** A word that follows directly needs a blank before it. */
	private isApart = false;

	private lastText = '';

	/** Characters of marks, indents and rules that may still be added. */
	private decoration: number;

	/** Until the text is too long. */
	private markdown: MarkdownLines | undefined;

	/** @param length of the HTML; twice as much text is never made of it */
	constructor(
		length: number,
		format: TextFormat,
		private readonly limits: Limits,
	) {
		this.decoration = Math.max(length, MIN_DECORATION);
		if (format === 'markdown') this.markdown = new MarkdownLines(this.decoration);
	}

	/** Nothing can be written after it. */
	result(): { text: string; markdown: Array<string | undefined> | undefined } {
		this.endLine();
		const text = [...this.joined, this.lines.join('\n')].join('\n').trim();
		return { text, markdown: this.markdown?.result() };
	}

	/** Writes text in which any number of blanks and line breaks counts as one blank. */
	write(text: string): void {
		const line = text.replace(BLANKS, ' ');
		const [startsApart, endsApart] = [line.startsWith(' '), line.endsWith(' ')];
		if (startsApart || (this.isApart && WORD.test(line))) this.gap ||= ' ';
		const hasBlank = startsApart || endsApart;
		const words = hasBlank ? line.slice(startsApart ? 1 : 0, endsApart ? -1 : undefined) : line;
		if (words === '') return;
		this.append(words, this.begin());
		this.gap = endsApart ? ' ' : '';
	}

	/** Writes text in which each blank and each line break stays. */
	writePreformatted(text: string): void {
		for (const [index, line] of text.replace(/\r\n?/g, '\n').split('\n').entries()) {
			if (index > 0) {
				if (this.breaks === 0) this.endLine();
				else this.breakLine();
			}
			if (line === '') continue;
			const gap = this.begin();
			this.isLinePreformatted = true;
			this.append(line, gap);
		}
	}

	/** Several in a row separate no more than one. */
	writeRule(): void {
		if (this.line === RULE && this.breaks > 0) return;
		const rule = this.decorated(RULE);
		if (rule !== '') {
			this.gap = '';
			this.separate(1);
			this.begin();
			this.line += rule;
			this.markdown?.addRule();
		}
		this.separate(2);
	}

	/** The next text begins on a new line (1), or after an empty one (2), unless it is the first of an entry or a cell. */
	separate(breaks: 0 | 1 | 2): void {
		if (breaks === 0 || this.marker !== '' || this.gap === CELL_SEPARATOR) return;
		this.gap = '';
		const isFirstOfCell = this.cells.length > 0 && this.cells.at(-1) === undefined;
		this.breaks = Math.max(this.breaks, isFirstOfCell ? 1 : breaks);
	}

	/** Ends the line, and leaves one empty if it has ended already. */
	breakLine(): void {
		if (this.marker !== '' || this.gap === CELL_SEPARATOR) return;
		this.gap = '';
		this.breaks = Math.min(this.breaks + 1, 2);
	}

	/**
	 * The next text is an entry of a list. Entries follow each other without empty lines between, also where they hold
	 * paragraphs.
	 */
	startItem(indent: string, marker: string, isNext: boolean): void {
		this.gap = '';
		this.separate(1);
		if (isNext) this.breaks = Math.min(this.breaks, 1);
		this.marker = indent + marker;
		this.markdown?.startBlock(marker);
	}

	/** An entry without any text is none. */
	endItem(): void {
		this.marker = '';
	}

	startOrEndRow(): void {
		this.gap = '';
		this.canJoinCell = false;
		this.separate(1);
	}

	/** A cell stands on the line of the one before it where that has only one; else on a line of its own. */
	startCell(): void {
		if (this.canJoinCell && this.line !== RULE) {
			this.breaks = 0;
			this.gap = CELL_SEPARATOR;
		} else {
			this.separate(1);
		}
		this.cells.push(undefined);
	}

	endCell(): void {
		const line = this.cells.pop();
		this.noteLineOfCell(line);
		if (this.gap === ' ') this.gap = '';
		if (line !== undefined) this.canJoinCell = line === this.count;
	}

	startQuote(): void {
		this.quotes++;
		this.markdown?.startBlock('> ');
	}

	endQuote(): void {
		if (this.breaks === 0) this.separate(1);
		this.quotes--;
	}

	/** The words before and after stand apart, as beside a picture. */
	standApart(): void {
		this.isApart = !this.lastText.endsWith('\u00a0');
	}

	/** Neighbouring links stand apart, too, unless one was split. */
	startLink(address: string): void {
		if (this.lastAddress !== '' && this.lastAddress !== address) this.standApart();
		this.link = { address, label: '' };
		this.markdown?.startLink(address);
	}

	/** The address stands behind the last word, before any break that was asked for meanwhile. */
	endLink(): void {
		this.markdown?.endLink();
		if (!this.link) return;
		const { address } = this.link;
		const label = this.link.label.trim();
		this.link = undefined;
		if (label !== '') this.lastAddress = address;
		if (label !== '' && !saysAddress(label, address)) this.line += ` (${shownAddress(address)})`;
	}

	startElement(element: Element): void {
		this.endLineAround(element);
		this.markdown?.startElement(element);
	}

	endElement(element: Element): void {
		this.endLineAround(element);
		this.markdown?.endElement(element);
	}

	/** Tables and code in Markdown are decided on as a whole. */
	private endLineAround({ name }: Element): void {
		if (!this.markdown || (name !== 'table' && name !== 'pre')) return;
		if (this.line !== '') this.endLine();
		this.gap = '';
	}

	/** @returns what separates the next text from the one before it on the line */
	private begin(): string {
		const isOver = this.breaks > 0 || this.linePieces > MAX_LINE_PIECES;
		if (isOver && this.line !== '') this.endLine();
		if (this.breaks > 1) this.addEmptyLine();
		this.breaks = 0;
		const gap = this.line === '' ? '' : this.gap;
		if (this.line === '') {
			const marks = '> '.repeat(Math.min(this.quotes, MAX_QUOTE_DEPTH));
			this.lineStart = this.decorated(marks + this.marker);
			this.markdown?.startLine();
		}
		this.line += gap;
		this.marker = '';
		this.gap = '';
		this.canJoinCell = false;
		this.noteLineOfCell(this.count);
		return gap;
	}

	private noteLineOfCell(line: number | undefined): void {
		if (this.cells.length > 0) this.cells[this.cells.length - 1] ??= line;
	}

	private decorated(marks: string): string {
		this.decoration -= marks.length;
		return this.decoration < 0 ? '' : marks;
	}

	private append(text: string, gap: string): void {
		this.countPiece();
		this.linePieces++;
		this.isApart = false;
		this.lastText = text;
		this.lastAddress = '';
		this.line += text;
		this.markdown?.add(text, gap);
		if (this.link && this.link.label.length < MAX_LABEL) this.link.label += gap + text;
	}

	private endLine(): void {
		const text = this.isLinePreformatted ? this.line.trimEnd() : this.line.trim();
		if (text === '' && (!this.isLinePreformatted || this.count === 0)) {
			this.addEmptyLine();
		} else {
			this.addLine(this.lineStart + text);
			if (text === '') this.markdown?.addEmptyLine();
			else this.markdown?.endLine();
		}
		this.line = '';
		this.linePieces = 0;
		this.lineStart = '';
		this.isLinePreformatted = false;
	}

	private addEmptyLine(): void {
		if (this.count === 0 || this.lines.at(-1) === '') return;
		this.addLine('');
		this.markdown?.addEmptyLine();
	}

	private addLine(line: string): void {
		// The last one decides whether an empty one follows.
		if (this.lines.push(line) > LINES_TO_JOIN) {
			this.joined.push(this.lines.splice(0, LINES_TO_JOIN).join('\n'));
		}
		this.count++;
		this.countPiece();
	}

	private countPiece(): void {
		if (++this.pieces > this.limits.markdownPieces) this.markdown = undefined;
	}
}

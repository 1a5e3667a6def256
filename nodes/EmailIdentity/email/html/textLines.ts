import type { MarkdownLines } from './markdown';

const BLANKS = /[ \t\r\n\f]+/g;

const CELL_SEPARATOR = '\t';
const RULE = '-'.repeat(20);
const MAX_QUOTE_DEPTH = 5;

// Marks, indents and rules of a usual email, however short its HTML.
const MIN_DECORATION = 1000;

interface Cell {
	/** The line on which its text begins; undefined as long as it has none. */
	line: number | undefined;
}

/** Puts text into lines and paragraphs. Breaks are asked for before and after; the widest of those in a row is made. */
export class TextLines {
	private readonly lines: string[] = [];

	private line = '';

	/** Before the current line: marks of quoting, and an entry's number or dash. */
	private lineStart = '';

	private isLinePreformatted = false;

	/** Line breaks before the next text. */
	private breaks = 0;

	private needsBlank = false;

	/** Begins the next line, which is an entry of a list. */
	private marker = '';

	private needsSeparator = false;

	private readonly cells: Cell[] = [];

	/** The last cell of this row has its text on one line, on which the next one can stand. */
	private canJoinCell = false;

	private quotes = 0;

	/** What was written since `startLabel`. */
	private label: string | undefined;

	/** Characters of marks, indents and rules that may still be added. */
	private decoration: number;

	/** @param length of the HTML; twice as much text is never made of it */
	constructor(
		length: number,
		private readonly markdown?: MarkdownLines,
	) {
		this.decoration = Math.max(length, MIN_DECORATION);
	}

	/** Nothing can be written after it. */
	result(): string {
		this.endLine();
		return this.lines.join('\n').trim();
	}

	/** Writes text in which any number of blanks and line breaks counts as one blank. */
	write(text: string): void {
		const line = text.replace(BLANKS, ' ');
		if (line.startsWith(' ')) this.needsBlank = true;
		const words = line.slice(line.startsWith(' ') ? 1 : 0, line.endsWith(' ') ? -1 : undefined);
		if (words === '') return;
		this.append(words, this.begin());
		this.needsBlank = line.endsWith(' ');
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
			this.needsBlank = false;
		}
	}

	/** Several in a row separate no more than one. */
	writeRule(): void {
		if (this.line === RULE && this.breaks > 0) return;
		const rule = this.decorated(RULE);
		if (rule !== '') {
			this.begin();
			this.line += rule;
			this.markdown?.addRule();
		}
		this.separate(2);
	}

	/** The next text begins on a new line (1), or after an empty one (2), unless it is the first of an entry or a cell. */
	separate(breaks: 0 | 1 | 2): void {
		if (breaks === 0) return;
		this.needsBlank = false;
		if (this.marker !== '' || this.needsSeparator) return;
		const cell = this.cells.at(-1);
		const isFirstOfCell = cell !== undefined && cell.line === undefined;
		this.breaks = Math.max(this.breaks, isFirstOfCell ? 1 : breaks);
	}

	/** Ends the line, and leaves one empty if it has ended already. */
	breakLine(): void {
		this.needsBlank = false;
		if (this.marker === '' && !this.needsSeparator) this.breaks = Math.min(this.breaks + 1, 2);
	}

	/**
	 * The next text is an entry of a list. Entries follow each other without empty lines between, also where they hold
	 * paragraphs.
	 */
	startItem(marker: string, isNext: boolean): void {
		this.needsSeparator = false;
		this.separate(1);
		if (isNext) this.breaks = Math.min(this.breaks, 1);
		this.marker = marker;
	}

	/** An entry without any text is none. */
	endItem(): void {
		this.marker = '';
	}

	startOrEndRow(): void {
		this.needsSeparator = false;
		this.canJoinCell = false;
		this.separate(1);
	}

	/** A cell stands on the line of the one before it where that has only one; else on a line of its own. */
	startCell(): void {
		this.needsBlank = false;
		if (this.canJoinCell) {
			this.breaks = 0;
			this.needsSeparator = true;
		} else {
			this.separate(1);
		}
		this.cells.push({ line: undefined });
	}

	endCell(): void {
		const line = this.cells.pop()?.line;
		const outer = this.cells.at(-1);
		if (outer) outer.line ??= line;
		this.needsBlank = false;
		if (line !== undefined) this.canJoinCell = line === this.lines.length;
	}

	startQuote(): void {
		this.quotes++;
	}

	endQuote(): void {
		if (this.breaks === 0) this.separate(1);
		this.quotes--;
	}

	/** Ends the line at once. */
	endBlock(): void {
		if (this.line !== '') this.endLine();
		this.needsSeparator = false;
	}

	startLabel(): void {
		this.label = '';
	}

	/** @returns what was written since `startLabel`, on one line */
	endLabel(): string {
		const label = (this.label ?? '').trim();
		this.label = undefined;
		return label;
	}

	/** The address stands behind the last word, before any break that was asked for meanwhile. */
	addBehind(text: string): void {
		this.line += text;
	}

	/** @returns what separates the next text from the one before it on the line */
	private begin(): string {
		let gap = '';
		if (this.breaks > 0 && this.line !== '') this.endLine();
		if (this.breaks > 1) this.addEmptyLine();
		this.breaks = 0;
		if (this.line === '') {
			const marks = '> '.repeat(Math.min(this.quotes, MAX_QUOTE_DEPTH));
			this.lineStart = this.decorated(marks + this.marker);
			this.markdown?.startLine();
		} else if (this.needsSeparator) {
			gap = CELL_SEPARATOR;
		} else if (this.needsBlank) {
			gap = ' ';
		}
		this.line += gap;
		this.marker = '';
		this.needsSeparator = false;
		this.canJoinCell = false;
		const cell = this.cells.at(-1);
		if (cell) cell.line ??= this.lines.length;
		return gap;
	}

	private decorated(marks: string): string {
		this.decoration -= marks.length;
		return this.decoration < 0 ? '' : marks;
	}

	private append(text: string, gap: string): void {
		this.line += text;
		this.markdown?.add(text, gap);
		if (this.label !== undefined) this.label += this.needsBlank ? ` ${text}` : text;
	}

	private endLine(): void {
		const text = this.isLinePreformatted ? this.line.trimEnd() : this.line.trim();
		if (text === '' && (!this.isLinePreformatted || this.lines.length === 0)) {
			this.addEmptyLine();
		} else {
			this.lines.push(this.lineStart + text);
			if (text === '') this.markdown?.addEmptyLine();
			else this.markdown?.endLine();
		}
		this.line = '';
		this.lineStart = '';
		this.isLinePreformatted = false;
	}

	private addEmptyLine(): void {
		if (this.lines.length === 0 || this.lines.at(-1) === '') return;
		this.lines.push('');
		this.markdown?.addEmptyLine();
	}
}

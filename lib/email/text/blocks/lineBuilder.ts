import { hasWords, type Block, type TextContainer, type ListItem, type Link } from './blocks';
import { BlockList } from './blockList';
import type { Limits } from '../limits';
import { OpenLine, OpenRun } from './openLine';
import type { HtmlPlace, OpenCell, OpenItem } from './places';
import { addTextTo } from './dataTables';

/** All but a single blank. */
const BLANKS = / [ \t\r\n\f]+|[\t\r\n\f][ \t\r\n\f]*/g;

const WORD = /^[\p{L}\p{N}]/u;

const OTHER_LINE_BREAK = /\r\n?/g;

const NO_BREAK_SPACE = '\u00a0';

// Each takes memory until the line ends.
const MAX_LINE_RUNS = 10_000;

// A longer label is no address.
const MAX_LABEL = 10_000;

// Marks, indents and rules of a usual email, however short its HTML.
const MIN_DECORATION = 1000;

const DECORATION_OF_RULE = 20;

/** Separates the next text from the one before it. Of several in a row the widest counts. */
enum Space {
	None,
	/** A word that follows directly gets a blank before it. */
	Apart,
	Blank,
	/** The next text is in the next cell, on the same line. */
	Cell,
	Line,
	EmptyLine,
}

/**
 * Puts text into lines, which are the blocks. Breaks are asked for before and after an element; which of them are written is
 * known with the next text, so that none stands at an end.
 */
export class LineBuilder {
	private readonly blocks: BlockList;

	/** The line on which the last text stands; undefined if it has ended. */
	private line: OpenLine | undefined;

	private lastRun: OpenRun | undefined;

	/** Between the last text and the next one. */
	private space = Space.None;

	/** The last cell of this row has its text on the current line, on which the next one can stand. */
	private canJoinCell = false;

	/** Characters of marks, indents and rules that may still be added. */
	private decoration: number;

	/** @param length of the HTML; twice as much text is never made of it */
	constructor(length: number, limits: Limits) {
		this.blocks = new BlockList(limits.pieces);
		this.decoration = Math.max(length, MIN_DECORATION);
	}

	/** The blocks, or the plain text of too many. Nothing can be written after it. */
	result(): readonly Block[] | string {
		this.closeLine();
		return this.blocks.result();
	}

	/** The next text does not follow directly. */
	writeBlank(): void {
		this.widen(Space.Blank);
	}

	/** Writes text in which any number of blanks and line breaks counts as one blank. */
	write(text: string, place: HtmlPlace): void {
		const line = text.replace(BLANKS, ' ');
		const startsApart = line.startsWith(' ');
		const endsApart = line.endsWith(' ');
		if (startsApart) this.widen(Space.Blank);
		else if (this.space === Space.Apart && WORD.test(line)) this.space = Space.Blank;
		const start = startsApart ? 1 : 0;
		const end = endsApart ? line.length - 1 : line.length;
		if (start >= end) return;
		this.append(line.slice(start, end), this.begin(place), place);
		if (endsApart) this.space = Space.Blank;
	}

	/** Writes text in which each blank and each line break stays. */
	writePreformatted(text: string, place: HtmlPlace): void {
		let isFirst = true;
		const lines = text.replace(OTHER_LINE_BREAK, '\n').split('\n');
		for (const words of lines) {
			if (!isFirst && this.space === Space.Cell) this.space = Space.Line;
			else if (!isFirst) this.breakLine(place);
			isFirst = false;
			if (words === '') continue;
			const line = this.begin(place);
			line.kind = 'preformatted';
			this.append(words, line, place);
		}
	}

	/** Several in a row separate no more than one. */
	writeRule(place: HtmlPlace): void {
		if (this.line?.kind === 'rule' && this.space >= Space.Line) return;
		this.decoration -= DECORATION_OF_RULE;
		if (this.decoration >= 0) {
			this.forgetBlank();
			this.separate(1, place);
			this.begin(place).kind = 'rule';
			if (place.table !== undefined) place.table.isLayout = true;
		}
		this.separate(2, place);
	}

	/** The next text begins on a new line (1), or after an empty one (2), unless it is the first of an entry or a cell. */
	separate(breaks: 0 | 1 | 2, { item, cell }: HtmlPlace): void {
		if (breaks === 0 || item?.isEmpty || this.space === Space.Cell) return;
		const isFirstOfCell = cell !== undefined && cell.line === undefined;
		this.widen(breaks === 1 || isFirstOfCell ? Space.Line : Space.EmptyLine);
	}

	/** Ends the line, and leaves one empty if it has ended already. */
	breakLine({ item }: HtmlPlace): void {
		if (item?.isEmpty || this.space === Space.Cell) return;
		this.space = this.space >= Space.Line ? Space.EmptyLine : Space.Line;
	}

	/** Ends the line, also where the next cell could stand on it. */
	endLine(): void {
		this.closeLine();
		if (this.space < Space.Line) this.space = Space.Line;
	}

	/**
	 * The next text is an entry of a list. Entries follow each other without empty lines between, also where they hold
	 * paragraphs.
	 */
	startItem(isNext: boolean, around: HtmlPlace): void {
		this.forgetBlank();
		this.separate(1, around);
		if (isNext && this.space === Space.EmptyLine) this.space = Space.Line;
	}

	startOrEndRow(place: HtmlPlace): void {
		this.forgetBlank();
		this.canJoinCell = false;
		this.separate(1, place);
	}

	/** A cell stands on the line of the one before it where that has only one; else on a line of its own. */
	startCell(around: HtmlPlace): void {
		if (this.canJoinCell && this.line?.kind !== 'rule') this.space = Space.Cell;
		else this.separate(1, around);
	}

	endCell({ line, outer }: OpenCell): void {
		if (this.space === Space.Blank) this.space = Space.None;
		if (line === undefined) return;
		if (outer !== undefined) outer.line ??= line;
		this.canJoinCell = line === this.line;
	}

	/** The words before and after stand apart, as beside a picture. */
	standApart(): void {
		if (this.space > Space.Apart) return;
		const hasBlank = this.lastRun?.text.endsWith(NO_BREAK_SPACE) ?? false;
		this.space = hasBlank ? Space.None : Space.Apart;
	}

	/** The link of the last words; undefined if they are in none. */
	get linkBefore(): Link | undefined {
		return this.lastRun?.marks.find((mark) => mark.kind === 'link');
	}

	/** Plain text has the address of a link behind its last word, before any break that was asked for meanwhile. */
	addAddress(address: string): void {
		if (this.lastRun !== undefined) this.lastRun.address = address;
	}

	private widen(space: Space): void {
		this.space = Math.max(this.space, space);
	}

	private forgetBlank(): void {
		if (this.space < Space.Line) this.space = Space.None;
	}

	/** The line on which the next text stands. */
	private begin(place: HtmlPlace): OpenLine {
		const isFull = this.line !== undefined && this.line.runs.length > MAX_LINE_RUNS;
		if (isFull || this.space >= Space.Line) this.closeLine();
		this.line ??= this.newLine(place);
		this.canJoinCell = false;
		if (place.cell !== undefined) place.cell.line ??= this.line;
		return this.line;
	}

	private newLine(place: HtmlPlace): OpenLine {
		let item = place.item;
		while (item?.isEmpty) {
			item.isEmpty = false;
			item = item.outerItem;
		}
		const breaks = this.space === Space.EmptyLine ? '\n\n' : '\n';
		this.space = Space.None;
		this.decoration -= lengthOfMarks(place.container);
		if (this.decoration >= 0) return new OpenLine(breaks, place);
		return new OpenLine(breaks, { ...place, container: undefined, item: undefined });
	}

	private closeLine(): void {
		const { line } = this;
		if (line === undefined) return;
		this.line = undefined;
		if (!hasWords(line)) {
			// A line of blanks is an empty one.
			this.space = Space.EmptyLine;
			return;
		}
		const { item } = line.around;
		if (item?.isStarted === false) line.items = startItems(item);
		this.blocks.add(line);
	}

	private append(text: string, line: OpenLine, place: HtmlPlace): void {
		const { link, table, row } = place;
		const isFirst = line.runs.length === 0;
		const gap = isFirst ? '' : this.gap();
		let { marks } = place;
		if (link?.isOver) marks = marks.filter((mark) => mark !== link.mark);
		else if (link && link.label.length < MAX_LABEL) link.label += gap + text;
		if (row !== undefined) addTextTo(row, line, isFirst);
		// It stands between two rows.
		else if (table && table.rows.length > 0) table.isLayout = true;
		this.space = Space.None;
		this.lastRun = new OpenRun(gap, text, marks);
		line.add(this.lastRun);
	}

	private gap(): '' | ' ' | '\t' {
		if (this.space === Space.Cell) return '\t';
		return this.space === Space.Blank ? ' ' : '';
	}
}

/** The entries that have no line yet, the outermost first. */
function startItems(innermost: OpenItem): ListItem[] {
	const items: ListItem[] = [];
	let item: OpenItem | undefined = innermost;
	while (item?.isStarted === false) {
		item.isStarted = true;
		items.unshift(item);
		item = item.outerItem;
	}
	return items;
}

/** How many characters quotations and entries take on a line, at most. */
function lengthOfMarks(container: TextContainer | undefined): number {
	let length = 0;
	for (let one = container; one; one = one.outer) {
		length += one.kind === 'item' ? one.marker.length + 2 : 2;
	}
	return length;
}

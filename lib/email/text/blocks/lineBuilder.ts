import { hasWords, type Block, type TextContainer, type ListItem, type Link } from './blocks';
import { BlockList } from './blockList';
import type { Limits } from '../htmlLimits';
import { OpenLine, OpenRun } from './openLine';
import type { HtmlPlace, OpenCell, OpenItem } from './places';
import { addTextTo } from './dataTables';

/** Whitespace other than a single space. */
const BLANKS = / [ \t\r\n\f]+|[\t\r\n\f][ \t\r\n\f]*/g;

const WORD = /^[\p{L}\p{N}]/u;

const OTHER_LINE_BREAK = /\r\n?/g;

const NO_BREAK_SPACE = '\u00a0';

// Each run of a line takes memory until the line ends.
const MAX_LINE_RUNS = 10_000;

// Characters of a link's label; a longer one is not an address.
const MAX_LABEL = 10_000;

// Characters for the marks, indents and rules of a usual email, however short its HTML is.
const MIN_DECORATION = 1000;

/** Characters that a rule counts as. */
const DECORATION_OF_RULE = 20;

/** Separates the next text from the one before it. Of several in a row the widest counts. */
enum Space {
	None,
	/** A blank if a letter or a digit follows directly, as beside a picture. */
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

	/** The line of the last text; undefined if it has ended. */
	private line: OpenLine | undefined;

	private lastRun: OpenRun | undefined;

	/** Between the last text and the next one. */
	private space = Space.None;

	/** Whether the next cell can go on the current line, because the last cell of the row ended on it. */
	private canJoinCell = false;

	/** Characters of marks, indents and rules that may still be added. */
	private decoration: number;

	/** @param length characters of the HTML. As many may be added for marks, indents and rules. */
	constructor(length: number, limits: Limits) {
		this.blocks = new BlockList(limits.pieces);
		this.decoration = Math.max(length, MIN_DECORATION);
	}

	/** The blocks, or the plain text if there are too many blocks. Nothing can be written after it. */
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
		const collapsed = text.replace(BLANKS, ' ');
		const startsBlank = collapsed.startsWith(' ');
		const endsBlank = collapsed.endsWith(' ');
		if (startsBlank) this.widen(Space.Blank);
		else if (this.space === Space.Apart && WORD.test(collapsed)) this.space = Space.Blank;
		const start = startsBlank ? 1 : 0;
		const end = endsBlank ? collapsed.length - 1 : collapsed.length;
		if (start >= end) return;
		this.append(collapsed.slice(start, end), this.begin(place), place);
		if (endsBlank) this.space = Space.Blank;
	}

	/** Writes text in which each blank and each line break stays. */
	writePreformatted(text: string, place: HtmlPlace): void {
		let isFirst = true;
		const textLines = text.replace(OTHER_LINE_BREAK, '\n').split('\n');
		for (const textLine of textLines) {
			if (!isFirst && this.space === Space.Cell) this.space = Space.Line;
			else if (!isFirst) this.breakLine(place);
			isFirst = false;
			if (textLine === '') continue;
			const line = this.begin(place);
			line.kind = 'preformatted';
			this.append(textLine, line, place);
		}
	}

	/** Of several rules in a row, one is written. */
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

	/**
	 * The next text begins on a new line (1), or after an empty one (2). The first text of a list item or of a cell on this line goes on
	 * there, and the first one of another cell has no empty line above it.
	 */
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

	/** Ends the line, also if the next cell could go on it. */
	endLine(): void {
		this.closeLine();
		if (this.space < Space.Line) this.space = Space.Line;
	}

	/**
	 * The next text is in a new list item. There are no empty lines between the items of a list, also if they contain paragraphs.
	 *
	 * @param isNext whether another item of the list comes before it
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

	/** A cell goes on the line of the cell before it if that has only one line; otherwise it begins a new line. */
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

	/** Separates a word before from a word after, as beside a picture. */
	standApart(): void {
		if (this.space > Space.Apart) return;
		const hasBlank = this.lastRun?.text.endsWith(NO_BREAK_SPACE) ?? false;
		this.space = hasBlank ? Space.None : Space.Apart;
	}

	/** The link of the last words; undefined if they are in none. */
	get linkBefore(): Link | undefined {
		return this.lastRun?.marks.find((mark) => mark.kind === 'link');
	}

	/** In plain text, the address follows the last word of its link, before any break that was asked for since then. */
	addAddress(address: string): void {
		if (this.lastRun !== undefined) this.lastRun.address = address;
	}

	private widen(space: Space): void {
		this.space = Math.max(this.space, space);
	}

	private forgetBlank(): void {
		if (this.space < Space.Line) this.space = Space.None;
	}

	/** The line for the next text. */
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
		const breakBefore = this.space === Space.EmptyLine ? '\n\n' : '\n';
		this.space = Space.None;
		this.decoration -= lengthOfMarks(place.container);
		if (this.decoration >= 0) return new OpenLine(breakBefore, place);
		return new OpenLine(breakBefore, { ...place, container: undefined, item: undefined });
	}

	private closeLine(): void {
		const { line } = this;
		if (line === undefined) return;
		this.line = undefined;
		if (!hasWords(line)) {
			// A line of spaces is an empty one. A rule is kept.
			this.space = Space.EmptyLine;
			return;
		}
		const { item } = line.around;
		// Earlier lines of the item had only spaces.
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
		// It is between two rows.
		else if (table?.lastRow !== undefined) table.isLayout = true;
		this.space = Space.None;
		this.lastRun = new OpenRun(gap, text, marks);
		line.add(this.lastRun);
	}

	private gap(): '' | ' ' | '\t' {
		if (this.space === Space.Cell) return '\t';
		return this.space === Space.Blank ? ' ' : '';
	}
}

/** The list items that have no line in the result yet, the outermost first. */
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

/** How many characters the marks of quotations and list items take on a line, at most. */
function lengthOfMarks(container: TextContainer | undefined): number {
	let length = 0;
	for (let one = container; one; one = one.outer) {
		length += one.kind === 'item' ? one.marker.length + 2 : 2;
	}
	return length;
}

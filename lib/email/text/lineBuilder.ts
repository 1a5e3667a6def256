import type { Block, TextContainer, ListItem, Link, Mark, Run, Surroundings } from './blocks';
import type { Limits } from './limits';
import { writeLine } from './plainText';
import { addTextTo, hasWords, type OpenRow, type OpenTable } from './tables';

/** All but a single blank. */
const BLANKS = / [ \t\r\n\f]+|[\t\r\n\f][ \t\r\n\f]*/g;

const WORD = /^[\p{L}\p{N}]/u;

const NO_BREAK_SPACE = '\u00a0';

// Each takes memory until the line ends.
const MAX_LINE_RUNS = 10_000;

// A longer label is no address.
const MAX_LABEL = 10_000;

// Marks, indents and rules of a usual email, however short its HTML.
const MIN_DECORATION = 1000;

const DECORATION_OF_RULE = 20;

/** The blocks of a text that is too long are written each time when there are so many more blocks and runs. */
const PIECES_AT_ONCE = 2000;

/** What is around a place in the HTML. */
export interface TextPlace extends Surroundings {
	marks: readonly Mark[];
	link: OpenLink | undefined;
	/** The innermost entry of a list. */
	item: OpenItem | undefined;
	table: OpenTable | undefined;
	row: OpenRow | undefined;
	cell: OpenCell | undefined;
}

/** A link that ends with its element, or before that where another one begins within it. */
export interface OpenLink {
	mark: Link;
	label: string;
	isOver: boolean;
}

export interface OpenItem extends ListItem {
	outerItem: OpenItem | undefined;
	/** As long as no text was read in it, be it blank. */
	isEmpty: boolean;
	/** A line of it has words. */
	isStarted: boolean;
}

export interface OpenCell {
	outer: OpenCell | undefined;
	/** The line on which its text begins; undefined as long as it has none. */
	line: Block | undefined;
}

const NO_RUNS: Run[] = [];

const NO_ITEMS: readonly ListItem[] = [];

/**
 * A line that is being written. Lines and runs are made by constructors, and their arrays by `Array.of`, because a text can have
 * millions: where many objects of a literal live long, V8 makes all later ones in the old generation, also if they are needed
 * for a moment only.
 */
class OpenLine implements Block {
	kind: Block['kind'] = 'paragraph';

	runs = NO_RUNS;

	items = NO_ITEMS;

	constructor(
		readonly breaks: string,
		readonly around: TextPlace,
	) {}
}

class WrittenRun implements Run {
	address: string | undefined = undefined;

	constructor(
		readonly gap: Run['gap'],
		readonly text: string,
		readonly marks: readonly Mark[],
	) {}
}

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

/** Puts text into lines, which are the blocks. Breaks are asked for before and after an element. */
export class LineBuilder {
	private blocks: Block[] = [];

	/** Blocks and runs so far. */
	private pieces = 0;

	/** The plain text so far if there are too many of them, because each takes memory. */
	private written: string[] | undefined;

	private line: OpenLine | undefined;

	private lastRun: Run | undefined;

	private space = Space.None;

	/** The last cell of this row has its text on the current line, on which the next one can stand. */
	private canJoinCell = false;

	/** Characters of marks, indents and rules that may still be added. */
	private decoration: number;

	/** @param length of the HTML; twice as much text is never made of it */
	constructor(
		length: number,
		private readonly limits: Limits,
	) {
		this.decoration = Math.max(length, MIN_DECORATION);
	}

	/** The blocks, or the plain text of too many. Nothing can be written after it. */
	result(): readonly Block[] | string {
		this.closeLine();
		if (this.written === undefined) return this.blocks;
		this.writeBlocks(this.written);
		return this.written.join('');
	}

	/** The next text does not follow directly. */
	writeBlank(): void {
		this.widen(Space.Blank);
	}

	/** Writes text in which any number of blanks and line breaks counts as one blank. */
	write(text: string, place: TextPlace): void {
		const line = text.replace(BLANKS, ' ');
		const startsApart = line.startsWith(' ');
		const endsApart = line.endsWith(' ');
		if (startsApart) this.widen(Space.Blank);
		else if (this.space === Space.Apart && WORD.test(line)) this.space = Space.Blank;
		const hasBlank = startsApart || endsApart;
		const words = hasBlank ? line.slice(startsApart ? 1 : 0, endsApart ? -1 : undefined) : line;
		if (words === '') return;
		this.append(words, this.begin(place), place);
		if (endsApart) this.space = Space.Blank;
	}

	/** Writes text in which each blank and each line break stays. */
	writePreformatted(text: string, place: TextPlace): void {
		for (const [index, words] of text.replace(/\r\n?/g, '\n').split('\n').entries()) {
			if (index > 0 && this.space === Space.Cell) this.space = Space.Line;
			else if (index > 0) this.breakLine(place);
			if (words === '') continue;
			const line = this.begin(place);
			line.kind = 'preformatted';
			this.append(words, line, place);
		}
	}

	/** Several in a row separate no more than one. */
	writeRule(place: TextPlace): void {
		if (this.line?.kind === 'rule' && this.space >= Space.Line) return;
		this.decoration -= DECORATION_OF_RULE;
		if (this.decoration >= 0) {
			this.forgetBlank();
			this.separate(1, place);
			this.begin(place).kind = 'rule';
			if (place.table) place.table.isLayout = true;
		}
		this.separate(2, place);
	}

	/** The next text begins on a new line (1), or after an empty one (2), unless it is the first of an entry or a cell. */
	separate(breaks: 0 | 1 | 2, { item, cell }: TextPlace): void {
		if (breaks === 0 || item?.isEmpty || this.space === Space.Cell) return;
		const isFirstOfCell = cell !== undefined && cell.line === undefined;
		this.widen(breaks === 1 || isFirstOfCell ? Space.Line : Space.EmptyLine);
	}

	/** Ends the line, and leaves one empty if it has ended already. */
	breakLine({ item }: TextPlace): void {
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
	startItem(isNext: boolean, around: TextPlace): void {
		this.forgetBlank();
		this.separate(1, around);
		if (isNext && this.space === Space.EmptyLine) this.space = Space.Line;
	}

	startOrEndRow(place: TextPlace): void {
		this.forgetBlank();
		this.canJoinCell = false;
		this.separate(1, place);
	}

	/** A cell stands on the line of the one before it where that has only one; else on a line of its own. */
	startCell(around: TextPlace): void {
		if (this.canJoinCell && this.line?.kind !== 'rule') this.space = Space.Cell;
		else this.separate(1, around);
	}

	endCell({ line, outer }: OpenCell): void {
		if (this.space === Space.Blank) this.space = Space.None;
		if (line === undefined) return;
		if (outer) outer.line ??= line;
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
		if (this.lastRun) this.lastRun.address = address;
	}

	private widen(space: Space): void {
		this.space = Math.max(this.space, space);
	}

	private forgetBlank(): void {
		if (this.space < Space.Line) this.space = Space.None;
	}

	/** The line on which the next text stands. */
	private begin(place: TextPlace): OpenLine {
		const isFull = (this.line?.runs.length ?? 0) > MAX_LINE_RUNS;
		if (isFull || this.space >= Space.Line) this.closeLine();
		this.line ??= this.newLine(place);
		this.canJoinCell = false;
		if (place.cell) place.cell.line ??= this.line;
		return this.line;
	}

	private newLine(place: TextPlace): OpenLine {
		let item = place.item;
		while (item?.isEmpty) {
			item.isEmpty = false;
			item = item.outerItem;
		}
		const breaks = this.space === Space.EmptyLine ? '\n\n' : '\n';
		this.space = Space.None;
		this.decoration -= lengthOfMarks(place.container);
		const around =
			this.decoration < 0 ? { ...place, container: undefined, item: undefined } : place;
		return new OpenLine(breaks, around);
	}

	private closeLine(): void {
		const { line } = this;
		if (line === undefined) return;
		this.line = undefined;
		if (hasWords(line)) {
			const { item } = line.around;
			if (item?.isStarted === false) line.items = startItems(item);
			this.blocks.push(line);
			this.countPiece();
		} else {
			// A line of blanks is an empty one.
			this.space = Space.EmptyLine;
		}
	}

	private append(text: string, line: OpenLine, place: TextPlace): void {
		const isFirst = line.runs.length === 0;
		const gap = isFirst ? '' : this.gap();
		const { link, table, row } = place;
		let { marks } = place;
		if (link?.isOver) marks = marks.filter((mark) => mark !== link.mark);
		else if (link && link.label.length < MAX_LABEL) link.label += gap + text;
		if (row) addTextTo(row, line, isFirst);
		// It stands between two rows.
		else if (table && table.rows.length > 0) table.isLayout = true;
		this.space = Space.None;
		this.lastRun = new WrittenRun(gap, text, marks);
		// An array that is made with its first element is a tenth as large.
		if (isFirst) line.runs = Array.of(this.lastRun);
		else line.runs.push(this.lastRun);
		this.countPiece();
	}

	private gap(): '' | ' ' | '\t' {
		if (this.space === Space.Cell) return '\t';
		return this.space === Space.Blank ? ' ' : '';
	}

	private countPiece(): void {
		this.pieces++;
		if (this.pieces <= this.limits.pieces) return;
		this.written ??= [];
		if (this.pieces % PIECES_AT_ONCE === 0) this.writeBlocks(this.written);
	}

	private writeBlocks(written: string[]): void {
		const pieces: string[] = [];
		for (const block of this.blocks) pieces.push(block.breaks, writeLine(block));
		written.push(pieces.join(''));
		this.blocks = [];
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

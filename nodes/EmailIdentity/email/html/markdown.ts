import { markdownLink } from './links';
import { Table, type RowLine } from './markdownTable';
import type { Element } from './walker';

// Deeper than people follow.
const MAX_QUOTES = 5;
const MAX_ENTRIES = 6;

const MIN_DECORATION = 1000;

const QUOTE = '> ';
const RULE = '***';

/** Characters that mean something wherever they stand. */
const SPECIAL = /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,40};)/gu;

/** What begins a heading, a list, a quotation or a table at the beginning of a line. */
const BLOCK_START = /^(?:[-+#](?=[\s#]|$)|>|[-=:](?=[-=: ]*$))/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;

const KINDS: Readonly<Record<string, Mark['kind'] | undefined>> = {
	...{ b: 'bold', strong: 'bold', em: 'italic', i: 'italic' },
	...{ code: 'code', kbd: 'code', samp: 'code', tt: 'code' },
};

/** An exclamation mark before a link would make a picture of it. */
const LOOKS_LIKE_PICTURE = /!\[/g;

const DELIMITERS = { bold: '**', code: '`', italic: '*', link: '' };

interface Mark {
	kind: keyof typeof DELIMITERS;
	/** Of a link. */
	address?: string;
	/** Of a link with several lines, the first one leads to its target. */
	isOver?: boolean;
}

/** A quotation, or an entry of a list. */
interface Block {
	/** Before the first line, and before all others. */
	marker: string;
	indent: string;
	isStarted?: boolean;
}

/** A preformatted element. */
interface Code {
	first?: Line;
	last?: Line;
	fence: string;
}

/** What is around a place in the text, the outermost first. */
interface Place {
	blocks: readonly Block[];
	marks: readonly Mark[];
	/** The level of the heading; 0 for none. */
	heading: number;
	code?: Code;
	table?: Table;
}

/** A line with text. */
interface Line extends RowLine, Pick<Place, 'blocks' | 'heading' | 'code'> {
	prefix: string;
	isNewEntry: boolean;
}

/**
 * The lines of the plain text in Markdown (CommonMark 0.31, with tables). One of them can hold several, such as the one under a
 * table's head.
 */
export class MarkdownLines {
	/** Undefined for an empty one. */
	private readonly lines: Array<Line | undefined> = [];

	private place: Place = { blocks: [], marks: [], heading: 0 };

	/** The places around each open element. */
	private readonly outer: Place[] = [];

	private line: Line = newLine(this.place);

	/** Of the current line. */
	private pieces: string[] = [];

	/** In the current line, with the index of their first piece. */
	private readonly openMarks: Array<{ mark: Mark; start: number }> = [];

	private decoration: number;

	constructor(length: number) {
		this.decoration = Math.max(length, MIN_DECORATION);
	}

	startElement({ tag, attributes }: Element): void {
		const { table, code } = this.place;
		if (tag.role === 'row') table?.startRow();
		else if (tag.role === 'cell') table?.startCell(attributes.get('colspan'));
		if (tag.isVoid) return;
		this.outer.push(this.place);
		const kind = KINDS[tag.name];
		if (kind) this.mark({ kind });
		else if (/^h[1-6]$/.test(tag.name)) {
			if (!table && !code) this.enter({ heading: Number(tag.name.charAt(1)) });
		} else if (tag.name === 'pre' || tag.name === 'table') {
			if (table) table.isLayout = true;
			if (tag.name === 'table') this.enter({ table: new Table(attributes), heading: 0 });
			else this.enter({ code: code ?? { fence: '```' }, heading: 0 });
		}
	}

	startQuote(): void {
		this.startBlock(QUOTE, QUOTE, MAX_QUOTES);
	}

	startEntry(marker: string): void {
		this.startBlock(marker, ' '.repeat(marker.length), MAX_ENTRIES);
	}

	startLink(address: string): void {
		this.mark({ kind: 'link', address });
	}

	endLink(): void {
		for (const mark of this.place.marks) if (mark.kind === 'link') mark.isOver = true;
	}

	/** The last line of a table has ended. */
	endElement({ tag: { name } }: Element): void {
		if (name === 'table') this.place.table?.write();
		this.place = this.outer.pop() ?? this.place;
	}

	startLine(): void {
		this.line = newLine(this.place);
		this.pieces = [];
		this.openMarks.length = 0;
	}

	/** @param gap between the words and those before them on the line */
	add(words: string, gap: string): void {
		this.place.table?.addText(this.line, this.pieces.length === 0);
		const { code } = this.line;
		if (code) {
			this.pieces.push(gap, words);
			return;
		}
		const wanted = this.wantedMarks(words);
		const different = this.openMarks.findIndex(({ mark }, index) => mark !== wanted[index]);
		this.closeMarks(gap === '\t' ? 0 : different < 0 ? Infinity : different);
		this.pieces.push(gap);
		for (const mark of wanted.slice(this.openMarks.length)) {
			this.openMarks.push({ mark, start: this.pieces.length });
			this.pieces.push(DELIMITERS[mark.kind]);
		}
		const isCode = this.openMarks.at(-1)?.mark.kind === 'code';
		const text = words.replace(/\s+/g, ' ');
		this.pieces.push(isCode ? text : text.replace(SPECIAL, '\\$&'));
	}

	addRule(): void {
		if (this.place.table) this.place.table.isLayout = true;
		this.pieces.push(RULE);
	}

	endLine(): void {
		this.closeMarks(0);
		const { line } = this;
		const { blocks, code, heading } = line;
		const written = this.pieces.join('');
		const text = written.trim().replace(BLOCK_START, '\\$&').replace(NUMBER_START, '$1\\$2');
		if (code) {
			line.text = written.trimEnd();
			code.first ??= line;
			code.last = line;
			for (const run of line.text.match(/`{3,}/g) ?? []) {
				if (run.length >= code.fence.length) code.fence = '`'.repeat(run.length + 1);
			}
		} else if (written === RULE) line.text = RULE;
		else line.text = text.replace(LOOKS_LIKE_PICTURE, '\\![');
		if (heading > 0) line.text = `${'#'.repeat(heading)} ${line.text}`;
		line.isNewEntry = blocks.some(({ isStarted, marker }) => !isStarted && marker !== QUOTE);
		line.prefix = blocks.map((one) => (one.isStarted ? one.indent : one.marker)).join('');
		line.indent = blocks.map((one) => one.indent).join('');
		for (const block of blocks) block.isStarted = true;
		// Marks of quoting and indents are dropped once there are as many as the HTML is long.
		this.decoration -= line.prefix.length;
		if (this.decoration < 0) line.prefix = '';
		this.lines.push(line);
		this.startLine();
	}

	addEmptyLine(): void {
		this.lines.push(undefined);
	}

	/** As many as the plain text has; those that are left out are undefined. */
	result(): Array<string | undefined> {
		let last: Line | undefined;
		return this.lines.map((line, index) => {
			const [above, below] = [this.lines[index - 1], this.lines[index + 1]];
			if (line) {
				last = line;
				const isApart = above && howFollows(above, line) === 'apart';
				const isContinued = below && howFollows(line, below) === 'continued';
				return `${isApart ? '\n' : ''}${inFence(line)}${isContinued ? '  ' : ''}`;
			}
			if (above?.table && above.table === below?.table) return undefined;
			return last?.code && last.code.last !== last ? last.indent.trimEnd() : '';
		});
	}

	private enter(change: Partial<Place>): void {
		this.place = { ...this.place, ...change };
	}

	private mark(mark: Mark): void {
		const { marks } = this.place;
		if (marks.every(({ kind, isOver }) => kind !== mark.kind || isOver)) {
			this.enter({ marks: [...marks, mark] });
		}
	}

	private startBlock(marker: string, indent: string, most: number): void {
		const { blocks, code } = this.place;
		const count = blocks.filter((one) => (one.marker === QUOTE) === (marker === QUOTE)).length;
		if (!code && count < most) this.enter({ blocks: [...blocks, { marker, indent }] });
	}

	/** Nothing can be marked in code, and headings are bold already. */
	private wantedMarks(words: string): Mark[] {
		const { marks } = this.place;
		const code = marks.findIndex(({ kind }) => kind === 'code');
		const hasCode = code >= 0 && !/[`|\\]/.test(words);
		return (hasCode ? marks.slice(0, code + 1) : marks).filter(
			({ kind, isOver }) =>
				!isOver && (kind !== 'code' || hasCode) && (kind !== 'bold' || this.line.heading === 0),
		);
	}

	private closeMarks(count: number): void {
		for (const { mark, start } of this.openMarks.splice(count).reverse()) {
			if (mark.kind === 'link') {
				const label = this.pieces.splice(start).join('');
				this.pieces.push(markdownLink(label, mark.address ?? ''));
				mark.isOver = true;
			} else {
				this.pieces.push(DELIMITERS[mark.kind]);
			}
		}
	}
}

/** Lines of Markdown as one text. */
export function joinLines(lines: ReadonlyArray<string | undefined>): string {
	return lines.filter((line) => line !== undefined).join('\n');
}

function newLine(place: Place): Line {
	const { blocks, heading, code } = place;
	return { blocks, heading, code, prefix: '', indent: '', isNewEntry: false, text: '' };
}

/** With the delimiters of a preformatted element before its first and after its last line. */
function inFence(line: Line): string {
	const { code, prefix, indent, text } = line;
	if (!code) return prefix + text;
	const start = code.first === line ? `${prefix}${code.fence}\n${indent}` : prefix;
	return `${start}${text}${code.last === line ? `\n${indent}${code.fence}` : ''}`;
}

/** Lines of a paragraph need two blanks at their ends, and some kinds of lines an empty line between. */
function howFollows(above: Line, line: Line): 'apart' | 'continued' | 'next' {
	if (above.table !== line.table) return 'apart';
	const isParagraph = above.heading === 0 && above.text !== RULE && !above.code && !above.table;
	if (!isParagraph) return 'next';
	if (above.blocks === line.blocks) return line.isNewEntry || line.code ? 'next' : 'continued';
	if (!line.isNewEntry) return 'apart';
	// Only a list that begins with 1 can follow text without an empty line.
	const isInner = line.blocks.length > above.blocks.length;
	return isInner && /^(?!1\.)\d/.test(line.blocks.at(-1)?.marker ?? '') ? 'apart' : 'next';
}

import { isCell } from './elements';
import { markdownLink } from './links';
import { Table, type RowLine } from './markdownTable';
import type { Element } from './walker';

// Deeper than people follow.
const MAX_BLOCKS = 8;

const QUOTE = '> ';
const MARKDOWN_RULE = '***';

/** Characters that mean something wherever they stand. */
const SPECIAL = /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,40};)/gu;

/** What begins a heading, a list, a quotation or a table at the beginning of a line. */
const BLOCK_START = /^(?:[-+#](?=[\s#]|$)|>|[-=:](?=[-=: ]*$))/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;

const MARK_KINDS: ReadonlyMap<string, Mark['kind']> = new Map([
	...['b', 'strong'].map((name) => [name, 'bold'] as const),
	...['em', 'i'].map((name) => [name, 'italic'] as const),
	...['code', 'kbd', 'samp', 'tt'].map((name) => [name, 'code'] as const),
]);

/** An exclamation mark before a link would make a picture of it. */
const LOOKS_LIKE_PICTURE = /!\[/g;

const DELIMITERS = { bold: '**', code: '`', italic: '*', link: '' };

const WORD_END = /[\p{L}\p{N}\p{M}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;

interface Mark {
	kind: keyof typeof DELIMITERS;
	/** Of a link. */
	address?: string;
	/** Of a link with several lines, the first one leads to its target. */
	isOver?: boolean;
}

/** A quotation, or an entry of a list. */
interface MarkdownBlock {
	/** Before the first line, and before all others. */
	marker: string;
	indent: string;
	isStarted?: boolean;
}

/** A preformatted element. */
interface Code {
	first?: MarkdownLine;
	last?: MarkdownLine;
	fence: string;
}

/** What is around a place in the text, the outermost first. */
interface Surroundings {
	blocks: readonly MarkdownBlock[];
	marks: readonly Mark[];
	/** The level of the heading; 0 for none. */
	heading: number;
	code?: Code;
	table?: Table;
	/** The innermost cell. */
	cell?: Element;
}

/** A line with text. */
interface MarkdownLine extends RowLine, Pick<Surroundings, 'blocks' | 'heading' | 'code' | 'cell'> {
	prefix: string;
	isNewEntry: boolean;
}

/** The pieces of a line that hold the delimiters of an emphasis. */
interface Emphasis {
	start: number;
	end: number;
}

/**
 * The lines of the plain text in Markdown (CommonMark 0.31, with tables). One of them can hold several, such as the one under a
 * table's head.
 */
export class MarkdownLines {
	/** Undefined for an empty one. */
	private readonly lines: Array<MarkdownLine | undefined> = [];

	private place: Surroundings = { blocks: [], marks: [], heading: 0 };

	/** The places around each open element. */
	private readonly outer: Surroundings[] = [];

	private line: MarkdownLine = newLine(this.place);

	/** Of the current line. */
	private pieces: string[] = [];

	/** In the current line, with the index of their first piece. */
	private readonly openMarks: Array<{ mark: Mark; start: number }> = [];

	private emphases: Emphasis[] = [];

	/** Blanks at the end of the last words. */
	private trailing = '';

	/** @param decoration characters of marks of quoting and indents that may be added */
	constructor(private decoration: number) {}

	startElement(element: Element): void {
		const { name, tag, attributes } = element;
		const { table, code } = this.place;
		if (name === 'tr') table?.startRow();
		else if (isCell(name)) table?.startCell(attributes.get('colspan'));
		if (tag.isVoid) return;
		this.outer.push(this.place);
		const kind = MARK_KINDS.get(name);
		if (isCell(name)) this.enter({ cell: element });
		else if (kind) this.mark({ kind });
		else if (/^h[1-6]$/.test(name)) {
			if (!table && !code) this.enter({ heading: Number(name.charAt(1)) });
		} else if (name === 'pre' || name === 'table') {
			if (table) table.isLayout = true;
			if (name === 'table') this.enter({ table: new Table(attributes), heading: 0 });
			else this.enter({ code: code ?? { fence: '```' }, heading: 0 });
		}
	}

	/** @param marker of a quotation, or of an entry in a list */
	startBlock(marker: string): void {
		const { blocks, code } = this.place;
		if (code || blocks.length >= MAX_BLOCKS) return;
		const indent = marker === QUOTE ? QUOTE : ' '.repeat(marker.length);
		this.enter({ blocks: [...blocks, { marker, indent }] });
	}

	startLink(address: string): void {
		this.mark({ kind: 'link', address });
	}

	endLink(): void {
		for (const mark of this.place.marks) if (mark.kind === 'link') mark.isOver = true;
	}

	/** The last line of a table has ended. */
	endElement({ name }: Element): void {
		if (name === 'table') this.place.table?.write();
		this.place = this.outer.pop() ?? this.place;
	}

	startLine(): void {
		this.line = newLine(this.place);
		this.pieces = [];
		this.openMarks.length = 0;
		this.emphases = [];
		this.trailing = '';
	}

	/** @param gap between the words and those before them on the line */
	add(words: string, gap: string): void {
		this.place.table?.addText(this.line, this.pieces.length === 0);
		const { code } = this.line;
		if (code) {
			this.pieces.push(gap, words);
			return;
		}
		const text = words.replace(/\s+/g, ' ');
		const inner = text.trim();
		const outerGap = gap || this.trailing || (text.startsWith(' ') ? ' ' : '');
		this.trailing = inner !== '' && text.endsWith(' ') ? ' ' : '';
		const wanted = inner === '' ? [] : this.wantedMarks(words);
		const different = this.openMarks.findIndex(
			({ mark }, index) => !continues(mark, wanted[index]),
		);
		this.closeMarks(gap === '\t' ? 0 : different < 0 ? Infinity : different);
		this.pieces.push(outerGap);
		for (const mark of wanted.slice(this.openMarks.length)) {
			this.openMarks.push({ mark, start: this.pieces.length });
			this.pieces.push(DELIMITERS[mark.kind]);
		}
		const isCode = this.openMarks.at(-1)?.mark.kind === 'code';
		this.pieces.push(isCode ? inner : inner.replace(SPECIAL, '\\$&'));
	}

	addRule(): void {
		if (this.place.table) this.place.table.isLayout = true;
		this.pieces.push(this.place.code ? '---' : MARKDOWN_RULE);
	}

	endLine(): void {
		this.closeMarks(0);
		this.removeBrokenEmphases(0);
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
		} else if (written === MARKDOWN_RULE) line.text = MARKDOWN_RULE;
		else line.text = text.replace(LOOKS_LIKE_PICTURE, '\\![');
		if (heading > 0 && line.text !== MARKDOWN_RULE)
			line.text = `${'#'.repeat(heading)} ${line.text}`;
		const prefix = blocks.map((one) => (one.isStarted ? one.indent : one.marker)).join('');
		for (const block of blocks) block.isStarted = true;
		this.decoration -= prefix.length;
		line.prefix = this.decoration < 0 ? '' : prefix;
		line.indent = blocks.map((one) => one.indent).join('');
		line.isNewEntry = prefix !== line.indent;
		this.lines.push(line);
		this.startLine();
	}

	addEmptyLine(): void {
		this.lines.push(undefined);
	}

	/** As many as the plain text has; those that are left out are undefined. */
	result(): Array<string | undefined> {
		let last: MarkdownLine | undefined;
		return this.lines.map((line, index) => {
			const [above, below] = [this.lines[index - 1], this.lines[index + 1]];
			if (line) {
				last = line;
				const isApart = above && howFollows(above, line) === 'apart';
				const isContinued = below && howFollows(line, below) === 'continued';
				return `${isApart ? `${emptyLine(above, line)}\n` : ''}${inFence(line)}${isContinued ? '  ' : ''}`;
			}
			if (above?.table && above.table === below?.table) return undefined;
			if (last?.code && last.code.last !== last) return last.indent.trimEnd();
			return above && below ? emptyLine(above, below) : '';
		});
	}

	private enter(change: Partial<Surroundings>): void {
		// Much faster than two spreads.
		this.place = Object.assign({ ...this.place }, change);
	}

	private mark(mark: Mark): void {
		const marks = this.place.marks.filter(({ isOver }) => !isOver);
		if (marks.every(({ kind }) => kind !== mark.kind)) this.enter({ marks: [...marks, mark] });
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
				this.removeBrokenEmphases(start);
				const label = this.pieces.splice(start).join('');
				this.pieces.push(markdownLink(label, mark.address ?? ''));
				mark.isOver = true;
			} else {
				if (mark.kind !== 'code') this.emphases.push({ start, end: this.pieces.length });
				this.pieces.push(DELIMITERS[mark.kind]);
			}
		}
	}

	/** Beside a letter, or another emphasis that has ended, delimiters do not always count (CommonMark 0.31, 6.2). */
	private removeBrokenEmphases(from: number): void {
		const { pieces } = this;
		const ended = this.emphases.filter(({ start }) => start >= from);
		const starts = new Set(ended.map(({ start }) => start));
		const ends = new Set(ended.map(({ end }) => end));
		for (const { start, end } of ended) {
			let [before, after] = [start - 1, end + 1];
			while (before >= from && (pieces[before] === '' || starts.has(before))) before--;
			while (after < pieces.length && (pieces[after] === '' || ends.has(after))) after++;
			const touches =
				ends.has(before) ||
				starts.has(after) ||
				(before >= from && WORD_END.test(pieces[before] ?? '')) ||
				WORD_START.test(pieces[after] ?? '');
			if (touches) pieces[start] = pieces[end] = '';
		}
		this.emphases = this.emphases.filter(({ start }) => start < from);
	}
}

/** Bold words beside bold words are one emphasis. */
function continues(mark: Mark, wanted: Mark | undefined): boolean {
	const isEmphasis = mark.kind === 'bold' || mark.kind === 'italic';
	return mark === wanted || (isEmphasis && mark.kind === wanted?.kind);
}

/** Lines of Markdown as one text. */
export function joinLines(lines: ReadonlyArray<string | undefined>): string {
	return lines.filter((line) => line !== undefined).join('\n');
}

function newLine(place: Surroundings): MarkdownLine {
	const { blocks, heading, code, cell } = place;
	return { blocks, heading, code, cell, prefix: '', indent: '', isNewEntry: false, text: '' };
}

/** With the delimiters of a preformatted element before its first and after its last line. */
function inFence(line: MarkdownLine): string {
	const { code, prefix, indent, text } = line;
	if (!code) return prefix + text;
	const start = code.first === line ? `${prefix}${code.fence}\n${indent}` : prefix;
	return `${start}${text}${code.last === line ? `\n${indent}${code.fence}` : ''}`;
}

/** Within a quotation, an empty line is a part of it. */
function emptyLine(above: MarkdownLine, below: MarkdownLine): string {
	if (above.prefix === '' || below.prefix === '') return '';
	const different = above.blocks.findIndex((block, index) => block !== below.blocks[index]);
	const common = above.blocks.slice(0, different < 0 ? undefined : different);
	return common
		.map(({ indent }) => indent)
		.join('')
		.trimEnd();
}

/** Lines of a paragraph need two blanks at their ends, and some kinds of lines an empty line between. */
function howFollows(above: MarkdownLine, line: MarkdownLine): 'apart' | 'continued' | 'next' {
	if (above.table !== line.table) return 'apart';
	const isParagraph =
		above.heading === 0 && above.text !== MARKDOWN_RULE && !above.code && !above.table;
	if (!isParagraph) return 'next';
	// Rows of several cells follow each other, as in a list of prices.
	const areRows = above.text.includes('\t') && line.text.includes('\t');
	if (above.cell !== line.cell && !areRows) return 'apart';
	if (above.blocks === line.blocks) return line.isNewEntry || line.code ? 'next' : 'continued';
	if (!line.isNewEntry) return 'apart';
	// Only a list that begins with 1 can follow text without an empty line.
	const isInner = line.blocks.length > above.blocks.length;
	return isInner && /^(?!1\.)\d/.test(line.blocks.at(-1)?.marker ?? '') ? 'apart' : 'next';
}

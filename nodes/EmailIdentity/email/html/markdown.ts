import { markdownLink, shortLink } from './links';
import type { Element } from './walker';

// Deeper than people follow.
const MAX_QUOTES = 5;
const MAX_ENTRIES = 6;

const MIN_DECORATION = 1000;

const MAX_COLUMNS = 30;

// Rows with fewer cells than the others, because some of those reach over several rows.
const MAX_MISSING_CELLS = 3;

const QUOTE = '> ';
const RULE = '***';

/** Characters that mean something wherever they stand. */
const SPECIAL = /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w{1,40};)/gu;

/** What begins a heading, a list, a quotation or a table at the beginning of a line. */
const BLOCK_START = /^(?:[-+#](?=[\s#]|$)|>|[-=:](?=[-=: ]*$))/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;

/** Emphasis, code or a link around the current place. */
interface Mark {
	element: Element;
	kind: 'bold' | 'code' | 'italic' | 'link';
	/** Of a link. */
	address?: string;
	/** Index of its beginning in the line, while it is open. */
	start?: number;
}

/** A quotation, or an entry of a list. */
interface Container {
	element: Element;
	/** Of the next line: a mark of quoting, the marker of an entry without text, or the indent of one with text. */
	prefix: string;
	/** Of all further lines. */
	indent: string;
}

interface Row {
	line: number;
	prefix: string;
	columns: number;
	/** Columns of the current cell, and of the first and the last text. */
	current: number;
	first: number;
	last: number;
	isOnOneLine: boolean;
}

interface Fence {
	/** How many preformatted elements are open. */
	depth: number;
	/** The first line within; undefined as long as there is none. */
	line: number | undefined;
	/** Before the first line, and before the others. */
	prefix: string;
	indent: string;
}

interface Table {
	rows: Row[];
	/** It only puts things beside each other. */
	isLayout: boolean;
}

const KINDS: Readonly<Record<string, Mark['kind'] | undefined>> = {
	...{ b: 'bold', strong: 'bold', em: 'italic', i: 'italic' },
	...{ code: 'code', kbd: 'code', samp: 'code', tt: 'code' },
};

const DELIMITERS = { bold: '**', code: '`', italic: '*', link: '[' };

/**
 * The lines of the plain text in Markdown (CommonMark 0.31, with tables). One of them can hold several, such as the one under a
 * table's head; one that is undefined is left out.
 */
export class MarkdownLines {
	readonly lines: Array<string | undefined> = [];

	private pieces: string[] = [];

	/** Of the current line: marks of quoting, entries and headings. */
	private prefix = '';

	private marks: Mark[] = [];

	private readonly openMarks: Mark[] = [];

	private readonly containers: Container[] = [];

	/** Around the last line with text. */
	private lastContainers: Container[] = [];

	/** A line of text below continues this paragraph. */
	private isParagraph = false;

	private needsEmptyLine = false;

	/** The level of the heading, at the current place and of the current line; 0 for none. */
	private heading = 0;

	private headingOfLine = 0;

	private readonly tables: Table[] = [];

	/** Around preformatted lines. */
	private fence: Fence | undefined;

	private decoration: number;

	constructor(length: number) {
		this.decoration = Math.max(length, MIN_DECORATION);
	}

	/** The line before a table or a preformatted element has ended. */
	startElement(element: Element, isQuote: boolean): void {
		const { tag, attributes } = element;
		if (isQuote) this.containers.push({ element, prefix: QUOTE, indent: QUOTE });
		const kind = KINDS[tag.name];
		if (kind && !this.marks.some((mark) => mark.kind === kind)) this.marks.push({ element, kind });
		const table = this.tables.at(-1);
		const row = table?.rows.at(-1);
		if (isHeading(tag.name)) this.heading = Number(tag.name.charAt(1));
		if (tag.name === 'pre') this.startFence();
		if (table && (tag.name === 'pre' || tag.name === 'table')) table.isLayout = true;
		if (tag.name === 'table') {
			const isLayout = /^(?:none|presentation)$/.test(attributes.get('role') ?? '');
			this.tables.push({ rows: [], isLayout });
		} else if (tag.role === 'row') {
			const columns = { columns: 0, current: 0, first: 0, last: 0 };
			table?.rows.push({ line: -1, prefix: '', ...columns, isOnOneLine: true });
		} else if (tag.role === 'cell' && row) {
			row.current = row.columns;
			row.columns += Number(/^[1-9]$/.exec(attributes.get('colspan') ?? '')?.[0] ?? 1);
		}
	}

	startEntry(element: Element, marker: string): void {
		const indent = this.fence ? '' : ' '.repeat(marker.length);
		this.containers.push({ element, prefix: marker, indent });
	}

	startLink(element: Element, address: string): void {
		this.marks.push({ element, kind: 'link', address });
	}

	endLink(): void {
		this.marks = this.marks.filter(({ kind }) => kind !== 'link');
	}

	/** The last line of a table or a preformatted element has ended. */
	endElement(element: Element): void {
		while (this.containers.at(-1)?.element === element) this.containers.pop();
		if (this.marks.at(-1)?.element === element) this.marks.pop();
		const { name } = element.tag;
		if (isHeading(name)) this.heading = 0;
		else if (name === 'pre') this.endFence();
		else if (name === 'table') this.endTable();
	}

	startLine(): void {
		const { containers, lastContainers } = this;
		const isNewEntry = containers.some(({ prefix, indent }) => prefix !== indent);
		const isSame =
			containers.length === lastContainers.length &&
			containers.every((one, index) => one === lastContainers[index]);
		// Only a list that begins with 1 can follow text without an empty line.
		const isLateNumber =
			containers.length > lastContainers.length &&
			/^(?!1\.)\d/.test(containers.at(-1)?.prefix ?? '');
		if (this.isParagraph && isSame && !isNewEntry && !this.fence) {
			this.lines.push(`${this.lines.pop()}  `);
		} else if (this.isParagraph && !isSame) {
			this.needsEmptyLine = !isNewEntry || isLateNumber;
		}
		this.headingOfLine = this.tables.length > 0 || this.fence ? 0 : this.heading;
		this.prefix = this.takePrefix();
		this.lastContainers = [...containers];
		if (this.fence) this.fence.line ??= this.lines.length;
	}

	/** @param gap between the words and those before them on the line */
	add(words: string, gap: string): void {
		const separator = this.placeInTable(gap);
		if (this.fence) {
			this.pieces.push(separator, words);
			return;
		}
		const wanted = this.wantedMarks(words);
		const different = this.openMarks.findIndex((mark, index) => mark !== wanted[index]);
		this.closeMarks(gap === '\t' ? 0 : different < 0 ? Infinity : different);
		this.pieces.push(separator);
		for (const mark of wanted.slice(this.openMarks.length)) this.openMark(mark);
		const isCode = this.openMarks.at(-1)?.kind === 'code';
		const text = words.replace(/\s+/g, ' ');
		this.pieces.push(isCode ? text : text.replace(SPECIAL, '\\$&'));
	}

	addRule(): void {
		this.pieces.push(RULE);
	}

	endLine(): void {
		this.closeMarks(0);
		const written = this.pieces.join('');
		const isRule = written === RULE;
		const text = this.fence || isRule ? written.trimEnd() : escapeStart(written.trim());
		const heading = this.headingOfLine > 0 ? `${'#'.repeat(this.headingOfLine)} ` : '';
		this.lines.push(`${this.needsEmptyLine ? '\n' : ''}${this.prefix}${heading}${text}`);
		this.isParagraph = heading === '' && !isRule && !this.fence;
		this.needsEmptyLine = false;
		this.pieces = [];
	}

	/** There were only blanks on the line. */
	dropWords(): void {
		this.openMarks.length = 0;
		this.pieces = [];
	}

	addEmptyLine(): void {
		this.lines.push(this.fence?.line === undefined ? '' : this.fence.indent.trimEnd());
		this.isParagraph = false;
		this.needsEmptyLine = false;
	}

	/** @param dropped lines that the plain text has not */
	withoutFirst(dropped: number): Array<string | undefined> {
		return [
			joinLines(this.lines.slice(0, dropped + 1)).trimStart(),
			...this.lines.slice(dropped + 1),
		];
	}

	private indent(): string {
		return this.containers.map((one) => one.indent).join('');
	}

	/** Marks of quoting and indents are dropped once there are as many as the HTML is long. */
	private takePrefix(): string {
		let prefix = '';
		let quotes = 0;
		let entries = 0;
		for (const container of this.containers) {
			const isShown = container.indent === QUOTE ? quotes++ < MAX_QUOTES : entries++ < MAX_ENTRIES;
			if (isShown) prefix += container.prefix;
			container.prefix = container.indent;
		}
		this.decoration -= prefix.length;
		return this.decoration < 0 ? '' : prefix;
	}

	/** Nothing can be marked in code, and headings are bold already. */
	private wantedMarks(words: string): Mark[] {
		const code = this.marks.findIndex(({ kind }) => kind === 'code');
		const hasCode = code >= 0 && !/[`|\\]/.test(words);
		const marks = hasCode ? this.marks.slice(0, code + 1) : this.marks;
		return marks.filter(
			({ kind }) => (kind !== 'code' || hasCode) && (kind !== 'bold' || this.headingOfLine === 0),
		);
	}

	private openMark(mark: Mark): void {
		// An exclamation mark before a link would make a picture of it.
		if (mark.kind === 'link' && this.pieces.at(-1) === '' && this.pieces.at(-2)?.endsWith('!')) {
			this.pieces.splice(-2, 1, `${this.pieces.at(-2)?.slice(0, -1)}\\!`);
		}
		mark.start = this.pieces.length;
		this.pieces.push(DELIMITERS[mark.kind]);
		this.openMarks.push(mark);
	}

	private closeMarks(count: number): void {
		while (this.openMarks.length > count) {
			const mark = this.openMarks.pop() as Mark;
			if (mark.kind !== 'link') {
				this.pieces.push(DELIMITERS[mark.kind]);
				continue;
			}
			const [, ...label] = this.pieces.splice(mark.start ?? 0);
			this.pieces.push(markdownLink(label.join(''), mark.address ?? ''));
			// Of a link with several lines, the first one leads to its target.
			this.marks = this.marks.filter((one) => one !== mark);
		}
	}

	/** @returns the gap, with one tab for each column since the last text */
	private placeInTable(gap: string): string {
		const table = this.tables.at(-1);
		const row = table?.rows.at(-1);
		if (!row || row.columns === 0) {
			if (row && table) table.isLayout = true;
			return gap;
		}
		const since = row.current - row.last;
		if (row.line < 0) {
			const isOnOneLine = this.pieces.length === 0;
			Object.assign(row, { line: this.lines.length, prefix: this.prefix, isOnOneLine });
			row.first = row.current;
		}
		if (row.line !== this.lines.length) row.isOnOneLine = false;
		row.last = row.current;
		return gap === '\t' ? '\t'.repeat(Math.max(1, Math.min(since, MAX_COLUMNS))) : gap;
	}

	/** Several rows of several columns, each on one line, are a table. */
	private endTable(): void {
		const { isLayout = true, rows: written = [] } = this.tables.pop() ?? {};
		const rows = written.filter(({ line }) => line >= 0);
		const columns = rows.reduce((most, row) => Math.max(most, row.columns), 0);
		const isData =
			!isLayout &&
			columns > 1 &&
			columns <= MAX_COLUMNS &&
			rows.filter(({ first, last }) => last > first).length > 1 &&
			rows.every((row) => row.isOnOneLine && row.columns >= columns - MAX_MISSING_CELLS);
		const [top] = rows;
		if (!isData || !top) return;
		const places = new Set(rows.map(({ line }) => line));
		for (let line = top.line; line < this.lines.length; line++) {
			if (!places.has(line) && this.lines[line] !== '') return;
		}
		for (let line = top.line; line < this.lines.length; line++) {
			if (!places.has(line)) this.lines[line] = undefined;
		}
		for (const { line, prefix, first } of rows) {
			const text = this.lines[line]?.replace(/^\n/, '').slice(prefix.length) ?? '';
			const cells = [...Array<string>(first).fill(''), ...text.split('\t')];
			while (cells.length < columns) cells.push('');
			this.lines[line] = `${prefix}| ${cells.map((cell) => cell.trim()).join(' | ')} |`;
		}
		const above = this.lines[top.line - 1]?.trimEnd();
		if (above !== undefined) this.lines[top.line - 1] = above;
		const start = above ? '\n' : '';
		this.lines[top.line] =
			`${start}${this.lines[top.line]}\n${this.indent()}|${' --- |'.repeat(columns)}`;
		this.isParagraph = false;
		this.needsEmptyLine = true;
	}

	private startFence(): void {
		const prefix = this.containers.map((one) => one.prefix).join('');
		this.fence ??= { depth: 0, line: undefined, prefix, indent: this.indent() };
		this.fence.depth++;
	}

	private endFence(): void {
		const { fence } = this;
		if (!fence || --fence.depth > 0) return;
		this.fence = undefined;
		const { line: start, prefix, indent } = fence;
		if (start === undefined) return;
		const last = this.lines.length - 1;
		let longest = 2;
		for (let line = start; line <= last; line++) {
			const runs = this.lines[line]?.match(/`{3,}/g) ?? [];
			for (const run of runs) longest = Math.max(longest, run.length);
		}
		const delimiter = '`'.repeat(longest + 1);
		const [, gap = '', text = ''] = /^(\n?)(.*)$/s.exec(this.lines[start] ?? '') ?? [];
		this.lines[start] = `${gap}${prefix}${delimiter}\n${indent}${text.slice(prefix.length)}`;
		this.lines[last] += `\n${indent}${delimiter}`;
		this.isParagraph = false;
	}
}

/** Lines of Markdown as one text. */
export function joinLines(lines: ReadonlyArray<string | undefined>): string {
	return lines.filter((line) => line !== undefined).join('\n');
}

/** A plain email in Markdown: it stays as it is, but for quotations and links. */
export function plainAsMarkdown(lines: readonly string[]): string[] {
	let wasQuoted = false;
	return lines.map((line) => {
		const marks = /^ ?>(?: ?>){0,99} ?/.exec(line)?.[0] ?? '';
		const depth = Math.min(marks.replace(/[^>]+/g, '').length, MAX_QUOTES);
		const text = line
			.slice(marks.length)
			.replace(
				/<?https?:\/\/[^\s<>"]*[^\s<>".,:;!?')\]*_]>?/gi,
				(link) => `<${shortLink(link.replace(/^<|>$/g, ''))}>`,
			);
		// Text right below a quotation would count as its last line.
		const gap = wasQuoted && depth === 0 && text !== '' ? '\n' : '';
		wasQuoted = depth > 0;
		return gap + QUOTE.repeat(depth) + text;
	});
}

function isHeading(name: string): boolean {
	return /^h[1-6]$/.test(name);
}

/** A line of text that would begin something else in Markdown. */
function escapeStart(line: string): string {
	return line.replace(BLOCK_START, '\\$&').replace(NUMBER_START, '$1\\$2');
}

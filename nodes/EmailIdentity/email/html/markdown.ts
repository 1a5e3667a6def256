import { markdownLink } from './links';
import { Table } from './markdownTable';
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

interface Fence {
	/** How many preformatted elements are open. */
	depth: number;
	/** The first line within; undefined as long as there is none. */
	line: number | undefined;
	/** Before the first line, and before the others. */
	prefix: string;
	indent: string;
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
		if (isHeading(tag.name)) this.heading = Number(tag.name.charAt(1));
		if (tag.name === 'pre') this.startFence();
		if (table && (tag.name === 'pre' || tag.name === 'table')) table.isLayout = true;
		if (tag.name === 'table') this.tables.push(new Table(attributes.get('role')));
		else if (tag.role === 'row') table?.startRow();
		else if (tag.role === 'cell') table?.startCell(attributes.get('colspan'));
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
		else if (name === 'table' && this.tables.pop()?.write(this.lines, this.indent())) {
			this.isParagraph = false;
			this.needsEmptyLine = true;
		}
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
		const table = this.tables.at(-1);
		const place = { line: this.lines.length, prefix: this.prefix, isNew: this.pieces.length === 0 };
		const separator = table ? table.place(place, gap) : gap;
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
		const text = written.trim().replace(BLOCK_START, '\\$&').replace(NUMBER_START, '$1\\$2');
		const shown = this.fence || isRule ? written.trimEnd() : text;
		const heading = this.headingOfLine > 0 ? `${'#'.repeat(this.headingOfLine)} ` : '';
		this.lines.push(`${this.needsEmptyLine ? '\n' : ''}${this.prefix}${heading}${shown}`);
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

function isHeading(name: string): boolean {
	return /^h[1-6]$/.test(name);
}

import type { Pace } from '../../../basics';
import {
	quotationDepth,
	type Block,
	type Code,
	type Link,
	type Row,
	type Table,
} from '../blocks/blocks';
import { HTML_LIMITS } from '../htmlLimits';
import { shortLink } from '../blocks/links';
import {
	breaksBetween,
	containersOf,
	indentOf,
	markersOf,
	type MarkdownLine,
} from './markdownLines';
import { writeWords } from './markdownWords';
import { lineOf } from '../blocks/plainText';

// Writing so many lines and runs takes a few milliseconds.
const PIECES_BETWEEN_PAUSES = 4000;

const RULE = '***';
const RULE_IN_CODE = '---';

/** What begins a heading, a list, a quotation or a table at the beginning of a line. */
const BLOCK_START = /^(?:[-+#](?=[\s#]|$)|>|[-=:](?=[-=: ]*$))/;
const NUMBER_START = /^(\d{1,9})([.)])(?=\s|$)/;

/** An exclamation mark before a link would make a picture of it. */
const LOOKS_LIKE_PICTURE = /!\[/g;

/** Without the punctuation after it. */
const LINK_IN_TEXT = /<?https?:\/\/[^\s<>"]*[^\s<>".,:;!?')\]*_]>?/gi;

/** Whether blocks become Markdown: a longer text stays plain. */
export function isShortEnough(blocks: readonly Block[]): boolean {
	let characters = 0;
	for (const { runs } of blocks) {
		for (const { text } of runs) characters += text.length;
	}
	const { markdownLines, markdownCharacters } = HTML_LIMITS;
	return blocks.length <= markdownLines && characters <= markdownCharacters;
}

/** Blocks in Markdown (CommonMark 0.31, with tables). Breaks above the first one are not written. */
export async function writeMarkdown(blocks: readonly Block[], pace: Pace): Promise<string> {
	const writer = new MarkdownWriter(fencesOf(blocks));
	for (const block of blocks) {
		const pieces = 1 + block.runs.length;
		if (pace.spend(pieces / PIECES_BETWEEN_PAUSES)) await pace.pause();
		writer.add(block);
	}
	return writer.result();
}

class MarkdownWriter {
	private readonly pieces: string[] = [];

	private last: MarkdownLine | undefined;

	private readonly writtenLinks = new Set<Link>();

	/** @param fences around each preformatted element */
	constructor(private readonly fences: ReadonlyMap<Code, string>) {}

	add(block: Block): void {
		const line = this.readLine(block);
		const { last } = this;
		this.endCode(last, line);
		if (last) this.pieces.push(breaksBetween(last, line));
		this.pieces.push(markersOf(line));
		this.startCode(last, line);
		this.pieces.push(line.text);
		if (line.table && line.table !== last?.table) this.addDelimiterRow(line, line.table);
		this.last = line;
	}

	result(): string {
		this.endCode(this.last, undefined);
		return this.pieces.join('');
	}

	private readLine(block: Block): MarkdownLine {
		const { around } = block;
		const { code, row } = around;
		// Without any, marks would make the text too long.
		const container = code && around.container ? code.container : around.container;
		const containers = containersOf(container);
		const table = row?.table.isData && !code ? row.table : undefined;
		const text = row && table ? writeRow(this.wordsOf(block), row) : this.textOf(block);
		return { block, text, containers, table };
	}

	private textOf(block: Block): string {
		const { kind, around } = block;
		const { heading, code } = around;
		if (kind === 'written') return writeWritten(block);
		if (kind === 'rule') return code ? RULE_IN_CODE : RULE;
		if (code) return writeCode(block);
		const words = this.wordsOf(block)
			.trim()
			.replace(BLOCK_START, '\\$&')
			.replace(NUMBER_START, '$1\\$2');
		return heading > 0 ? `${'#'.repeat(heading)} ${words}` : words;
	}

	/** Without regard to what begins a line, and with blanks around: a cell of them alone is one, too. */
	private wordsOf({ runs, around }: Block): string {
		const words = writeWords(runs, around.heading > 0, this.writtenLinks);
		return words.replace(LOOKS_LIKE_PICTURE, '\\![');
	}

	private startCode(above: MarkdownLine | undefined, { block, containers }: MarkdownLine): void {
		const { code } = block.around;
		if (code === undefined || code === above?.block.around.code) return;
		this.pieces.push(`${this.fences.get(code)}\n${indentOf(containers)}`);
	}

	private endCode(line: MarkdownLine | undefined, below: MarkdownLine | undefined): void {
		const code = line?.block.around.code;
		if (line === undefined || code === undefined || code === below?.block.around.code) return;
		this.pieces.push(`\n${indentOf(line.containers)}${this.fences.get(code)}`);
	}

	/** Below the head of a table. */
	private addDelimiterRow({ containers }: MarkdownLine, { columns }: Table): void {
		this.pieces.push(`\n${indentOf(containers)}|${' --- |'.repeat(columns)}`);
	}
}

/** Between the lines of a fence stands what is not marked. */
function writeCode({ runs }: Block): string {
	let line = '';
	for (const { gap, text } of runs) line += gap + text;
	return line.trimEnd();
}

/** For each preformatted element more backticks than stand in a row within it. */
function fencesOf(blocks: readonly Block[]): ReadonlyMap<Code, string> {
	const fences = new Map<Code, string>();
	for (const block of blocks) {
		const { code } = block.around;
		if (code === undefined) continue;
		let fence = fences.get(code) ?? '```';
		for (const [ticks] of writeCode(block).matchAll(/`{3,}/g)) {
			if (ticks.length >= fence.length) fence = `${ticks}\``;
		}
		fences.set(code, fence);
	}
	return fences;
}

/** @param line cells with tabs between */
function writeRow(line: string, { table, filled }: Row): string {
	const cells = Array<string>(table.columns).fill('');
	for (const [index, text] of line.split('\t').entries()) {
		const column = filled[index];
		if (column !== undefined) cells[column] = text.trim();
	}
	return `| ${cells.join(' | ')} |`;
}

/** A line of a plain text that begins like a quotation and is none, such as `>From here on`, must not become one. */
function writeWritten(block: Block): string {
	const line = lineOf(block).replace(LINK_IN_TEXT, writeLink);
	const looksQuoted = line.startsWith('>') && quotationDepth(block) === 0;
	return looksQuoted ? `\\${line}` : line;
}

function writeLink(written: string): string {
	return `<${shortLink(written.replace(/^<|>$/g, ''))}>`;
}

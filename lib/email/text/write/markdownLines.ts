import {
	isApart,
	quotationDepth,
	type Block,
	type Table,
	type TextContainer,
} from '../blocks/blocks';

// Deeper than people follow.
const MAX_CONTAINERS = 8;
const MAX_WRITTEN_QUOTATIONS = 5;

const QUOTATION = '> ';

const OTHER_FIRST_NUMBER = /^(?!1\.)\d/;

/** A block as it is written. */
export interface MarkdownLine {
	block: Block;
	/** Its words. */
	text: string;
	/** The quotations and entries that it stands in, the outermost first. */
	containers: readonly TextContainer[];
	/** The table of data in which it is a row; undefined outside of one. */
	table: Table | undefined;
}

/** The line breaks between two lines, and what they need to stay two lines. */
export function breaksBetween(above: MarkdownLine, below: MarkdownLine): string {
	const areInOneTable = above.table !== undefined && above.table === below.table;
	if (areInOneTable) return '\n';
	const { kind, breaks } = below.block;
	if (kind === 'written') {
		const endsQuotation = quotationDepth(above.block) > 0 && quotationDepth(below.block) === 0;
		// Text right below a quotation would count as its last line.
		return endsQuotation && !isApart(below.block) ? `\n${breaks}` : breaks;
	}
	const emptyLine = `\n${indentBetween(above, below)}`;
	if (isApart(below.block)) return `${emptyLine.repeat(breaks.length - 1)}\n`;
	switch (howFollows(above, below)) {
		case 'apart':
			return `${emptyLine}\n`;
		case 'continued':
			return '  \n';
		case 'next':
			return '\n';
	}
}

/** Lines of a paragraph need two blanks at their ends, and some kinds of lines an empty line between. */
function howFollows(above: MarkdownLine, line: MarkdownLine): 'apart' | 'continued' | 'next' {
	if (above.table !== line.table) return 'apart';
	if (!isParagraph(above)) return 'next';
	// Rows of several cells follow each other, as in a list of prices.
	const areRows = above.text.includes('\t') && line.text.includes('\t');
	const isSameCell = above.block.around.cell === line.block.around.cell;
	if (!isSameCell && !areRows) return 'apart';
	const startsItem = line.block.items.length > 0;
	const innermost = line.containers.at(-1);
	if (above.containers.at(-1) === innermost) {
		const isOfParagraph = !startsItem && line.block.around.code === undefined;
		return isOfParagraph ? 'continued' : 'next';
	}
	if (!startsItem) return 'apart';
	// Only a list that begins with 1 can follow text without an empty line.
	const isInner = line.containers.length > above.containers.length;
	const marker = innermost?.kind === 'item' ? innermost.marker : '';
	return isInner && OTHER_FIRST_NUMBER.test(marker) ? 'apart' : 'next';
}

function isParagraph({ block, table }: MarkdownLine): boolean {
	const { heading, code } = block.around;
	return heading === 0 && block.kind !== 'rule' && code === undefined && table === undefined;
}

/** Within a quotation, an empty line is a part of it, and has its marks. */
function indentBetween(above: MarkdownLine, below: MarkdownLine): string {
	const { code } = above.block.around;
	if (code && code === below.block.around.code) return indentOf(above.containers).trimEnd();
	const common = above.containers.filter((one, index) => one === below.containers[index]);
	return indentOf(common).trimEnd();
}

/** Before the first line of an entry stands its marker. */
export function markersOf({ block, containers }: MarkdownLine): string {
	let markers = '';
	for (const container of containers) {
		const isNew = container.kind === 'item' && block.items.includes(container);
		markers += isNew ? container.marker : indentOf([container]);
	}
	return markers;
}

/** Quotations have their mark on each line; below the marker of an entry stand blanks. */
export function indentOf(containers: readonly TextContainer[]): string {
	let indent = '';
	for (const container of containers) {
		if (container.kind === 'item') indent += ' '.repeat(container.marker.length);
		else indent += QUOTATION.repeat(writtenDepth(container.quoteMarks, container.depth));
	}
	return indent;
}

function writtenDepth(quoteMarks: string | undefined, depth: number): number {
	return quoteMarks === undefined ? 1 : Math.min(depth, MAX_WRITTEN_QUOTATIONS);
}

export function containersOf(innermost: TextContainer | undefined): TextContainer[] {
	const containers: TextContainer[] = [];
	for (let one = innermost; one; one = one.outer) containers.push(one);
	return containers.reverse().slice(0, MAX_CONTAINERS);
}

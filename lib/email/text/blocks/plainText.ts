import { quotationDepth, type Block } from './blocks';

const RULE = '-'.repeat(20);

const QUOTATION = '> ';

const INDENT = '  ';

// Deeper than people follow.
const MAX_QUOTATIONS = 5;
const MAX_INDENTS = 5;

/** Blocks as plain text. Breaks above the first one are not written. */
export function writePlain(blocks: readonly Block[]): string {
	const pieces: string[] = [];
	for (const block of blocks) {
		if (pieces.length > 0) pieces.push(block.breaks);
		pieces.push(writeLine(block));
	}
	return pieces.join('');
}

export function writeLine(block: Block): string {
	return quoteMarksOf(block) + lineOf(block);
}

/** A block as plain text has it, without marks of quoting. */
export function lineOf({ kind, runs, items }: Block): string {
	const words = kind === 'rule' ? RULE : joinRuns(runs);
	if (kind === 'written') return words;
	const line = kind === 'preformatted' ? words.trimEnd() : words.trim();
	// An entry that is the first of another one stands for both.
	const item = items.at(-1);
	if (item === undefined) return line;
	return INDENT.repeat(Math.min(item.level, MAX_INDENTS)) + item.marker + line;
}

function joinRuns(runs: Block['runs']): string {
	let words = '';
	for (const { gap, text, address } of runs) {
		words += gap + text;
		if (address !== undefined) words += ` (${address})`;
	}
	return words;
}

function quoteMarksOf(block: Block): string {
	const { container } = block.around;
	if (container === undefined) return '';
	if (container.kind === 'quotation' && container.quoteMarks !== undefined)
		return container.quoteMarks;
	return QUOTATION.repeat(Math.min(quotationDepth(block), MAX_QUOTATIONS));
}

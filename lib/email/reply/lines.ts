import { normalized } from '../../basics';
import type { Reading } from '../limits';
import { quotationDepth, type Block } from '../text/blocks/blocks';
import { lineOf } from '../text/blocks/plainText';
import { quoteMarks } from '../text/blocks/quoteMarks';

/** A line of a reply, as the rules for replies compare it. */
export interface Line {
	/** Without marks of quoting, in one Unicode form, with single blanks and none around. Very long lines are cut off. */
	text: string;
	isQuoted: boolean;
	/** The number of its block; for an empty line that of the block below it. */
	block: number;
}

export const REPLY_LINES_BETWEEN_PAUSES = 250;

// Lines that mail programs put above a quotation are shorter.
const MAX_REPLY_LINE = 1000;

/** Some mail programs quote with the initials of the author: `AL>`. Other people begin a line of their own with such words. */
const INITIALS = /^ ?\p{Lu}{2,3}>(?: ?>){0,99}/u;

/** @param maxLine characters of a line that are read */
export async function readLines(
	blocks: readonly Block[],
	{ pace }: Reading,
	maxLine = MAX_REPLY_LINE,
): Promise<Line[]> {
	const lines: Line[] = [];
	for (const [index, block] of blocks.entries()) {
		const share = maxLine / MAX_REPLY_LINE / REPLY_LINES_BETWEEN_PAUSES;
		if (pace.spend(share)) await pace.pause();
		const emptyLines = index === 0 ? 0 : block.breaks.split('\n').length - 2;
		for (let count = 0; count < emptyLines; count++) {
			lines.push({ text: '', isQuoted: false, block: index });
		}
		const above = lines.at(-1);
		const aboveIfOwn = above === undefined || above.isQuoted ? '' : above.text;
		lines.push(readLine(block, index, aboveIfOwn, maxLine));
	}
	return lines;
}

/** An empty line within a quotation is part of it. */
export function isBlankLine({ text, isQuoted }: Line): boolean {
	return text === '' && !isQuoted;
}

/** The end of the lines above `index` that are not blank. */
export function skipBlankLinesAbove(lines: readonly Line[], index: number): number {
	let end = index;
	while (end > 0 && isBlankLine(lines[end - 1] as Line)) end--;
	return end;
}

export function isCapitalized(word: string): boolean {
	const first = word.charAt(0);
	return first === first.toUpperCase();
}

/** The lines of an HTML text may have marks of quoting, too. */
function readLine(block: Block, index: number, above: string, maxLine: number): Line {
	const written = lineOf(block);
	const isInQuotation = quotationDepth(block) > 0;
	let marks = '';
	if (block.kind !== 'written') marks = quoteMarks(written, isInQuotation ? '' : above);
	if (marks === '' && !isInQuotation) marks = INITIALS.exec(written)?.[0] ?? '';
	const words = written.slice(marks.length, marks.length + maxLine);
	const text = normalized(words.replace(/\s+/g, ' ').trim());
	return { text, isQuoted: isInQuotation || marks !== '', block: index };
}

import type { Reading } from '../limits';
import { beginsWithAttribution, findAttribution } from './attributions';
import { beginsWithHeader } from './earlierHeader';
import { isBlankLine, REPLY_LINES_BETWEEN_PAUSES, skipBlankLinesAbove, type Line } from './lines';
import { isOriginalMessageRule, isRule, startOfRulesAbove } from './rules';

/** Quoted lines that follow each other, with their attribution and the blank lines between. */
export interface Quotation {
	start: number;
	end: number;
	/** Whether a mail program names its author. Otherwise, the sender may have written it. */
	isAttributed: boolean;
}

/** The quotations above a line, from the top down. */
export async function findQuotations(
	lines: readonly Line[],
	end: number,
	{ pace }: Reading,
): Promise<Quotation[]> {
	const quotations: Quotation[] = [];
	for (let index = 0; index < end; index++) {
		if (pace.spend(1 / REPLY_LINES_BETWEEN_PAUSES)) await pace.pause();
		if (!lines[index]?.isQuoted) continue;
		const first = index;
		while (index < end && isPartOfQuotation(lines[index] as Line)) index++;
		quotations.push(readQuotation(lines, first, skipBlankLinesAbove(lines, index)));
	}
	return quotations;
}

function isPartOfQuotation(line: Line): boolean {
	return line.isQuoted || isBlankLine(line);
}

function readQuotation(lines: readonly Line[], first: number, end: number): Quotation {
	const above = skipBlankLinesAbove(lines, first);
	const attribution = findAttribution(lines, above);
	const isAttributed =
		attribution !== undefined ||
		isOriginalMessageRule(lines[above - 1]?.text ?? '') ||
		beginsWithAttribution(lines, first) ||
		quotesHeader(lines, first);
	if (!isAttributed) return { start: first, end, isAttributed };
	const start = startOfRulesAbove(lines, attribution ?? first);
	return { start, end, isAttributed };
}

/** Some programs also quote the header of the earlier email and the line above it. */
function quotesHeader(lines: readonly Line[], first: number): boolean {
	for (let index = first; index < lines.length; index++) {
		const line = lines[index] as Line;
		if (!line.isQuoted && !isBlankLine(line)) return false;
		if (isEmpty(line) || isOriginalMessageRule(line.text)) continue;
		return beginsWithHeader(lines, index);
	}
	return false;
}

/** Whether a line has no words. */
export function isEmpty({ text }: Line): boolean {
	return text === '' || isRule(text);
}

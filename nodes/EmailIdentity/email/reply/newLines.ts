import type { Pace } from '../../lib/pause';
import { startOfAttribution, startOfCertainAttribution } from './attributions';
import { readHeaderBlock } from './headerBlocks';
import { pointsBelow } from './inlineAnswers';
import { startOfListFooter } from './listFooter';
import { isBlank, LINES_BETWEEN_PAUSES, skipBlanksAbove, type Line } from './lines';
import { isForwardRule, isNotesRule, isOriginalMessageRule, isRule } from './separators';
import { startOfSignature } from './signatures';
import { readSubject } from './subjectPrefixes';

/** Lines of an email, the last one not included. */
export interface LineRange {
	from: number;
	to: number;
}

/**
 * The lines that are new in an answer: without the earlier emails and the signature at its end, and without the one
 * quotation that the answer stands under. When in doubt, lines are kept: quotations between answers, whatever was
 * forwarded, and everything where nothing else would remain.
 *
 * @param topic the subject of the conversation
 * @returns undefined when all lines are kept
 */
export async function findNewLines(
	lines: readonly Line[],
	topic: string,
	pace: Pace,
): Promise<LineRange | undefined> {
	const history = await findHistory(lines, topic, pace);
	if (history === 'forwarded') return undefined;
	if (history !== undefined && pointsBelow(lines.slice(0, history))) return undefined;
	const to = endOfNew(lines, history ?? lines.length);
	const from = startOfNew(lines, to);
	if (!hasWords(lines, from, to)) return undefined;
	return from > 0 || hasMore(lines, to) ? { from, to } : undefined;
}

/** Where an earlier email begins that goes on to the end without any marks of quoting. */
async function findHistory(
	lines: readonly Line[],
	topic: string,
	pace: Pace,
): Promise<number | 'forwarded' | undefined> {
	for (const [index, line] of lines.entries()) {
		if (pace.isDue(1 / LINES_BETWEEN_PAUSES)) await pace.pause();
		if (line.quoting !== 'none' || line.text === '') continue;
		if (isForwardRule(line.text)) return 'forwarded';
		if (isHeaderOf(lines, index, topic)) return aboveRules(lines, index);
		const start = startOfCertainAttribution(lines, index);
		if (start !== undefined && isFollowedByText(lines, index)) return aboveRules(lines, start);
	}
	return undefined;
}

/** A header about something else belongs to what somebody shows, not to the conversation. */
function isHeaderOf(lines: readonly Line[], index: number, topic: string): boolean {
	const header = readHeaderBlock(lines, index);
	if (header?.subject === undefined) return header !== undefined || lines[index]?.mark === 'header';
	const shown = readSubject(header.subject).topic;
	return shown.includes(topic) || (shown !== '' && topic.includes(shown));
}

function isFollowedByText(lines: readonly Line[], index: number): boolean {
	let next = index + 1;
	while (next < lines.length && isBlank(lines[next] as Line)) next++;
	return lines[next]?.quoting === 'none';
}

/** The line that mail programs draw above an earlier email belongs to it. */
function aboveRules(lines: readonly Line[], index: number): number {
	let start = index;
	for (;;) {
		const end = skipBlanksAbove(lines, start);
		const above = lines[end - 1];
		if (above === undefined || above.quoting !== 'none') return start;
		const { text } = above;
		if (!isRule(text) && !isOriginalMessageRule(text) && !isNotesRule(text)) return start;
		start = end - 1;
	}
}

/** Takes quotations, signatures and footers off the end, until something else is there. */
function endOfNew(lines: readonly Line[], end: number): number {
	let rest = skipBlanksAbove(lines, end);
	// Below a quotation and above it, but not two in a row: somebody may separate what they write by dashes, too.
	let mayBeSigned = true;
	for (;;) {
		const start = Math.min(startOfQuotation(lines, rest), startOfListFooter(lines, rest));
		const signature: number = start === rest && mayBeSigned ? startOfSignature(lines, rest) : start;
		if (signature === rest) return rest;
		mayBeSigned = start < rest;
		rest = skipBlanksAbove(lines, signature);
	}
}

/**
 * Where the quotation begins that ends here, with the words above it. What is marked as one only possibly is one below
 * such words, with all that follows.
 *
 * @param end the line after the last one
 * @returns `end` when there is none
 */
function startOfQuotation(lines: readonly Line[], end: number): number {
	let first = end;
	let certain = end;
	for (let index = end - 1; index >= 0; index--) {
		const line = lines[index] as Line;
		if (isBlank(line)) continue;
		if (line.quoting === 'none') break;
		if (line.quoting === 'certain' && certain === first) certain = index;
		first = index;
	}
	const start = first === end ? end : startOfAttribution(lines, first);
	if (start === first) return certain;
	const above = skipBlanksAbove(lines, start);
	return above > 0 && isOriginalMessageRule((lines[above - 1] as Line).text) ? above - 1 : start;
}

/** An answer that stands below the one quotation that it answers begins after it. */
function startOfNew(lines: readonly Line[], to: number): number {
	const quotation = lines.findIndex(({ quoting }) => quoting !== 'none');
	if (quotation < 0 || quotation >= to) return 0;
	let end = quotation;
	let isCertain = true;
	for (; end < to; end++) {
		const line = lines[end] as Line;
		if (line.quoting === 'possible') isCertain = false;
		if (line.quoting === 'none' && line.text !== '') break;
	}
	if (lines.slice(end, to).some(({ quoting }) => quoting !== 'none')) return 0;
	const start = startOfAttribution(lines, quotation);
	const isMeant = isCertain || start < quotation;
	return isMeant && skipBlanksAbove(lines, start) === 0 ? end : 0;
}

/** Whether somebody wrote something there. */
function hasWords(lines: readonly Line[], from: number, to: number): boolean {
	return lines.slice(from, to).some(({ text, quoting }) => quoting === 'none' && !isEmpty(text));
}

function hasMore(lines: readonly Line[], from: number): boolean {
	return lines.slice(from).some((line) => !isBlank(line));
}

function isEmpty(text: string): boolean {
	return text === '' || isRule(text);
}

import type { Block } from '../text/blocks';
import type { Reading } from '../limits';
import type { Email } from '../types';
import { beginsWithAttribution, findAttribution, findCertainAttribution } from './attributions';
import {
	isForwardRule,
	isGroupWiseRule,
	isHeaderByShape,
	isNotesRule,
	isOriginalMessageRule,
	isRule,
	pointsBelow,
	readHeaderBlock,
} from './earlierEmails';
import {
	isBlankLine,
	REPLY_LINES_BETWEEN_PAUSES,
	readLines,
	skipBlanksAbove,
	type Line,
} from './lines';
import { startOfListFooter, startOfScannerFooter, startOfSignature } from './personalSignature';
import { readSubject } from '../message/subjectPrefixes';

/** Between a line and the quotation that it introduces. */
const MAX_LINES_BELOW = 6;

/** A quotation and its attribution, including blank lines. */
interface Quotation {
	start: number;
	end: number;
	/** Whether a mail program names its author. Otherwise, the sender may have written it. */
	isAttributed: boolean;
}

/**
 * Reduces a reply to its new text: removes the earlier emails below it, a single quotation elsewhere, and the signature. In
 * doubt, text is kept: quotations between answers, forwarded emails, and the whole text if nothing else would remain. Other
 * emails are not changed.
 *
 * @returns the blocks that stay
 */
export async function removeQuotedText(
	blocks: readonly Block[],
	{ from, subject, thread }: Pick<Email, 'from' | 'subject' | 'thread'>,
	reading: Reading,
): Promise<readonly Block[]> {
	const { conversation, topic } = readSubject(subject);
	const isLinked = thread.inReplyTo !== null || thread.references.length > 0;
	if (conversation === 'forward' || (conversation === 'none' && !isLinked)) return blocks;
	const lines = await readLines(blocks, reading);
	const history = await findHistory(lines, topic, reading);
	if (history === 'forwarded') return blocks;
	if (history !== undefined && pointsBelow(lines.slice(0, history))) return blocks;
	const sender = `${from?.name} ${from?.address}`;
	const quotations = await findQuotations(lines, history, reading);
	const end = findEnd(lines, quotations, history ?? lines.length, sender);
	const only = onlyOf(lines, quotations);
	if (!hasOwnWords(lines, only, end)) return blocks;
	if (!only && skipBlanksAbove(lines, lines.length) <= end) return blocks;
	const blockAt = (line: number) => lines[line]?.block ?? blocks.length;
	const above = blocks.slice(0, blockAt(only?.start ?? 0));
	const below = blocks.slice(blockAt(only?.end ?? 0), blockAt(end));
	const [last] = above.slice(-1);
	const [first] = below;
	if (last === undefined || first === undefined) return [...above, ...below];
	above.splice(-1, 1, trimmedAtEnd(last));
	below.splice(0, 1, { ...first, breaks: '\n\n' });
	return [...above, ...below];
}

/** Without blanks at the end of the line. */
function trimmedAtEnd(block: Block): Block {
	const runs = block.runs.map((run) => ({ ...run, text: run.text.trimEnd() }));
	return block.kind === 'written' ? { ...block, runs } : block;
}

/** The first line of an earlier email that continues to the end without quote marks. */
async function findHistory(
	lines: readonly Line[],
	topic: string,
	{ pace }: Reading,
): Promise<number | 'forwarded' | undefined> {
	const isTopic = (subject: string): boolean =>
		topic !== '' && readSubject(subject).topic === topic;
	for (const [index, line] of lines.entries()) {
		if (pace.isDue(1 / REPLY_LINES_BETWEEN_PAUSES)) await pace.pause();
		if (isGroupWiseRule(line)) return index;
		if (line.isQuoted || line.text === '') continue;
		if (isForwardRule(line.text)) return 'forwarded';
		const isHeader = isHeaderOf(lines, index, topic) || isHeaderByShape(lines, index, isTopic);
		if (isHeader) return aboveRules(lines, index);
		if (isFollowedByQuotation(lines, index)) continue;
		const start = isOriginalMessageRule(line.text)
			? index
			: findCertainAttribution(lines, index + 1);
		if (start !== undefined) return aboveRules(lines, start);
	}
	return undefined;
}

/** A header with another subject is part of the new text. */
function isHeaderOf(lines: readonly Line[], index: number, topic: string): boolean {
	const header = readHeaderBlock(lines, index);
	if (header === undefined) return false;
	// "From: Vienna, To: Graz, Date: Saturday"
	if (header.subject === undefined) return header.hasAddress;
	const shown = readSubject(header.subject).topic;
	return shown.includes(topic) || (shown !== '' && topic.includes(shown));
}

/** Also if the line is only the beginning of an attribution. */
function isFollowedByQuotation(lines: readonly Line[], index: number): boolean {
	const below = lines.slice(index + 1, index + 1 + MAX_LINES_BELOW);
	const first = index + 1 + below.findIndex(({ isQuoted }) => isQuoted);
	if (first === index) return false;
	const above = skipBlanksAbove(lines, first);
	return above === index + 1 || (findAttribution(lines, above) ?? above) <= index;
}

/** Includes the lines that mail programs draw above an earlier email. */
function aboveRules(lines: readonly Line[], first: number): number {
	let start = first;
	for (;;) {
		const end = skipBlanksAbove(lines, start);
		const above = lines[end - 1];
		if (above === undefined || above.isQuoted) break;
		const { text } = above;
		if (!isRule(text) && !isOriginalMessageRule(text) && !isNotesRule(text)) break;
		start = end - 1;
	}
	return start;
}

/** Removes quotations, also from the list, signatures and footers from the end, until another line is last. */
function findEnd(
	lines: readonly Line[],
	quotations: Quotation[],
	history: number,
	sender: string,
): number {
	const attributed = quotations.findIndex(({ isAttributed }) => isAttributed);
	let end = skipBlanksAbove(lines, history);
	// Not two signatures in a row: the sender may also use dashes within the text.
	let mayBeSigned = true;
	for (;;) {
		const last = quotations.at(-1);
		let next = Math.min(startOfListFooter(lines, end), startOfScannerFooter(lines, end));
		if (last?.end === end) {
			if (attributed < 0 || attributed >= quotations.length) return end;
			quotations.pop();
			next = last.start;
			mayBeSigned = true;
		} else if (next < end) {
			mayBeSigned = true;
		} else if (mayBeSigned) {
			next = startOfSignature(lines, end, sender);
			mayBeSigned = false;
		}
		if (next === end) return end;
		end = skipBlanksAbove(lines, next);
	}
}

/** The only quotation, if it is above everything else or a mail program names its author. */
function onlyOf(lines: readonly Line[], quotations: Quotation[]): Quotation | undefined {
	const [only] = quotations;
	if (only === undefined || quotations.length > 1) return undefined;
	const isFirst = skipBlanksAbove(lines, only.start) === 0;
	return isFirst || only.isAttributed ? only : undefined;
}

async function findQuotations(
	lines: readonly Line[],
	end = lines.length,
	{ pace }: Reading,
): Promise<Quotation[]> {
	const quotations: Quotation[] = [];
	for (let index = 0; index < end; index++) {
		if (pace.isDue(1 / REPLY_LINES_BETWEEN_PAUSES)) await pace.pause();
		if (!lines[index]?.isQuoted) continue;
		const first = index;
		while (index < end && (lines[index]?.isQuoted || isBlankLine(lines[index] as Line))) index++;
		quotations.push(readQuotation(lines, first, skipBlanksAbove(lines, index)));
	}
	return quotations;
}

function readQuotation(lines: readonly Line[], first: number, end: number): Quotation {
	const above = skipBlanksAbove(lines, first);
	const attribution = findAttribution(lines, above);
	const isAttributed =
		attribution !== undefined ||
		isOriginalMessageRule(lines[above - 1]?.text ?? '') ||
		beginsWithAttribution(lines, first) ||
		hasHeader(lines, first);
	const start = attribution ?? first;
	return { start: isAttributed ? aboveRules(lines, start) : start, end, isAttributed };
}

/** Some programs also quote the header of the earlier email and the line above it. */
function hasHeader(lines: readonly Line[], first: number): boolean {
	let start = first;
	for (let line = lines[start]; line && isEmpty(line); line = lines[++start]) {
		if (!line.isQuoted && !isBlankLine(line)) return false;
	}
	return lines[start]?.isQuoted === true && readHeaderBlock(lines, start) !== undefined;
}

function isEmpty({ text }: Line): boolean {
	return text === '' || isRule(text);
}

function hasOwnWords(lines: readonly Line[], only: Quotation | undefined, end: number): boolean {
	return lines.slice(0, end).some((line, index) => {
		const isCut = only && index >= only.start && index < only.end;
		return !isCut && !line.isQuoted && !isEmpty(line);
	});
}

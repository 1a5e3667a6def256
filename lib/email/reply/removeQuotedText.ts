import type { Reading } from '../limits';
import { readSubject, type Conversation } from '../message/subjectPrefixes';
import type { Block } from '../text/blocks/blocks';
import type { EmailFields, EmailThread } from '../message/headerTypes';
import { isHeaderIn } from './earlierHeader';
import { findEarlierEmails, pointsBelow } from './earlierEmails';
import { startOfListFooter, startOfScannerFooter } from './footers';
import { readLines, skipBlankLinesAbove, type Line } from './lines';
import { divideOneLineHeader } from './oneLineHeader';
import { startOfSignature } from './personalSignature';
import { findQuotations, isEmpty, type Quotation } from './quotations';

/** Every block of a text is in one of these. */
export interface ReplyHalves {
	/** The new text. */
	kept: readonly Block[];
	/** What was taken away, in its order; empty if nothing was. */
	removed: readonly Block[];
}

/**
 * Reduces a reply to its new text: removes the earlier emails below it, a single quotation elsewhere, and the signature. In
 * doubt, text is kept: quotations between answers, forwarded emails, and the whole text if nothing else would remain. Other
 * emails are not changed.
 */
export async function removeQuotedText(
	blocks: readonly Block[],
	{ from, subject, thread }: Pick<EmailFields, 'from' | 'subject' | 'thread'>,
	reading: Reading,
): Promise<ReplyHalves> {
	const whole: ReplyHalves = { kept: blocks, removed: [] };
	const { conversation, topic, forwardLanguages } = readSubject(subject);
	if (!isReply(conversation, thread)) return whole;
	const lines = divideOneLineHeader(await readLines(blocks, reading));

	const earlier = await findEarlierEmails(lines, topic, reading);
	if (earlier === 'forwarded') return whole;
	if (earlier !== undefined && pointsBelow(lines.slice(0, earlier))) return whole;
	const isKnown = earlier === undefined || forwardLanguages === undefined;
	if (!isKnown && isHeaderIn(lines, earlier, forwardLanguages)) return whole;

	const bottom = earlier ?? lines.length;
	const quotations = await findQuotations(lines, bottom, reading);
	const sender = `${from?.name} ${from?.address}`;
	const end = removeFromEnd(lines, quotations, bottom, sender);
	const only = onlyQuotation(lines, quotations);

	if (!hasOwnWords(lines, only, end)) return whole;
	if (only === undefined && skipBlankLinesAbove(lines, lines.length) <= end) return whole;
	return divide(blocks, lines, only, end);
}

function isReply(conversation: Conversation, thread: EmailThread): boolean {
	if (conversation === 'reply' || conversation === 'forward') return conversation === 'reply';
	return thread.inReplyTo !== null || thread.references.length > 0;
}

/**
 * Removes signatures, footers and attributed quotations from the end, until another line is last.
 *
 * @param quotations those at the end are taken out
 * @returns the end of the lines that stay
 */
function removeFromEnd(
	lines: readonly Line[],
	quotations: Quotation[],
	bottom: number,
	sender: string,
): number {
	const attributed = quotations.findIndex(({ isAttributed }) => isAttributed);
	let end = skipBlankLinesAbove(lines, bottom);
	// Not two signatures in a row: the sender may also use dashes within the text.
	let mayBeSigned = true;
	for (;;) {
		const last = quotations.at(-1);
		let next = Math.min(startOfListFooter(lines, end), startOfScannerFooter(lines, end));
		if (last?.end === end) {
			// Above the first attributed one, the sender may have written them.
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
		end = skipBlankLinesAbove(lines, next);
	}
}

/** The only quotation that is left, if it is above everything else or a mail program names its author. */
function onlyQuotation(
	lines: readonly Line[],
	quotations: readonly Quotation[],
): Quotation | undefined {
	const [only] = quotations;
	if (only === undefined || quotations.length > 1) return undefined;
	const isFirst = skipBlankLinesAbove(lines, only.start) === 0;
	return isFirst || only.isAttributed ? only : undefined;
}

function hasOwnWords(lines: readonly Line[], only: Quotation | undefined, end: number): boolean {
	for (const [index, line] of lines.slice(0, end).entries()) {
		const isRemoved = only !== undefined && index >= only.start && index < only.end;
		if (!isRemoved && !line.isQuoted && !isEmpty(line)) return true;
	}
	return false;
}

/** The blocks above `end` stay, without those of the only quotation. */
function divide(
	blocks: readonly Block[],
	lines: readonly Line[],
	only: Quotation | undefined,
	end: number,
): ReplyHalves {
	const blockAt = (line: number): number => lines[line]?.block ?? blocks.length;
	const bottom = blockAt(end);
	const start = only === undefined ? bottom : Math.min(blockAt(only.start), bottom);
	const after = only === undefined ? bottom : Math.min(blockAt(only.end), bottom);
	const above = blocks.slice(0, start);
	const below = blocks.slice(after, bottom);
	const removed = joined(blocks.slice(start, after), blocks.slice(bottom));
	return { kept: joined(above, below), removed };
}

function joined(above: readonly Block[], below: readonly Block[]): readonly Block[] {
	const last = above.at(-1);
	const [first, ...others] = below;
	if (last === undefined || first === undefined) return [...above, ...below];
	const ownParagraph: Block = { ...first, breaks: '\n\n' };
	return [...above.slice(0, -1), withoutBlanksAtEnd(last), ownParagraph, ...others];
}

function withoutBlanksAtEnd(block: Block): Block {
	if (block.kind !== 'written') return block;
	const runs = block.runs.map((run) => ({ ...run, text: run.text.trimEnd() }));
	return { ...block, runs };
}

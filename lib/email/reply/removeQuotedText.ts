import type { Reading } from '../limits';
import { readSubject, type Conversation } from '../message/subjectPrefixes';
import type { Block } from '../text/blocks/blocks';
import type { Email, EmailThread } from '../types';
import { findEarlierEmails, pointsBelow } from './earlierEmails';
import { startOfListFooter, startOfScannerFooter } from './footers';
import { readLines, skipBlanksAbove, type Line } from './lines';
import { startOfSignature } from './personalSignature';
import { findQuotations, isEmpty, type Quotation } from './quotations';

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
	if (!isReply(conversation, thread)) return blocks;
	const lines = await readLines(blocks, reading);

	const earlier = await findEarlierEmails(lines, topic, reading);
	if (earlier === 'forwarded') return blocks;
	if (earlier !== undefined && pointsBelow(lines.slice(0, earlier))) return blocks;

	const bottom = earlier ?? lines.length;
	const quotations = await findQuotations(lines, bottom, reading);
	const sender = `${from?.name} ${from?.address}`;
	const end = removeFromEnd(lines, quotations, bottom, sender);
	const only = onlyQuotation(lines, quotations);

	if (!hasOwnWords(lines, only, end)) return blocks;
	if (only === undefined && skipBlanksAbove(lines, lines.length) <= end) return blocks;
	return blocksThatStay(blocks, lines, only, end);
}

function isReply(conversation: Conversation, thread: EmailThread): boolean {
	if (conversation !== 'none') return conversation === 'reply';
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
	let end = skipBlanksAbove(lines, bottom);
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
		end = skipBlanksAbove(lines, next);
	}
}

/** The only quotation that is left, if it is above everything else or a mail program names its author. */
function onlyQuotation(
	lines: readonly Line[],
	quotations: readonly Quotation[],
): Quotation | undefined {
	const [only] = quotations;
	if (only === undefined || quotations.length > 1) return undefined;
	const isFirst = skipBlanksAbove(lines, only.start) === 0;
	return isFirst || only.isAttributed ? only : undefined;
}

function hasOwnWords(lines: readonly Line[], only: Quotation | undefined, end: number): boolean {
	for (const [index, line] of lines.slice(0, end).entries()) {
		const isRemoved = only !== undefined && index >= only.start && index < only.end;
		if (!isRemoved && !line.isQuoted && !isEmpty(line)) return true;
	}
	return false;
}

/** The blocks above `end` without those of the only quotation. */
function blocksThatStay(
	blocks: readonly Block[],
	lines: readonly Line[],
	only: Quotation | undefined,
	end: number,
): readonly Block[] {
	const blockAt = (line: number): number => lines[line]?.block ?? blocks.length;
	if (only === undefined) return blocks.slice(0, blockAt(end));
	const above = blocks.slice(0, blockAt(only.start));
	const below = blocks.slice(blockAt(only.end), blockAt(end));
	const last = above.pop();
	const first = below.shift();
	if (last === undefined) return first === undefined ? [] : [first, ...below];
	if (first === undefined) return [...above, last];
	return [...above, withoutBlanksAtEnd(last), { ...first, breaks: '\n\n' }, ...below];
}

function withoutBlanksAtEnd(block: Block): Block {
	if (block.kind !== 'written') return block;
	const runs = block.runs.map((run) => ({ ...run, text: run.text.trimEnd() }));
	return { ...block, runs };
}

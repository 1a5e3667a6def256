import type { Reading } from '../limits';
import { beginningOfPhrase } from '../words/phrases';
import { findAttribution, findCertainAttribution } from './attributions';
import { isEarlierHeader } from './earlierHeader';
import { REPLY_LINES_BETWEEN_PAUSES, skipBlankLinesAbove, type Line } from './lines';
import { isForwardRule, isGroupWiseRule, isOriginalMessageRule, startOfRulesAbove } from './rules';

/** Between a line and the quotation that it introduces. */
const MAX_LINES_BELOW = 6;

/** Words for answers within the earlier email, by place or by colour. */
const POINTER = new RegExp(beginningOfPhrase('answersBelow'), 'iu');

// These words are near the top.
const MAX_LINES_ABOVE = 200;

/**
 * The first line of the earlier emails that continue to the end without marks of quoting; `forwarded` if they are forwarded,
 * because the new email is then about them; undefined if there are none.
 *
 * @param topic the subject without prefixes, in lower case
 */
export async function findEarlierEmails(
	lines: readonly Line[],
	topic: string,
	{ pace }: Reading,
): Promise<number | 'forwarded' | undefined> {
	for (const [index, line] of lines.entries()) {
		if (pace.spend(1 / REPLY_LINES_BETWEEN_PAUSES)) await pace.pause();
		if (isGroupWiseRule(line)) return index;
		if (line.isQuoted || line.text === '') continue;
		if (isForwardRule(line.text)) return 'forwarded';
		const start = startOfEarlierEmail(lines, index, topic);
		if (start !== undefined) return startOfRulesAbove(lines, start);
	}
	return undefined;
}

/** Whether a line belongs to the header, the attribution or the announcement of an earlier email, quoted or not. */
export function introducesEarlierEmail(
	lines: readonly Line[],
	index: number,
	topic: string,
): boolean {
	if (startOfEarlierEmail(lines, index, topic) !== undefined) return true;
	return findAttribution(lines, index + 1) !== undefined;
}

/** The first line of the earlier email to which a line belongs as its header, its attribution or its announcement. */
function startOfEarlierEmail(
	lines: readonly Line[],
	index: number,
	topic: string,
): number | undefined {
	if (isEarlierHeader(lines, index, topic)) return index;
	if (isFollowedByQuotation(lines, index)) return undefined;
	const { text } = lines[index] as Line;
	if (isOriginalMessageRule(text)) return index;
	return findCertainAttribution(lines, index + 1);
}

/** Whether a line introduces a quotation, also as the beginning of an attribution. */
function isFollowedByQuotation(lines: readonly Line[], index: number): boolean {
	const below = lines.slice(index + 1, index + 1 + MAX_LINES_BELOW);
	const distance = below.findIndex(({ isQuoted }) => isQuoted);
	if (distance < 0) return false;
	const above = skipBlankLinesAbove(lines, index + 1 + distance);
	if (above === index + 1) return true;
	const attribution = findAttribution(lines, above) ?? above;
	return attribution <= index;
}

/**
 * Whether the sender says that the answers are within the earlier email. Without marks of quoting, all of it is kept, because
 * the answers cannot be recognized.
 */
export function pointsBelow(lines: readonly Line[]): boolean {
	for (const { text, isQuoted } of lines.slice(0, MAX_LINES_ABOVE)) {
		if (!isQuoted && POINTER.test(text)) return true;
	}
	return false;
}

import { skipBlankLinesAbove, type Line } from './lines';

const MAX_FOOTER_LINES = 6;

const DASHES = /^-{2,3}$/;
const ONLY_A_LINK = /^[<(]?(?:https?:\/\/|www\.)\S+$/i;

/** The line that mailing list software draws. Outlook's line above an earlier email is shorter. */
const FOOTER_RULE = '_'.repeat(40);
const LINK_OR_ADDRESS = /https?:\/\/|[^\s<>]@[^\s<>]/;
const NAMES_LIST = /list|subscri/i;

/**
 * The first line of the footer that a virus scanner adds below the last quotation of a text, or `end`: dashes right below the
 * quotation, a sentence, and a link on a line of its own.
 */
export function startOfScannerFooter(lines: readonly Line[], end: number): number {
	const last = skipBlankLinesAbove(lines, end);
	const isAtBottom = last >= skipBlankLinesAbove(lines, lines.length);
	if (!isAtBottom || !ONLY_A_LINK.test(lines[last - 1]?.text ?? '')) return end;
	for (let start = last - 1; start > 0 && last - start <= MAX_FOOTER_LINES; start--) {
		const { text, isQuoted } = lines[start] as Line;
		if (isQuoted) return end;
		if (!DASHES.test(text)) continue;
		const isBelowQuotation = lines[skipBlankLinesAbove(lines, start) - 1]?.isQuoted === true;
		const isAboveSentence = lines[start + 1]?.text.endsWith('.') === true;
		return isBelowQuotation && isAboveSentence ? start : end;
	}
	return end;
}

/** The first line of the footer above `end` that a mailing list adds, or `end`: its name and how to unsubscribe. */
export function startOfListFooter(lines: readonly Line[], end: number): number {
	const last = skipBlankLinesAbove(lines, end);
	let hasLink = false;
	let namesList = false;
	for (let start = last - 1; start >= 0 && last - start <= MAX_FOOTER_LINES; start--) {
		const { text, isQuoted } = lines[start] as Line;
		if (isQuoted) return end;
		if (text.startsWith(FOOTER_RULE)) return hasLink && namesList ? start : end;
		hasLink ||= LINK_OR_ADDRESS.test(text);
		namesList ||= NAMES_LIST.test(text);
	}
	return end;
}

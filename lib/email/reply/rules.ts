import { trimOf } from '../../basics';
import { phrasesFor } from '../words/phrases';
import { skipBlankLinesAbove, type Line } from './lines';

/** Words between dashes above an earlier email, in lower case. */
const ORIGINAL_MESSAGE: ReadonlySet<string> = new Set(phrasesFor('originalMessages'));

/** Words above a forwarded email, in lower case. */
const FORWARDED_MESSAGE: readonly string[] = phrasesFor('forwardedMessages');

const MAX_RULE = 200;
const MIN_RULE = 4;

const DATE_AND_TIME = /\p{Nd}{1,4}[./-]\p{Nd}{1,2}[./-]\p{Nd}{2,4}\D{1,5}\p{Nd}{1,2}[:.]\p{Nd}{2}/u;

/** Whether a line is drawn, such as Outlook's line of underscores. */
export function isRule(text: string): boolean {
	return text.length >= MIN_RULE && withoutRule(text) === '';
}

/** Whether a line announces an earlier email, between dashes. */
export function isOriginalMessageRule(text: string): boolean {
	return isRuleCharacter(text.charAt(0)) && ORIGINAL_MESSAGE.has(announcementOf(text));
}

/** Whether a line announces a forwarded email. Some programs write no dashes, others name the sender: `-- Forwarded by Ada --`. */
export function isForwardRule(text: string): boolean {
	const written = announcementOf(text);
	const isBelowDashes = text.startsWith('--');
	for (const words of FORWARDED_MESSAGE) {
		if (written === words) return true;
		if (isBelowDashes && written.startsWith(`${words} `)) return true;
	}
	return false;
}

/**
 * Whether a line is ">>> Ada <ada@example.com> 21.11.2026 10:00 >>>", which GroupWise writes above an earlier email. That email
 * has no marks of quoting.
 */
export function isGroupWiseRule({ text, isQuoted }: Line): boolean {
	if (!isQuoted || text.length > MAX_RULE) return false;
	return text.endsWith('>>>') && DATE_AND_TIME.test(text);
}

/** The first of the lines that mail programs draw above an earlier email, or `first`. */
export function startOfRulesAbove(lines: readonly Line[], first: number): number {
	let start = first;
	for (;;) {
		const end = skipBlankLinesAbove(lines, start);
		const above = lines[end - 1];
		if (above === undefined || above.isQuoted) return start;
		const { text } = above;
		if (!isRule(text) && !isOriginalMessageRule(text) && !isNotesRule(text)) return start;
		start = end - 1;
	}
}

/** Whether a line is "Ada Lovelace ---21.11.2026 10:00:00---", which Notes writes above the header of an earlier email. */
function isNotesRule(text: string): boolean {
	const parts = text.slice(0, MAX_RULE).split('---');
	return parts.length === 3 && /^\s*\p{Nd}/u.test(parts[1] ?? '');
}

/** The words between the dashes, in lower case. */
function announcementOf(text: string): string {
	if (text.length > MAX_RULE) return '';
	// QQ writes blanks as entities of HTML, also in plain text.
	const words = withoutRule(text).replaceAll('&nbsp;', ' ');
	return withoutRule(words)
		.toLowerCase()
		.replace(/ ?[:：]$/, '');
}

function withoutRule(text: string): string {
	return trimOf(text, isRuleCharacter).trim();
}

function isRuleCharacter(character: string): boolean {
	return '-_=*—–~─'.includes(character);
}

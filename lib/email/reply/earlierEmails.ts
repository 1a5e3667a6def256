import { trimOf } from '../../basics';
import { beginningOfPhrase, phrasesFor } from '../words/phrases';
import type { Line } from './lines';

/** Words between dashes above an earlier email, in lower case. */
const ORIGINAL_MESSAGE: ReadonlySet<string> = new Set(phrasesFor('originalMessages'));

/** Words above a forwarded email, which is kept because the new email is about it. */
const FORWARDED_MESSAGE: readonly string[] = phrasesFor('forwardedMessages');

const MAX_RULE = 200;
const MIN_RULE = 4;

/** Whether a line announces an earlier email, between dashes. */
export function isOriginalMessageRule(text: string): boolean {
	return isRuleChar(text.charAt(0)) && ORIGINAL_MESSAGE.has(announcementOf(text));
}

/** Whether a line announces a forwarded email. Some mail programs write no dashes, others name the sender: `-- Forwarded by Ada --`. */
export function isForwardRule(text: string): boolean {
	const written = announcementOf(text);
	const isBelowDashes = text.startsWith('--');
	return FORWARDED_MESSAGE.some(
		(words) => written === words || (isBelowDashes && written.startsWith(`${words} `)),
	);
}

export function isRule(text: string): boolean {
	return text.length >= MIN_RULE && withoutRule(text) === '';
}

const DATE_AND_TIME = /\p{Nd}{1,4}[./-]\p{Nd}{1,2}[./-]\p{Nd}{2,4}\D{1,5}\p{Nd}{1,2}[:.]\p{Nd}{2}/u;

/** ">>> Ada <ada@example.com> 21.11.2026 10:00 >>>", which GroupWise writes above an earlier email. The email has no marks of quoting. */
export function isGroupWiseRule({ text, isQuoted }: Line): boolean {
	return isQuoted && text.length <= MAX_RULE && text.endsWith('>>>') && DATE_AND_TIME.test(text);
}

/** "Ada Lovelace ---21.11.2026 10:00:00---", which Notes writes above the header of an earlier email. */
export function isNotesRule(text: string): boolean {
	const parts = text.slice(0, MAX_RULE).split('---');
	return parts.length === 3 && /^\s*\p{Nd}/u.test(parts[1] ?? '');
}

function announcementOf(text: string): string {
	if (text.length > MAX_RULE) return '';
	// QQ writes blanks as entities of HTML, also in plain text.
	return withoutRule(withoutRule(text).replaceAll('&nbsp;', ' '))
		.toLowerCase()
		.replace(/ ?[:：]$/, '');
}

function withoutRule(text: string): string {
	return trimOf(text, isRuleChar).trim();
}

function isRuleChar(character: string): boolean {
	return '-_=*—–~─'.includes(character);
}

type Role = 'from' | 'date' | 'to' | 'subject';

/** The role of a line by its label, in lower case. */
const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
	...phrasesFor('fromLabels').map((label) => [label, 'from'] as const),
	...phrasesFor('dateLabels').map((label) => [label, 'date'] as const),
	...phrasesFor('toLabels').map((label) => [label, 'to'] as const),
	...phrasesFor('subjectLabels').map((label) => [label, 'subject'] as const),
]);

const MAX_HEADER_LABEL = 25;

// Includes Cc, Reply-To, importance and addresses on several lines.
const MAX_HEADER_LINES = 25;

/** The header of an earlier email, which mail programs repeat above its text. */
interface HeaderBlock {
	subject: string | undefined;
	hasAddress: boolean;
}

/** The header that begins with this line: sender, date, and recipient or subject. */
export function readHeaderBlock(lines: readonly Line[], start: number): HeaderBlock | undefined {
	const first = lines[start] as Line;
	const role = readLabel(first)?.role;
	if (role === undefined || role === 'to') return undefined;
	const found = new Map<Role, string>();
	let current: Role | undefined;
	for (const line of lines.slice(start, start + MAX_HEADER_LINES)) {
		if (line.isQuoted !== first.isQuoted || line.text === '' || isRule(line.text)) break;
		const label = readLabel(line);
		// A second From begins another header.
		if (label?.role && found.has(label.role)) break;
		if (label) {
			current = label.role;
			if (current) found.set(current, label.value);
		} else if (current) {
			found.set(current, `${found.get(current) ?? ''} ${line.text}`.trim());
		}
	}
	const isHeader =
		found.has('from') && found.has('date') && (found.has('to') || found.has('subject'));
	if (!isHeader) return undefined;
	const hasAddress = found.get('from')?.includes('@') ?? false;
	return { subject: found.get('subject'), hasAddress };
}

/** A label of a mail program in any language: a few words without punctuation, and a colon. */
const LABELLED = /^[\p{L}\p{M}][\p{L}\p{M}\p{Nd} .'’()/*_-]{0,39} ?[:：]\s*(\S.*)$/u;

const ADDRESS = /[^\s@<>]@[^\s@<>]/;

/** Sender, date, recipient and subject; some programs leave one out. */
const MIN_HEADER_LINES = 3;

/**
 * Whether the header of an earlier email begins with a line, by its shape alone, in any language: below a rule, labelled lines
 * that follow each other, one with an address and one with the subject of the conversation. An order or a form that someone
 * pastes below a rule has no such subject.
 *
 * @param isTopic whether a subject is that of the conversation
 */
export function isHeaderByShape(
	lines: readonly Line[],
	start: number,
	isTopic: (subject: string) => boolean,
): boolean {
	const rule = lines[start - 1];
	const first = lines[start] as Line;
	if (rule === undefined || !isRule(rule.text) || rule.isQuoted !== first.isQuoted) return false;
	let labelled = 0;
	let hasAddress = false;
	let hasTopic = false;
	for (const line of lines.slice(start, start + MAX_HEADER_LINES)) {
		const [, value] = LABELLED.exec(line.text.slice(0, MAX_RULE)) ?? [];
		if (value === undefined || line.isQuoted !== first.isQuoted) break;
		labelled++;
		hasAddress ||= ADDRESS.test(value);
		hasTopic ||= isTopic(line.text.slice(line.text.search(/[:：]/) + 1));
	}
	return labelled >= MIN_HEADER_LINES && hasAddress && hasTopic;
}

function readLabel({ text }: Line): { role: Role | undefined; value: string } | undefined {
	const colon = text.slice(0, MAX_HEADER_LABEL).search(/[:：]/);
	if (colon < 1) return undefined;
	const label = text.slice(0, colon).replace(/[*_]/g, '').trim().toLowerCase();
	return { role: ROLES.get(label), value: text.slice(colon + 1) };
}

/** Words for answers within the earlier email, by place or by colour. */
const POINTER = new RegExp(beginningOfPhrase('answersBelow'), 'iu');

// These words are near the top.
const MAX_LINES_ABOVE = 200;

/**
 * Whether the sender says that the answers are within the earlier email. Without quote marks, all of it is kept, because the
 * answers cannot be recognized.
 */
export function pointsBelow(lines: readonly Line[]): boolean {
	return lines
		.slice(0, MAX_LINES_ABOVE)
		.some(({ text, isQuoted }) => !isQuoted && POINTER.test(text));
}

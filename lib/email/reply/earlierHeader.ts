import { languagesWith } from '../words/phrases';
import {
	hasAddress,
	hasField,
	MAX_HEADER_LINES,
	namesTopic,
	readHeaderLine,
	readHeaderLines,
	type HeaderLine,
} from './headerLines';
import { skipBlankLinesAbove, type Line } from './lines';
import { isRule } from './rules';

/** Sender, date, and recipient or subject. Some programs leave one of these out. */
const MIN_FIELDS = 3;

/**
 * Whether the header of an earlier email of this conversation begins at `start`. It has labels for the sender and the date, or it is
 * below a rule; then its labels may be in any language.
 *
 * It also has the subject of this conversation, unlike an order or a form that someone pastes. With another subject, it counts only
 * if all labels are there and the line above does not announce it, as in "This is what the carrier says:".
 *
 * @param topic the subject without prefixes, in lower case, see `readSubject`
 */
export function isEarlierHeader(lines: readonly Line[], start: number, topic: string): boolean {
	const first = readHeaderLine((lines[start] as Line).text);
	if (first === undefined) return false;
	const isBelowRule = isRuleAbove(lines, start);
	// Mail programs do not begin with the recipient: "To" can be the last line of an itinerary ("From …, To …").
	const isBeginning = isSenderOrDate(first) || namesTopic(first, topic);
	if (!isBelowRule && !isBeginning) return false;

	const fields = readHeaderLines(lines, start);
	if (fields.length < MIN_FIELDS) return false;
	const hasTopic = fields.some((field) => namesTopic(field, topic));
	if (isBelowRule && hasTopic && fields.some(hasAddress)) return true;
	if (!isBeginning || !hasField(fields, 'from') || !hasField(fields, 'date')) return false;
	if (hasTopic) return true;
	// Without the subject of this conversation, all three labels are needed.
	if (!hasField(fields, 'to')) return false;
	// Such as another subject.
	const hasOtherField = fields.some((field) => !isSenderOrDate(field) && field.kind !== 'to');
	if (hasOtherField && fields.some(hasAddress)) {
		return first.kind === 'from' && isAlone(lines, start) && !isAnnounced(lines, start);
	}
	// An itinerary ("From: Vienna, To: Graz, Date: Saturday") has no address.
	if (topic === '') return fields.some(hasAddress);
	return fields.every(isPersonOrDate);
}

/** Whether a header of any subject begins at `start`. */
export function beginsWithHeader(lines: readonly Line[], start: number): boolean {
	const fields = readHeaderLines(lines, start);
	return fields.length >= MIN_FIELDS && hasField(fields, 'from') && hasField(fields, 'date');
}

/** Whether the header that begins at `start` has a label for the sender in one of these languages. */
export function isHeaderIn(
	lines: readonly Line[],
	start: number,
	languages: readonly string[],
): boolean {
	const below = lines.slice(start, start + MAX_HEADER_LINES);
	const sender = below
		.map(({ text }) => readHeaderLine(text))
		.find((field) => field?.kind === 'from');
	const labelLanguages = languagesWith('fromLabels', sender?.label ?? '');
	return labelLanguages.some((language) => languages.includes(language));
}

function isSenderOrDate({ kind }: HeaderLine): boolean {
	return kind === 'from' || kind === 'date';
}

function isPersonOrDate(field: HeaderLine): boolean {
	return field.kind === 'date' || field.kind === 'to' || hasAddress(field);
}

/** Whether nothing is directly above, as above the headers of mail programs; the header of a pasted email has other fields there. */
function isAlone(lines: readonly Line[], index: number): boolean {
	return skipBlankLinesAbove(lines, index) < index || index === 0 || isRuleAbove(lines, index);
}

/** Whether the sender shows another email, with words such as "This is what the carrier says:". */
function isAnnounced(lines: readonly Line[], index: number): boolean {
	const above = lines[skipBlankLinesAbove(lines, index) - 1];
	return above !== undefined && /[:：]$/.test(above.text);
}

export function isRuleAbove(lines: readonly Line[], index: number): boolean {
	const above = lines[index - 1];
	return above !== undefined && isRule(above.text) && above.isQuoted === lines[index]?.isQuoted;
}

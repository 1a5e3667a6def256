import { readSubject } from '../message/subjectPrefixes';
import { languagesWith, phrasesFor } from '../words/phrases';
import { skipBlankLinesAbove, type Line } from './lines';
import { isRule } from './rules';

type LabelKind = 'from' | 'date' | 'to';

/** Labels in lower case. The subject has no kind: its value shows it, see `namesTopic`. */
const KINDS: ReadonlyMap<string, LabelKind> = new Map<string, LabelKind>([
	...phrasesFor('fromLabels').map((label) => [label, 'from'] as const),
	...phrasesFor('dateLabels').map((label) => [label, 'date'] as const),
	...phrasesFor('toLabels').map((label) => [label, 'to'] as const),
]);

/**
 * A label in any language and a colon: at most 40 letters, digits, spaces and some other characters, with the `*` or `_` around that
 * some programs write.
 */
const LABELLED = /^[*_]*([\p{L}\p{M}][\p{L}\p{M}\p{Nd} .'’()/-]{0,39}?)[*_]* ?[:：][*_]*\s*(.*)$/u;

// A line with a label and its value is shorter, except for lists of recipients.
const MAX_LABELLED = 200;

const ADDRESS = /[^\s@<>]@[^\s@<>]/;

/** Sender, date, and recipient or subject. Some programs leave one of these out. */
const MIN_FIELDS = 3;

// Includes Cc, Reply-To, importance and addresses on several lines.
const MAX_HEADER_LINES = 25;

/** A labelled line of the header that mail programs repeat above an earlier email. */
interface LabelledLine {
	/** In lower case, without the colon. */
	label: string;
	/** By its label; undefined for the subject and others. */
	kind: LabelKind | undefined;
	/** On the line of the label. */
	value: string;
	/** With the lines below that continue it. */
	wholeValue: string;
}

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
	const first = readLabel((lines[start] as Line).text);
	if (first === undefined) return false;
	const isBelowRule = isRuleAbove(lines, start);
	// Mail programs do not begin with the recipient: "To" can be the last line of an itinerary ("From …, To …").
	const isBeginning = isSenderOrDate(first) || namesTopic(first, topic);
	if (!isBelowRule && !isBeginning) return false;

	const fields = readLabelledLines(lines, start);
	if (fields.length < MIN_FIELDS) return false;
	const hasTopic = fields.some((field) => namesTopic(field, topic));
	if (isBelowRule && hasTopic && fields.some(hasAddress)) return true;
	if (!isBeginning || !has(fields, 'from') || !has(fields, 'date')) return false;
	if (hasTopic) return true;
	// Without the subject of this conversation, all three labels are needed.
	if (!has(fields, 'to')) return false;
	// Such as another subject.
	const hasOtherField = fields.some(({ kind }) => kind === undefined);
	if (hasOtherField && fields.some(hasAddress)) {
		return first.kind === 'from' && isAlone(lines, start) && !isAnnounced(lines, start);
	}
	// An itinerary ("From: Vienna, To: Graz, Date: Saturday") has no address.
	if (topic === '') return fields.some(hasAddress);
	return fields.every(isPersonOrDate);
}

/** Whether a header of any subject begins at `start`. */
export function beginsWithHeader(lines: readonly Line[], start: number): boolean {
	const fields = readLabelledLines(lines, start);
	return fields.length >= MIN_FIELDS && has(fields, 'from') && has(fields, 'date');
}

/** Whether the header that begins at `start` has a label for the sender in one of these languages. */
export function isHeaderIn(
	lines: readonly Line[],
	start: number,
	languages: readonly string[],
): boolean {
	const below = lines.slice(start, start + MAX_HEADER_LINES);
	const sender = below.map(({ text }) => readLabel(text)).find((field) => field?.kind === 'from');
	const labelLanguages = languagesWith('fromLabels', sender?.label ?? '');
	return labelLanguages.some((language) => languages.includes(language));
}

function readLabelledLines(lines: readonly Line[], start: number): LabelledLine[] {
	const first = lines[start] as Line;
	const fields: LabelledLine[] = [];
	const kinds = new Set<LabelKind | undefined>();
	for (const line of lines.slice(start, start + MAX_HEADER_LINES)) {
		if (line.isQuoted !== first.isQuoted || line.text === '' || isRule(line.text)) break;
		const field = readLabel(line.text);
		const last = fields.at(-1);
		if (field === undefined) {
			if (last === undefined) break;
			last.wholeValue += ` ${line.text}`;
			continue;
		}
		// A second sender, date or recipient begins another header.
		if (field.kind !== undefined && kinds.has(field.kind)) break;
		kinds.add(field.kind);
		fields.push(field);
	}
	return fields;
}

function readLabel(text: string): LabelledLine | undefined {
	const [, written, value] = LABELLED.exec(text.slice(0, MAX_LABELLED)) ?? [];
	if (written === undefined || value === undefined) return undefined;
	const label = written.trim().toLowerCase();
	return { label, kind: KINDS.get(label), value, wholeValue: value };
}

function has(fields: readonly LabelledLine[], kind: LabelKind): boolean {
	return fields.some((field) => field.kind === kind);
}

/** Compares with and without the lines below the label, because they may continue the subject or begin the text. */
function namesTopic({ kind, value, wholeValue }: LabelledLine, topic: string): boolean {
	if (kind !== undefined || topic === '') return false;
	return isSameTopic(value, topic) || isSameTopic(wholeValue, topic);
}

/** Whether a subject is that of the conversation, also if one of the two has a prefix that is unknown. */
function isSameTopic(subject: string, topic: string): boolean {
	const shown = readSubject(subject).topic;
	if (shown === '') return false;
	return shown === topic || shown.endsWith(`: ${topic}`) || topic.endsWith(`: ${shown}`);
}

function isSenderOrDate({ kind }: LabelledLine): boolean {
	return kind === 'from' || kind === 'date';
}

function isPersonOrDate(field: LabelledLine): boolean {
	return field.kind === 'date' || field.kind === 'to' || hasAddress(field);
}

function hasAddress({ wholeValue }: LabelledLine): boolean {
	return ADDRESS.test(wholeValue);
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

function isRuleAbove(lines: readonly Line[], index: number): boolean {
	const above = lines[index - 1];
	return above !== undefined && isRule(above.text) && above.isQuoted === lines[index]?.isQuoted;
}

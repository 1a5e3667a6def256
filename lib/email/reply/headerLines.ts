import { readSubject } from '../message/subjectPrefixes';
import { phrasesFor, type Purpose } from '../words/phrases';
import type { Line } from './lines';
import { isForwardRule, isRule } from './rules';

/** What a line of a header says. */
export type HeaderKind = 'from' | 'date' | 'to' | 'cc' | 'subject';

const PHRASES: Readonly<Record<HeaderKind, Purpose>> = {
	from: 'fromLabels',
	date: 'dateLabels',
	to: 'toLabels',
	cc: 'ccLabels',
	subject: 'subjectLabels',
};

/** Labels in lower case. */
const KINDS: ReadonlyMap<string, HeaderKind> = new Map(
	Object.entries(PHRASES).flatMap(([kind, purpose]) =>
		phrasesFor(purpose).map((label) => [label, kind as HeaderKind] as const),
	),
);

/** A label and a colon, with the `*` or `_` around that some programs write. */
const LABELLED = /^[*_]*([^*_:：]+?)[*_]* ?[:：][*_]*\s*/u;

/** A label in any language: a sentence with a colon has more characters, or others. */
const LABEL = /^[\p{L}\p{M}][\p{L}\p{M}\p{Nd} .'’()/-]{0,39}$/u;

// Longer than all known labels.
const MAX_LABEL = 24;

const MAX_LABELLED = 60;

// Includes Cc, Reply-To, importance and addresses on several lines.
export const MAX_HEADER_LINES = 25;

/** A labelled line of the header that mail programs repeat above an earlier email. */
export interface HeaderLine {
	/** In lower case, without the colon. */
	label: string;
	/** By its label; undefined for others, also for labels in other languages. */
	kind: HeaderKind | undefined;
	/** On the line of the label. */
	value: string;
	/** The lines below that continue it, or that begin the text. */
	below: string[];
}

/**
 * The labelled lines from `start` on, up to an empty line or another header.
 *
 * @param hasEmptyLines whether empty lines may stand between them
 */
export function readHeaderLines(
	lines: readonly Line[],
	start: number,
	hasEmptyLines = false,
): HeaderLine[] {
	const isQuoted = lines[start]?.isQuoted;
	const fields: HeaderLine[] = [];
	const kinds = new Set<HeaderKind | undefined>();
	let isBelowEmptyLine = false;
	for (const line of lines.slice(start, start + MAX_HEADER_LINES)) {
		if (line.text === '' && hasEmptyLines) {
			isBelowEmptyLine = true;
			continue;
		}
		if (line.isQuoted !== isQuoted || line.text === '' || isRule(line.text)) break;
		if (isForwardRule(line.text)) break;
		const field = readHeaderLine(line.text);
		if (isBelowEmptyLine && field?.kind === undefined) break;
		isBelowEmptyLine = false;
		if (field === undefined) {
			if (fields.length === 0) break;
			fields.at(-1)?.below.push(line.text);
			continue;
		}
		// A second sender, date or recipient begins another header.
		if (field.kind !== undefined && kinds.has(field.kind)) break;
		kinds.add(field.kind);
		fields.push(field);
	}
	return fields;
}

/** @returns undefined if the line has no label */
export function readHeaderLine(text: string): HeaderLine | undefined {
	const [beginning, written] = LABELLED.exec(text.slice(0, MAX_LABELLED)) ?? [];
	if (beginning === undefined || written === undefined || !LABEL.test(written)) return undefined;
	const label = written.trim().toLowerCase();
	return { label, kind: KINDS.get(label), value: text.slice(beginning.length), below: [] };
}

/** A header that some apps write on one line, divided before its known labels. The subject is its last field. */
export function divideHeader(text: string): string[] {
	const fields: string[] = [];
	const kinds = new Set<HeaderKind>();
	let start = 0;
	for (const { index } of text.matchAll(/ ?[:：]/g)) {
		const from = Math.max(start, index - MAX_LABEL);
		const label = labelAtEnd(text.slice(from, index));
		const kind = KINDS.get(label.toLowerCase());
		if (kind === undefined || kinds.has(kind)) continue;
		kinds.add(kind);
		const end = index - label.length;
		if (end > start) fields.push(text.slice(start, end));
		start = end;
		if (kind === 'subject') break;
	}
	fields.push(text.slice(start));
	return fields.map((field) => field.trim()).filter((field) => field !== '');
}

/** The longest label at the end of a text; `''` if there is none. Some apps write no blank before it: `10:00 CETTo`. */
function labelAtEnd(text: string): string {
	for (let start = 0; start < text.length; start++) {
		const label = text.slice(start);
		const isGlued = start > 0 && /^\p{L}\p{Ll}/u.test(text.slice(start - 1));
		if (!isGlued && KINDS.has(label.toLowerCase())) return label;
	}
	return '';
}

/** The value of a field, with the lines below that may continue it. */
export function wholeValue({ value, below }: HeaderLine): string {
	return [value, ...below].join(' ');
}

export function hasField(fields: readonly HeaderLine[], kind: HeaderKind): boolean {
	return fields.some((field) => field.kind === kind);
}

const ADDRESS = /[^\s@<>]@[^\s@<>]/;

export function hasAddress(field: HeaderLine): boolean {
	return ADDRESS.test(wholeValue(field));
}

/**
 * Whether a field is the subject of the conversation. Compares with and without the lines below the label, because they may
 * continue the subject or begin the text.
 *
 * @param topic the subject without prefixes, in lower case, see `readSubject`
 */
export function namesTopic(field: HeaderLine, topic: string): boolean {
	if (isKnown(field) || topic === '') return false;
	return isSameTopic(field.value, topic) || isSameTopic(wholeValue(field), topic);
}

/** The subject in a field, without the text below it. */
export function subjectIn(field: HeaderLine, topic: string): string {
	const whole = wholeValue(field);
	const isContinued = !isSameTopic(field.value, topic) && isSameTopic(whole, topic);
	return isContinued ? whole : field.value;
}

/** Whether its label says that it is something else than a subject. */
function isKnown({ kind }: HeaderLine): boolean {
	return kind !== undefined && kind !== 'subject';
}

/** Whether a subject is that of the conversation, also if one of the two has a prefix that is unknown. */
function isSameTopic(subject: string, topic: string): boolean {
	const shown = readSubject(subject).topic;
	if (shown === '') return false;
	return shown === topic || shown.endsWith(`: ${topic}`) || topic.endsWith(`: ${shown}`);
}

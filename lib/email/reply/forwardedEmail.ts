import type { Reading } from '../limits';
import { readSubject, type SubjectParts } from '../message/subjectPrefixes';
import { readEmailFields } from '../message/emailFields';
import { isReport, originOf, type EmailOrigin } from '../message/origin';
import type { EmailFields, EmailThread } from '../message/headerTypes';
import type { HeaderField } from '../mime/headerFields';
import { textBlocks } from '../text/blocks/textBlocks';
import { languagesWith } from '../words/phrases';
import { findCertainAttribution } from './attributions';
import { introducesEarlierEmail } from './earlierEmails';
import { isRuleAbove } from './earlierHeader';
import {
	hasAddress,
	hasField,
	namesTopic,
	readHeaderLine,
	readHeaderLines,
	subjectIn,
	wholeValue,
	type HeaderKind,
	type HeaderLine,
} from './headerLines';
import { readLines, REPLY_LINES_BETWEEN_PAUSES, type Line } from './lines';
import { divideOneLineHeader } from './oneLineHeader';
import { isForwardRule, isRule } from './rules';
import {
	readShownPeople,
	readShownSender,
	senderOfAttribution,
	toShownPerson,
	type ShownPerson,
} from './shownPeople';

/** What an email says about the email that it forwards; of a chain, about the last one. Anyone can write that. */
export interface ForwardedEmail {
	/** Null if unknown. */
	from: ShownPerson | null;
	to: ShownPerson[];
	cc: ShownPerson[];
	/** Null if unknown. */
	subject: string | null;
	/** ISO 8601 in UTC. Null unless it is an attached email: the dates that mail programs write in a text have no time zone. */
	date: string | null;
}

// People write less above an email that they forward.
const MAX_LINES = 1000;

// Two hundred recipients on a line.
const MAX_HEADER_LINE = 10_000;

/** Sender, date, and recipient or subject. Some programs leave one of these out. */
const MIN_FIELDS = 3;

/** Below words that announce a forwarded email, fewer fields are enough. */
const MIN_ANNOUNCED_FIELDS = 2;

/** Lines above the labels, in which Notes writes the sender and the date. */
const MAX_UNLABELLED = 3;

/** What is known of an email that may forward another one. */
interface ForwardingEmail {
	fields: EmailFields;
	/** The visible text; null if there is none. */
	text: string | null;
	origin: EmailOrigin;
	/** The headers of the emails that are attached to it. */
	readAttached(): Promise<HeaderField[][]>;
}

/** @returns null if the email is a reply or a report, or forwards none */
export async function readForwarded(
	{ fields, origin, text, readAttached }: ForwardingEmail,
	reading: Reading,
): Promise<ForwardedEmail | null> {
	const parts = readSubject(fields.subject);
	if (isReport(origin) || parts.conversation === 'reply') return null;
	const inText = await readForwardedText(text ?? '', parts, fields.thread, reading);
	if (inText !== undefined) return inText;
	if (parts.conversation !== 'forward' && text !== null) return null;
	const emails = (await readAttached()).filter((header) => !isReport(originOf(header)));
	const [header] = emails;
	if (header === undefined || emails.length > 1) return null;
	return toForwardedFile(await readEmailFields(header, reading.pace));
}

function toForwardedFile({ from, to, cc, subject, date }: EmailFields): ForwardedEmail | null {
	if (from === null) return null;
	return {
		from: toShownPerson(from),
		to: to.map(toShownPerson),
		cc: cc.map(toShownPerson),
		subject,
		date,
	};
}

/**
 * Reads the header of the forwarded email in a text: below the words of a forward, or anywhere if the subject says that it is
 * forwarded.
 */
async function readForwardedText(
	text: string,
	parts: SubjectParts,
	{ inReplyTo, references }: EmailThread,
	reading: Reading,
): Promise<ForwardedEmail | undefined> {
	const hasPrefix = parts.conversation !== 'none';
	const isThreaded = inReplyTo !== null || references.length > 0;
	const lines = await firstLines(text, reading);
	for (const [index, { text: words, isQuoted }] of lines.entries()) {
		// Its lines are longer, and each may begin a header.
		if (reading.pace.spend(10 / REPLY_LINES_BETWEEN_PAUSES)) await reading.pace.pause();
		if (words === '') continue;
		// Without a prefix, a reply may quote an email that was forwarded.
		const mayBeForwarded = hasPrefix || !isThreaded || !isQuoted;
		if (mayBeForwarded && isForwardRule(words)) {
			const announced = readAnnounced(lines, index + 1, parts.topic);
			if (announced !== undefined) return announced;
		}
		if (hasPrefix) {
			const found = readUnannounced(lines, index, parts);
			if (found !== undefined) return found;
		} else if (introducesEarlierEmail(lines, index, parts.topic)) {
			return undefined;
		}
	}
	return undefined;
}

async function firstLines(text: string, reading: Reading): Promise<readonly Line[]> {
	const beginning = text.split('\n', MAX_LINES).join('\n');
	const blocks = (await textBlocks(beginning, MAX_LINES, reading.pace)) ?? [];
	return divideOneLineHeader(await readLines(blocks, reading, MAX_HEADER_LINE));
}

/** The header below the words of a forward. */
function readAnnounced(
	lines: readonly Line[],
	start: number,
	topic: string,
): ForwardedEmail | undefined {
	const above: string[] = [];
	for (let index = start; index < lines.length && above.length <= MAX_UNLABELLED; index++) {
		const { text } = lines[index] as Line;
		if (text === '' || isRule(text)) continue;
		if (readHeaderLine(text) === undefined) {
			above.push(text);
			continue;
		}
		const fields = readHeader(lines, index);
		if (fields.length < MIN_ANNOUNCED_FIELDS || !isHeader(fields, topic, true)) return undefined;
		const forwarded = toForwarded(fields, topic);
		const [sender] = above;
		// Notes writes both the sender and the date without a label.
		if (!hasField(fields, 'date')) forwarded.from ??= readShownSender(sender ?? '');
		return forwarded;
	}
	return undefined;
}

/** The header or the attribution at a line of an email whose subject says that it is forwarded. */
function readUnannounced(
	lines: readonly Line[],
	index: number,
	{ topic, forwardLanguages }: SubjectParts,
): ForwardedEmail | undefined {
	const isBelowRule = isRuleAbove(lines, index);
	const first = readHeaderLine((lines[index] as Line).text);
	const fields = isBelowRule || first?.kind !== undefined ? readHeader(lines, index) : [];
	if (fields.length >= MIN_FIELDS && isHeader(fields, topic, isBelowRule)) {
		const isForwarded = forwardLanguages === undefined || isLabelledIn(fields, forwardLanguages);
		return isForwarded ? toForwarded(fields, topic) : undefined;
	}
	const start =
		forwardLanguages === undefined ? findCertainAttribution(lines, index + 1) : undefined;
	if (start === undefined) return undefined;
	const attribution = lines.slice(start, index + 1).map((line) => line.text);
	const from = senderOfAttribution(attribution.join(' '));
	return { from, to: [], cc: [], subject: null, date: null };
}

/** The header at a line. A field above another known one has all lines between them. */
function readHeader(lines: readonly Line[], start: number): HeaderLine[] {
	const fields = readHeaderLines(lines, start, true);
	const last = fields.findLastIndex(({ kind }) => kind !== undefined);
	return fields.map((field, index) => {
		if (index >= last) return field;
		return { ...field, value: wholeValue(field), below: [] };
	});
}

/**
 * Whether fields are the header of an email: an itinerary ("From: Vienna, To: Graz, Date: Saturday") has no subject or address.
 *
 * @param isAnnounced whether they are below a rule or below words; then its labels may be in a language without a table
 */
function isHeader(fields: readonly HeaderLine[], topic: string, isAnnounced: boolean): boolean {
	const hasTopic = fields.some((field) => namesTopic(field, topic));
	const isPersonal = fields.some(hasAddress);
	if (isAnnounced && hasTopic && isPersonal) return true;
	const hasSubject = hasTopic || hasField(fields, 'subject');
	if (hasField(fields, 'from')) return hasSubject || isPersonal;
	return hasSubject && hasField(fields, 'to');
}

/** Whether the label of the sender is in one of these languages. */
function isLabelledIn(fields: readonly HeaderLine[], languages: readonly string[]): boolean {
	const sender = fields.find(({ kind }) => kind === 'from');
	const labelLanguages = languagesWith('fromLabels', sender?.label ?? '');
	return labelLanguages.some((language) => languages.includes(language));
}

function toForwarded(fields: readonly HeaderLine[], topic: string): ForwardedEmail {
	const find = (kind: HeaderKind) => fields.find((field) => field.kind === kind);
	const peopleIn = (kind: HeaderKind): ShownPerson[] => {
		// Yahoo leaves out the colon of some labels: `To: <ada@example.com>Dw Grace <grace@example.com>`.
		const [people = ''] = shownIn(find(kind)).split(/(?<=>)(?=\p{L})/u, 1);
		return readShownPeople(people);
	};
	// In a language without a table, the sender is the first person.
	const sender =
		find('from') ?? fields.find((field) => field.kind === undefined && hasAddress(field));
	const subject = fields.find((field) => namesTopic(field, topic)) ?? find('subject');
	return {
		from: readShownSender(shownIn(sender)),
		to: peopleIn('to'),
		cc: peopleIn('cc'),
		subject: subject === undefined ? null : subjectIn(subject, topic),
		date: null,
	};
}

/** The value of a field of people, with the lines below that continue it. Without an empty line, the text follows them. */
function shownIn(field: HeaderLine | undefined): string {
	let people = field?.value ?? '';
	for (const line of field?.below ?? []) {
		const isAddress = line.startsWith('<') && !/@[^\s@]*$/.test(people);
		if (!/[,;<]$/.test(people) && !isAddress) break;
		people += ` ${line}`;
	}
	return people;
}

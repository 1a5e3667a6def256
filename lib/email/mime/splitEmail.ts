import { limitsWith, type EmailLimits } from '../limits';
import {
	isSpaceOrTab,
	readWrittenFields,
	type HeaderField,
	type WrittenField,
} from './headerFields';

/** An email, split into header fields and body. Every reader of an email gets this, so that none splits it differently. */
export interface EmailText {
	/** From the top down. Bytes that are not UTF-8 stay as they are in the values, until the charset is known. */
	fields: WrittenField[];
	/** With the line breaks as they arrived. */
	body: string;
	/**
	 * `ambiguousHeader`: a line of the header is neither a field nor folded (RFC 5322, 3.6.8), or blank lines or a byte order
	 * mark stand above it, so other programs may split the email differently. `longHeader`: the header is too long to read.
	 */
	flaw?: 'ambiguousHeader' | 'longHeader';
	headerSize: HeaderSize;
	/** The signature that proves the sender does not cover Content-Type, so that it must not choose a charset for fields. */
	isTypeUnsigned?: true;
}

export interface HeaderSize {
	characters: number;
	lines: number;
}

export interface HeaderExtent {
	end: number;
	bodyStart: number;
	/** False if the email or part ends with the header. */
	hasBody: boolean;
	/** Lines that were read to find the end. The last few of a damaged header can be in the body. */
	lines: number;
	/** Whether each line is a field or folded. */
	isPlain: boolean;
}

/** Some senders put line breaks or a byte order mark before the first header. They would end the headers. */
const BEFORE_THE_HEADERS = /^[\uFEFF\s]+/;

/** An empty line, the first line of a field (RFC 5322, 2.2), or a line that continues one; with its line break. */
const PLAIN_LINE = /\r?\n|(?:[!-9;-~]+[ \t]*:[^\r\n\0]*|[ \t][^\r\n\0]*)(?:\r?\n|$)/y;

/** The beginning of a line in a damaged header: an empty line, a line of blanks, a field, or the continuation of one. */
const DAMAGED_LINE = /(\r*(?:\n|$))|([ \t]+\r*(?:\n|$))|([!-9;-~]+)[ \t]*:|[ \t]/y;

/** Every sent email has at least one of these fields. */
const NAME_IN_EMAILS =
	/^(?:b?cc|date|delivered-to|from|in-reply-to|message-id|mime-version|received|references|reply-to|return-path|sender|subject|to)$|^(?:x|content|list|resent|arc|dkim|authentication|thread|auto)-./;

/** Characters of the name of a parameter and what stands between it and its value. */
const MAX_GAP = 20;

// A DKIM signature that is folded without leading blanks can have this many lines.
const MAX_FAULTY_LINES = 10;

/** @param rawEmail RFC 5322 text, as UTF-8 or from {@link decodeRawEmail} */
export function splitEmail(rawEmail: string, changed?: Partial<EmailLimits>): EmailText {
	const limits = limitsWith(changed);
	const isInLines = rawEmail.includes('\n') || !rawEmail.includes('\r');
	// Programs of Mac OS 9 end lines with CR alone.
	const lines = isInLines ? rawEmail : rawEmail.replaceAll('\r', '\r\n');
	const raw = lines.replace(BEFORE_THE_HEADERS, '');
	const { end, bodyStart, isPlain, ...extent } = findHeader(raw, 0, limits);
	const headerSize = { characters: end, lines: extent.lines };
	if (isTooLong(headerSize, limits)) {
		return { fields: [], body: '', flaw: 'longHeader', headerSize };
	}
	const fields = readWrittenFields(raw.slice(0, end));
	const email: EmailText = { fields, body: raw.slice(bodyStart), headerSize };
	const hadBlanksAbove = raw !== '' && raw.length < lines.length;
	if (!isPlain || hadBlanksAbove || !isInLines) email.flaw = 'ambiguousHeader';
	return email;
}

/** Whether the service sent an empty text instead of an email. */
export function isAbsent({ fields, body, flaw }: EmailText): boolean {
	return fields.length === 0 && body === '' && flaw === undefined;
}

export type HeaderLimits = Pick<EmailLimits, 'headerCharacters' | 'headerLines'>;

export function isTooLong(
	{ characters, lines }: HeaderSize,
	{ headerCharacters, headerLines }: HeaderLimits,
): boolean {
	return characters > headerCharacters || lines > headerLines;
}

/** Whether the line at a position is a boundary of the container. */
type IsBoundary = (position: number) => boolean;

/** Whether a header ends at this position without an empty line. */
type IsEnd = (position: number, lines: number) => boolean;

/**
 * Finds the end of the header of an email or part: an empty line, or a boundary if the part has no body.
 *
 * @param limits a header is not read further than to the first line beyond them
 */
export function findHeader(
	raw: string,
	start: number,
	limits: HeaderLimits,
	isBoundary: IsBoundary = () => false,
): HeaderExtent {
	const isEnd: IsEnd = (position, lines) =>
		position >= raw.length ||
		isTooLong({ characters: position - start, lines }, limits) ||
		isBoundary(position);
	return findPlainHeader(raw, start, isEnd) ?? findDamagedHeader(raw, start, isEnd);
}

/** @returns undefined if a line of the header is neither a field nor folded */
function findPlainHeader(raw: string, start: number, isEnd: IsEnd): HeaderExtent | undefined {
	let position = start;
	let lines = 0;
	while (!isEnd(position, lines)) {
		if (!isPlainLine(raw, position, lines)) return undefined;
		const next = nextLine(raw, position);
		if (isEmptyLine(raw, position)) {
			return { end: position, bodyStart: next, hasBody: true, lines, isPlain: true };
		}
		lines++;
		position = next;
	}
	return { end: position, bodyStart: position, hasBody: false, lines, isPlain: true };
}

/** A line at which a damaged header ends, unless a field follows soon. */
interface PossibleEnd {
	end: number;
	bodyStart: number;
	/** How many more faulty lines may come before the next field. */
	linesLeft: number;
	/** Whether it is a line of blanks, which may also be part of a folded field (RFC 5322, 4.2). */
	isBlank: boolean;
}

/**
 * Finds the end of a header with a line that is neither a field nor folded. Some programs write a line of blanks instead of an
 * empty line, or no line at all: the header ends before the first line that is not part of a header, unless more fields follow.
 */
function findDamagedHeader(raw: string, start: number, isEnd: IsEnd): HeaderExtent {
	let possible: PossibleEnd | undefined;
	/** The first line that begins with two dashes is looked at, because each takes a search. */
	let mayBeBoundary = true;
	/** Whether the lines below a line of blanks look like the rest of a folded field. */
	let looksFolded = false;
	let position = start;
	let lines = 0;
	while (!isEnd(position, lines)) {
		const next = nextLine(raw, position);
		const kind = kindOfLine(raw, position);
		if (kind === 'empty') {
			const endsEarlier = possible !== undefined && !looksFolded;
			if (!endsEarlier) possible = { end: position, bodyStart: next, linesLeft: 0, isBlank: false };
			break;
		}
		if (kind === 'text' && mayBeBoundary && raw.startsWith('--', position)) {
			mayBeBoundary = false;
			if (isBoundaryNamedIn(raw.slice(start, position), raw.slice(position, next))) {
				return { end: position, bodyStart: position, hasBody: true, lines, isPlain: false };
			}
		}
		lines++;
		if (kind === 'emailField') {
			possible = undefined;
			looksFolded = false;
		} else if (possible === undefined) {
			possible = possibleEnd(kind, position, next);
		} else if (possible.isBlank && isPartOfHeader(kind, looksFolded)) {
			looksFolded = true;
		} else {
			possible.linesLeft--;
			if (possible.linesLeft <= 0) break;
		}
		position = next;
	}
	if (possible === undefined) {
		return { end: position, bodyStart: position, hasBody: false, lines, isPlain: false };
	}
	const { end, bodyStart } = possible;
	return { end, bodyStart, hasBody: true, lines, isPlain: false };
}

/** Whether a header without an empty line below it ends before the first part. */
function isBoundaryNamedIn(header: string, line: string): boolean {
	const boundary = line.slice(2).trimEnd();
	const at = boundary === '' ? -1 : header.lastIndexOf(boundary);
	return at >= 0 && /boundary\s*=[\s"]*$/i.test(header.slice(Math.max(0, at - MAX_GAP), at));
}

/** `emailField` is a field with a usual name, see {@link NAME_IN_EMAILS}. `text` is not a line of a header. */
type LineKind = 'blank' | 'emailField' | 'empty' | 'field' | 'folded' | 'text';

function kindOfLine(raw: string, position: number): LineKind {
	DAMAGED_LINE.lastIndex = position;
	const [line, empty, blank, name] = DAMAGED_LINE.exec(raw) ?? [];
	if (line === undefined) return 'text';
	if (empty !== undefined) return 'empty';
	if (blank !== undefined) return 'blank';
	if (name === undefined) return 'folded';
	return NAME_IN_EMAILS.test(name.toLowerCase()) ? 'emailField' : 'field';
}

function possibleEnd(kind: LineKind, position: number, next: number): PossibleEnd | undefined {
	// The line below decides.
	if (kind === 'blank') return { end: position, bodyStart: next, linesLeft: 0, isBlank: true };
	if (kind !== 'text') return undefined;
	return { end: position, bodyStart: position, linesLeft: MAX_FAULTY_LINES, isBlank: false };
}

/** Below a line of blanks, a field counts only after a folded line or another line of blanks. */
function isPartOfHeader(kind: LineKind, looksFolded: boolean): boolean {
	return kind === 'folded' || kind === 'blank' || (kind === 'field' && looksFolded);
}

function isPlainLine(raw: string, position: number, lines: number): boolean {
	PLAIN_LINE.lastIndex = position;
	return PLAIN_LINE.test(raw) && (lines > 0 || !isSpaceOrTab(raw.charAt(position)));
}

function isEmptyLine(raw: string, position: number): boolean {
	return raw.startsWith('\n', position) || raw.startsWith('\r\n', position);
}

export function nextLine(text: string, position: number): number {
	const lineBreak = text.indexOf('\n', position);
	return lineBreak < 0 ? text.length : lineBreak + 1;
}

/** Whether a header has at least one field with a usual name of emails. */
export function hasEmailField(header: HeaderField[]): boolean {
	return header.some(({ name }) => NAME_IN_EMAILS.test(name));
}

import { trimEndOf, trimOf } from '../../basics';
import { limitsWith, type EmailLimits } from '../limits';

/** A header field of an email or part (RFC 5322, 2.2), unfolded, with encoded words not yet decoded. */
export interface HeaderField {
	name: string;
	value: string;
}

export interface WrittenField extends HeaderField {
	/** As in the email, with CRLF line breaks, except the last one. */
	text: string;
}

/** An email, split into header fields and body. Every reader of an email gets this, so that none splits it differently. */
export interface EmailText {
	/** From the top down. */
	fields: WrittenField[];
	/** With the line breaks as they arrived. */
	body: string;
	/**
	 * `ambiguousHeader`: a line of the header is neither a field nor folded (RFC 5322, 3.6.8), or blank lines or a byte order
	 * mark stand above it, so other programs may split the email differently. `longHeader`: the header is too long to read.
	 */
	flaw?: 'ambiguousHeader' | 'longHeader';
	headerSize: HeaderSize;
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
	lines: number;
	/** Whether each line is a field or folded. */
	isPlain: boolean;
}

/** Some senders put line breaks or a byte order mark before the first header. They would end the headers. */
const BEFORE_THE_HEADERS = /^[\uFEFF\s]+/;

/** An empty line; the beginning of a field; or a line that continues the field before it. Ends with the line. */
const PLAIN_LINE = /\r?\n|(?:[!-9;-~]+[ \t]*:[^\r\n\0]*|[ \t][^\r\n\0]*)(?:\r?\n|$)/y;

/** The beginning of a line, also of a damaged one: an empty line, a line of blanks, a field, or the continuation of one. */
const LINE = /(\r*(?:\n|$))|([ \t]+\r*(?:\n|$))|([!-9;-~]+)[ \t]*:|[ \t]/y;

/** Every sent email has at least one of these fields. */
const NAME_IN_EMAILS =
	/^(?:b?cc|date|delivered-to|from|in-reply-to|message-id|mime-version|received|references|reply-to|return-path|sender|subject|to)$|^(?:x|content|list|resent|arc|dkim|authentication|thread|auto)-./;

// A signature folded without leading blanks can have this many lines.
const MAX_FAULTY_LINES = 10;

/** @param rawEmail RFC 5322 text, decoded as UTF-8 */
export function splitEmail(rawEmail: string, own?: Partial<EmailLimits>): EmailText {
	const limits = limitsWith(own);
	const raw = rawEmail.replace(BEFORE_THE_HEADERS, '');
	const { end, bodyStart, lines, isPlain } = findHeader(raw, 0, limits);
	const headerSize = { characters: end, lines };
	if (isTooLong(headerSize, limits))
		return { fields: [], body: '', flaw: 'longHeader', headerSize };
	const isAmbiguous = !isPlain || (raw !== '' && raw.length < rawEmail.length);
	return {
		fields: readHeaderFields(raw.slice(0, end)),
		body: raw.slice(bodyStart),
		...(isAmbiguous && { flaw: 'ambiguousHeader' }),
		headerSize,
	};
}

/** Whether there is no email at all: the service sent an empty text. */
export function isNoEmail({ fields, body, flaw }: EmailText): boolean {
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

/**
 * Finds the end of the header of an email or part: an empty line, or a boundary if the part has no body.
 *
 * Some programs write a line of blanks instead of an empty line, or no line at all. If a line of the header is neither a
 * field nor folded, the header ends before the first line that is not part of a header, unless more header fields follow. A
 * folded field may contain a line of blanks (RFC 5322, 4.2).
 *
 * @param limits a header is not read further than to the first line beyond them
 */
export function findHeader(
	raw: string,
	start: number,
	limits: HeaderLimits,
	isBoundary: IsBoundary = () => false,
): HeaderExtent {
	let isPlain = true;
	/** Where a damaged header ends, unless one of so many lines is a field. */
	let fault: { end: number; bodyStart: number; lines: number } | undefined;
	let isFolding = false;
	let isOver = false;
	let position = start;
	let lines = 0;
	const isEnd = () =>
		position >= raw.length ||
		isTooLong({ characters: position - start, lines }, limits) ||
		isBoundary(position);
	for (let next = start; !isEnd(); position = next) {
		next = nextLine(raw, position);
		LINE.lastIndex = position;
		const [line, empty, blank, name] = LINE.exec(raw) ?? [];
		isPlain &&= isPlainLine(raw, position, lines);
		if (isOver && !isPlain) break;
		if (empty !== undefined) {
			const extent = { end: position, bodyStart: next, ...(!isPlain && !isFolding && fault) };
			return { ...extent, hasBody: true, lines, isPlain };
		}
		lines++;
		if (isOver) continue;
		if (name !== undefined && NAME_IN_EMAILS.test(name.toLowerCase())) {
			fault = undefined;
			isFolding = false;
		} else if (fault !== undefined) {
			const isInHeader = line !== undefined && (name === undefined || isFolding);
			if (fault.lines === 0 && isInHeader) isFolding = true;
			else isOver = --fault.lines <= 0;
			if (isOver && !isPlain) break;
		} else if (blank !== undefined) {
			fault = { end: position, bodyStart: next, lines: 0 };
		} else if (line === undefined) {
			fault = { end: position, bodyStart: position, lines: MAX_FAULTY_LINES };
		}
	}
	const damage = isPlain ? undefined : fault;
	const extent = { end: position, bodyStart: position, ...damage };
	return { ...extent, hasBody: damage !== undefined, lines, isPlain };
}

function isPlainLine(raw: string, position: number, lines: number): boolean {
	PLAIN_LINE.lastIndex = position;
	return PLAIN_LINE.test(raw) && (lines > 0 || !isSpaceOrTab(raw.charAt(position)));
}

export function nextLine(text: string, position: number): number {
	const lineBreak = text.indexOf('\n', position);
	return lineBreak < 0 ? text.length : lineBreak + 1;
}

/**
 * Reads a header. A line that begins with a blank continues the line before it, and a line without a colon is a field
 * without a value.
 */
export function readHeaderFields(header: string): WrittenField[] {
	const fields: string[][] = [];
	for (const written of header.split('\n')) {
		// Some gateways double the carriage return of a line break.
		const line = trimEndOf(written, (character) => character === '\r');
		const field = isSpaceOrTab(line.charAt(0)) ? fields.at(-1) : undefined;
		if (field) field.push(line);
		else if (line !== '') fields.push([line]);
	}
	return fields.map(readFieldLines);
}

function readFieldLines(lines: string[]): WrittenField {
	const unfolded = lines.join('');
	const colon = unfolded.indexOf(':');
	const name = trimOf(colon < 0 ? unfolded : unfolded.slice(0, colon), isSpaceOrTab).toLowerCase();
	const value = colon < 0 ? '' : unfolded.slice(colon + 1).replace(/\r+/g, ' ');
	return { name, value: trimOf(value, isSpaceOrTab), text: lines.join('\r\n') };
}

export function isOfEmail(header: HeaderField[]): boolean {
	return header.some(({ name }) => NAME_IN_EMAILS.test(name));
}

/** Other blanks, such as a no-break space, must not make a name of what is none. */
export const isSpaceOrTab = (character: string): boolean => character === ' ' || character === '\t';

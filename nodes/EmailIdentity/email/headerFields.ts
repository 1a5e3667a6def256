import { restoreWindows1252, trimEndOf, trimOf } from '../lib/text';
import { decodeCharset, decodeMixed, isMixed, isUtf7 } from './charsets';
import { decodeBody } from './transferEncoding';

/** One header field of an email or of a part (RFC 5322, 2.2): unfolded, its encoded words still encoded. */
export interface HeaderField {
	/** Lower case. */
	name: string;
	value: string;
}

/** Some senders put line breaks or a byte order mark before the first header, where they would end the headers. */
export const BEFORE_THE_HEADERS = /^[\uFEFF\s]+/;

// RFC 5322, 2.2. A line that is no header, such as the `From ` line of a mailbox file, has no such name.
const HEADER_NAME = /^[!-9;-~]+$/;

// Every email that was sent has at least one of these.
const NAMES_IN_EMAILS: ReadonlySet<string> = new Set(
	`bcc cc date delivered-to from in-reply-to message-id mime-version received references reply-to return-path sender
	subject to`.split(/\s+/),
);

/** The families that other fields of emails belong to. */
const FAMILY_IN_EMAILS = /^(?:x|content|list|resent|arc|dkim|authentication|thread|auto)-./;

// An encoded word may hide line breaks, which would start a new header wherever the value is used again.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;

const EMPTY_LINE = /\r*(?:\n|$)/y;
const BLANK_LINE = /[ \t]+\r*(?:\n|$)/y;
const CONTINUATION = /[ \t]/y;
const FIELD = /([!-9;-~]{1,200})[ \t]*:/y;

// A signature that was folded without blanks has as many lines.
const MAX_FAULTY_LINES = 10;

interface HeaderExtent {
	end: number;
	bodyStart: number;
	/** False where the email, or its part, ends with the header. */
	hasBody: boolean;
	lines: number;
}

/**
 * A header ends at an empty line, or at a boundary when the part has no body. Some programs write a line of blanks there,
 * others nothing at all: then it ends before the first line that is none of a header, unless the header goes on behind.
 *
 * @param isBoundary whether the line at a position is a boundary of the part around the header
 */
export function findHeader(
	raw: string,
	start: number,
	isBoundary: (position: number) => boolean = () => false,
): HeaderExtent {
	let fault: { end: number; bodyStart: number; lines: number } | undefined;
	let position = start;
	let lines = 0;
	let next = 0;
	for (; position < raw.length && !isBoundary(position); position = next) {
		next = nextLine(raw, position);
		if (matchesAt(EMPTY_LINE, raw, position)) {
			return { end: position, bodyStart: next, ...fault, hasBody: true, lines };
		}
		lines++;
		if (isFieldOfEmails(raw, position)) {
			fault = undefined;
		} else if (fault !== undefined) {
			if (--fault.lines <= 0) break;
		} else if (matchesAt(BLANK_LINE, raw, position)) {
			fault = { end: position, bodyStart: next, lines: 1 };
		} else if (!matchesAt(FIELD, raw, position) && !matchesAt(CONTINUATION, raw, position)) {
			fault = { end: position, bodyStart: position, lines: MAX_FAULTY_LINES };
		}
	}
	return { end: position, bodyStart: position, ...fault, hasBody: fault !== undefined, lines };
}

function isFieldOfEmails(raw: string, position: number): boolean {
	FIELD.lastIndex = position;
	const name = FIELD.exec(raw)?.[1];
	return name !== undefined && isNameInEmails(name.toLowerCase());
}

function matchesAt(pattern: RegExp, text: string, position: number): boolean {
	pattern.lastIndex = position;
	return pattern.test(text);
}

export function nextLine(text: string, position: number): number {
	const lineBreak = text.indexOf('\n', position);
	return lineBreak < 0 ? text.length : lineBreak + 1;
}

/**
 * Reads a header: a line that begins with a blank or a tab continues the one before, and a name on its own is a field
 * without a value.
 *
 * @param text the header with its line breaks, without the blank line after it
 */
export function readHeaderFields(text: string): HeaderField[] {
	const lines: string[] = [];
	let start = 0;
	while (start < text.length) {
		const next = nextLine(text, start);
		const line = text.slice(start, text[next - 1] === '\n' ? next - 1 : next);
		start = next;
		if (lines.length > 0 && isBlank(line.charAt(0))) {
			lines[lines.length - 1] += withoutReturns(line);
		} else {
			lines.push(withoutReturns(line));
		}
	}
	return lines.map(readField);
}

function readField(line: string): HeaderField {
	const colon = line.indexOf(':');
	const name = trimOf(colon < 0 ? line : line.slice(0, colon), isBlank).toLowerCase();
	const value = colon < 0 ? '' : line.slice(colon + 1).replace(/\r+/g, ' ');
	return { name, value: trimOf(value, isBlank) };
}

/** Whether a header is that of an email, not of any text. */
export function isOfEmail(header: HeaderField[]): boolean {
	return header.some(({ name }) => isNameInEmails(name));
}

/** @param name in lower case */
function isNameInEmails(name: string): boolean {
	return NAMES_IN_EMAILS.has(name) || FAMILY_IN_EMAILS.test(name);
}

/** Carriage returns that some gateways double belong to the line break. */
function withoutReturns(line: string): string {
	return trimEndOf(line, (character) => character === '\r');
}

/** Other blanks, such as a no-break space, must not make a name of what is none. */
export function isBlank(character: string): boolean {
	return character === ' ' || character === '\t';
}

/** Where the comment ends that begins here (RFC 5322, 3.2.2); comments may stand within each other. Undefined without an end. */
export function endOfComment(text: string, start: number): number | undefined {
	let depth = 0;
	for (let index = start; index < text.length; index++) {
		const character = text[index];
		if (character === '\\') index++;
		else if (character === '(') depth++;
		else if (character === ')' && --depth === 0) return index + 1;
	}
	return undefined;
}

/** A field's value without its comments; one without an end takes the rest with it. */
export function withoutComments(text: string): string {
	let kept = '';
	let end = 0;
	for (;;) {
		const start = text.indexOf('(', end);
		if (start < 0) return kept + text.slice(end);
		kept += text.slice(end, start);
		end = endOfComment(text, start) ?? text.length;
	}
}

/** The first of several counts, as in mail programs. */
export function firstValue(fields: HeaderField[], name: string): string | undefined {
	return fields.find((field) => field.name === name)?.value;
}

/** All values of each header in their order, decoded: what is repeated, such as `received`, is never collapsed. */
export function collectHeaders(fields: HeaderField[]): Record<string, string[]> {
	const values = new Map<string, string[]>();
	for (const { name, value } of fields) {
		if (!HEADER_NAME.test(name) || name === '__proto__') continue;
		const line = oneLine(decodeWords(value));
		const known = values.get(name);
		if (known) known.push(line);
		else values.set(name, [line]);
	}
	return Object.fromEntries(values);
}

/** A header's value on one line, without surrounding blanks. */
export function oneLine(value: string): string {
	return restoreWindows1252(value).replace(CONTROL_CHARACTERS, ' ').trim();
}

/** Charset, language (RFC 2231, 5), encoding, text. */
const ENCODED_WORD = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([qb])\?([^?]*)\?=/gi;

/** Encoded words with nothing but blanks between them, which belong to how they are written. */
const RUN_OF_WORDS = new RegExp(
	`${ENCODED_WORD.source}(?:[ \\t\\r\\n]*${ENCODED_WORD.source})*`,
	'gi',
);

const WORD_HERE = new RegExp(ENCODED_WORD.source, 'iy');

// A list of a thousand encoded names has half as many; what follows stays as it is written.
const MAX_ENCODED = 100_000;

/** Decodes the encoded words within a header's value (RFC 2047), in time that is linear in its length. */
export function decodeWords(value: string): string {
	if (!value.includes('=?')) return value;
	return value.slice(0, MAX_ENCODED).replace(RUN_OF_WORDS, decodeRun) + value.slice(MAX_ENCODED);
}

/** Where the encoded word ends that begins here; undefined where none does. */
export function endOfWord(value: string, start: number): number | undefined {
	WORD_HERE.lastIndex = start;
	return WORD_HERE.test(value) ? WORD_HERE.lastIndex : undefined;
}

/** Some senders cut words within a character, so that words in the same charset are decoded together. */
function decodeRun(run: string): string {
	let text = '';
	let charset = '';
	let pieces: Buffer[] = [];
	const end = () => {
		if (pieces.length > 0) text += decodeCharset(Buffer.concat(pieces), charset);
		pieces = [];
	};
	for (const [, name = '', encoding = '', written = ''] of run.matchAll(ENCODED_WORD)) {
		if (name.toLowerCase() !== charset || isUtf7(name)) end();
		charset = name.toLowerCase();
		if (encoding.toUpperCase() === 'B') {
			pieces.push(decodeBody(written, 'base64'));
			continue;
		}
		const quoted = written.replace(/_/g, ' ').replace(/=\s+(?=[0-9a-f])/gi, '=');
		if (isMixed(quoted, charset)) {
			end();
			text += decodeMixed(quoted, 'quoted-printable', charset);
		} else {
			pieces.push(decodeBody(quoted, 'quoted-printable'));
		}
	}
	end();
	return text;
}

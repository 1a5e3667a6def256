import { restoreWindows1252, trimEndOf, trimOf } from '../lib/text';
import { decodeCharset, decodeMixed, isMixed } from './charsets';
import { decodeBody } from './transferEncoding';

/** A header field of an email or part (RFC 5322, 2.2), unfolded, with encoded words not yet decoded. */
export interface HeaderField {
	/** Lower case. */
	name: string;
	value: string;
}

/** Some senders put line breaks or a byte order mark before the first header. They would end the headers. */
export const BEFORE_THE_HEADERS = /^[\uFEFF\s]+/;

// RFC 5322, 2.2. Other lines, such as the `From ` line of a mailbox file, have no such name.
const HEADER_NAME = /^[!-9;-~]+$/;

// Every sent email has at least one of these fields.
const NAMES_IN_EMAILS: ReadonlySet<string> = new Set(
	`bcc cc date delivered-to from in-reply-to message-id mime-version received references reply-to return-path sender
	subject to`.split(/\s+/),
);

/** Prefixes of other fields of emails. */
const FAMILY_IN_EMAILS = /^(?:x|content|list|resent|arc|dkim|authentication|thread|auto)-./;

// An encoded word can hide line breaks, which would start a new header if the value is used in one.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;

/** The beginning of a line in a header: an empty line, a line of blanks, a field, or the continuation of one. */
const LINE = /(\r*(?:\n|$))|([ \t]+\r*(?:\n|$))|([!-9;-~]{1,200})[ \t]*:|[ \t]/y;

// A signature folded without leading blanks can have this many lines.
const MAX_FAULTY_LINES = 10;

interface HeaderExtent {
	end: number;
	bodyStart: number;
	/** False if the email or part ends with the header. */
	hasBody: boolean;
	lines: number;
}

/**
 * Finds the end of a header: an empty line, or a boundary if the part has no body. Some programs write a line of blanks
 * instead, or no line at all. Then the header ends before the first line that is not part of a header, unless more header
 * fields follow.
 *
 * @param isBoundary whether the line at a position is a boundary of the container
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
		LINE.lastIndex = position;
		const [line, empty, blank, name] = LINE.exec(raw) ?? [];
		if (empty !== undefined) {
			return { end: position, bodyStart: next, ...fault, hasBody: true, lines };
		}
		lines++;
		if (name !== undefined && isNameInEmails(name.toLowerCase())) {
			fault = undefined;
		} else if (fault !== undefined) {
			if (--fault.lines <= 0) break;
		} else if (blank !== undefined) {
			fault = { end: position, bodyStart: next, lines: 1 };
		} else if (line === undefined) {
			fault = { end: position, bodyStart: position, lines: MAX_FAULTY_LINES };
		}
	}
	return { end: position, bodyStart: position, ...fault, hasBody: fault !== undefined, lines };
}

export function nextLine(text: string, position: number): number {
	const lineBreak = text.indexOf('\n', position);
	return lineBreak < 0 ? text.length : lineBreak + 1;
}

/**
 * Reads a header. A line that begins with a blank continues the line before it, and a line without a colon is a field
 * without a value.
 *
 * @param text the header with its line breaks, without the blank line after it
 */
export function readHeaderFields(text: string): HeaderField[] {
	const lines: string[] = [];
	for (const written of text.split('\n')) {
		const line = withoutReturns(written);
		if (lines.length > 0 && isBlank(line.charAt(0))) lines[lines.length - 1] += line;
		else if (line !== '') lines.push(line);
	}
	return lines.map(readField);
}

function readField(line: string): HeaderField {
	const colon = line.indexOf(':');
	const name = trimOf(colon < 0 ? line : line.slice(0, colon), isBlank).toLowerCase();
	const value = colon < 0 ? '' : line.slice(colon + 1).replace(/\r+/g, ' ');
	return { name, value: trimOf(value, isBlank) };
}

/** Whether a header has a field of emails. */
export function isOfEmail(header: HeaderField[]): boolean {
	return header.some(({ name }) => isNameInEmails(name));
}

/** @param name in lower case */
function isNameInEmails(name: string): boolean {
	return NAMES_IN_EMAILS.has(name) || FAMILY_IN_EMAILS.test(name);
}

/** Removes the carriage returns of the line break, which some gateways double. */
function withoutReturns(line: string): string {
	return trimEndOf(line, (character) => character === '\r');
}

/** Other blanks, such as a no-break space, must not make a name of what is none. */
export function isBlank(character: string): boolean {
	return character === ' ' || character === '\t';
}

/** The end of the comment that begins at this position (RFC 5322, 3.2.2), including nested comments; undefined if unclosed. */
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

/** Removes comments from a field's value. An unclosed comment extends to the end. */
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

/** If a field is repeated, the first one counts, as in mail programs. */
export function firstValue(fields: HeaderField[], name: string): string | undefined {
	return fields.find((field) => field.name === name)?.value;
}

/** All values of each header, decoded, in order. Repeated headers, such as `received`, keep all their values. */
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

/** Encoded words with only blanks between them. These blanks are not part of the text. */
const RUN_OF_WORDS = new RegExp(
	`${ENCODED_WORD.source}(?:[ \\t\\r\\n]*${ENCODED_WORD.source})*`,
	'gi',
);

const WORD_HERE = new RegExp(ENCODED_WORD.source, 'iy');

// Characters. A list of a thousand encoded names has half as many. The rest is not decoded.
const MAX_ENCODED = 100_000;

/** Decodes the encoded words in a header's value (RFC 2047) in linear time. */
export function decodeWords(value: string): string {
	if (!value.includes('=?')) return value;
	return value.slice(0, MAX_ENCODED).replace(RUN_OF_WORDS, decodeRun) + value.slice(MAX_ENCODED);
}

/** The end of the encoded word that begins at this position; undefined if none does. */
export function endOfWord(value: string, start: number): number | undefined {
	WORD_HERE.lastIndex = start;
	return WORD_HERE.test(value) ? WORD_HERE.lastIndex : undefined;
}

/** Decodes adjacent words in the same charset together, because some senders split characters between words. */
function decodeRun(run: string): string {
	let text = '';
	let charset = '';
	let pieces: Buffer[] = [];
	const end = () => {
		if (pieces.length > 0) text += decodeCharset(Buffer.concat(pieces), charset);
		pieces = [];
	};
	for (const [, name = '', encoding = '', written = ''] of run.matchAll(ENCODED_WORD)) {
		if (name.toLowerCase() !== charset) end();
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

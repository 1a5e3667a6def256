import { type Pace, restoreWindows1252 } from '../../basics';
import { decodeCharset, decodeMixed, isMixed } from './charsets';
import { EMAIL_LIMITS } from '../limits';
import type { HeaderField } from './splitEmail';
import { decodeBody } from './transferEncoding';

/** Decoding so many header fields, or characters of them, takes a few milliseconds. */
const HEADERS_BETWEEN_PAUSES = 2000;
const CHARACTERS_BETWEEN_PAUSES = 200_000;

// RFC 5322, 2.2. Other lines, such as the `From ` line of a mailbox file, have no such name.
const HEADER_NAME = /^[!-9;-~]+$/;

// An encoded word can hide line breaks, which would start a new header if the value is used in one.
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]+/gu;

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

/** @param replacement for each comment */
export function withoutComments(text: string, replacement = ''): string {
	let kept = '';
	let end = 0;
	for (;;) {
		const start = text.indexOf('(', end);
		if (start < 0) return kept + text.slice(end);
		kept += text.slice(end, start) + replacement;
		end = endOfComment(text, start) ?? text.length;
	}
}

/** Replaces a comment with a space, a quoted string with one quotation mark; undefined if one of them does not end. */
export function withoutCommentsAndQuotes(text: string): string | undefined {
	let kept = '';
	let end: number | undefined;
	for (let start = 0; start < text.length; start = end) {
		const character = text.charAt(start);
		end = start + 1;
		if (character === '(') end = endOfComment(text, start);
		else if (character === '"') end = endOfQuoted(text, start);
		if (end === undefined) return undefined;
		kept += character === '(' ? ' ' : character;
	}
	return kept;
}

function endOfQuoted(text: string, start: number): number | undefined {
	for (let index = start + 1; index < text.length; index++) {
		if (text[index] === '\\') index++;
		else if (text[index] === '"') return index + 1;
	}
	return undefined;
}

/** If a field is repeated, the first one counts, as in mail programs. */
export function firstValue(fields: readonly HeaderField[], name: string): string | undefined {
	return fields.find((field) => field.name === name)?.value;
}

/** All values of each header, decoded, in order, with pauses. Repeated headers, such as `received`, keep all their values. */
export async function collectHeaders(
	fields: readonly HeaderField[],
	pace: Pace,
): Promise<Record<string, string[]>> {
	const headers: Record<string, string[]> = {};
	for (const { name, value } of fields) {
		const share = 1 / HEADERS_BETWEEN_PAUSES + value.length / CHARACTERS_BETWEEN_PAUSES;
		if (pace.isDue(share)) await pace.pause();
		if (!HEADER_NAME.test(name) || name === '__proto__') continue;
		const line = oneLine(decodeWords(value));
		const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
		if (known === undefined) headers[name] = [line];
		else known.push(line);
	}
	return headers;
}

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

/** For {@link endOfMatch}. */
export const WORD_HERE = new RegExp(ENCODED_WORD.source, 'iy');

/** Decodes the encoded words in a header's value (RFC 2047) in linear time. */
export function decodeWords(value: string): string {
	if (!value.includes('=?')) return value;
	const { encodedWords: max } = EMAIL_LIMITS;
	return value.slice(0, max).replace(RUN_OF_WORDS, decodeRun) + value.slice(max);
}

/** @param pattern with the flag `y` @returns undefined if it does not match at this position */
export function endOfMatch(pattern: RegExp, text: string, start: number): number | undefined {
	pattern.lastIndex = start;
	return pattern.test(text) ? pattern.lastIndex : undefined;
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

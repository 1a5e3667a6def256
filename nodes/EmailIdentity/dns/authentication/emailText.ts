import { sleep } from 'n8n-workflow';

import { BEFORE_THE_HEADERS, readHeaderFields } from '../../email/headerFields';
import { MAX_HEADER_CHARACTERS, MAX_HEADER_LINES } from '../../email/mimeStructure';

/** A header field, read as `email/` reads it, and as it was signed. */
export interface WrittenField {
	/** Lower case. */
	name: string;
	/** Unfolded. */
	value: string;
	/**
	 * With its name and its own line breaks, as CRLF; without the last. A line that is no field belongs to the text of the one
	 * above, as `mailauth` reads it, and has none of its own: that can make a signature fail, never pass.
	 */
	text: string;
}

/** An email as its signers saw it. */
export interface EmailText {
	/** From the top down. */
	fields: WrittenField[];
	/** The body in pieces that end with a line, each line with CRLF. Others get their turn between them. */
	body(): AsyncGenerator<Buffer>;
	/** Whether characters of the body were lost before it came here, so that what was signed is no longer known. */
	bodyLostCharacters(): boolean;
}

/** Why a text cannot be read as an email whose signatures could be checked. */
export type UnreadableText = 'longHeader' | 'longLine' | 'missing';

const PIECE = 32_768;

/** Mail servers let a thousand characters through (RFC 5321, 4.5.3.1.6); a line has to be hashed in one go. */
const LONGEST_LINE = 1_000_000;

const TIME_BETWEEN_PAUSES_MS = 10;

/** RFC 5322, 3.6.8; the obsolete syntax has blanks before the colon. */
const FIELD = /^[!-9;-~]+[ \t\r\n]*:/;

const LINE_BREAK = /\r?\n/g;

/**
 * Reads the text of an email for the check of its signatures, in time that is linear in its length.
 *
 * It came as JSON, decoded as UTF-8: line ends may have become LF, and bytes that were no UTF-8 are U+FFFD. Line ends become
 * what the standard has (RFC 6376, 5.3), so does a line break that is missing at the end; a byte order mark or blank lines
 * before the header are left out, as where the email is read.
 */
export function readEmailText(rawEmail: string | undefined): EmailText | UnreadableText {
	const raw = (rawEmail ?? '').replace(BEFORE_THE_HEADERS, '');
	if (raw === '') return 'missing';
	const header = readHeader(raw);
	if (header === undefined) return 'longHeader';
	if (hasLongLine(raw, header.end)) return 'longLine';
	return {
		fields: readFields(header.fields),
		body: () => readBody(raw, header.end),
		bodyLostCharacters: () => lostCharacters(raw.slice(header.end)),
	};
}

/** Whether a text holds what stands for bytes that were no UTF-8. A text may hold it by itself, so alone it says nothing. */
export function lostCharacters(text: string): boolean {
	return text.includes('\uFFFD') || !text.isWellFormed();
}

/** The lines of each field without their ends, and where the body begins; undefined beyond the bounds that `email/` has. */
function readHeader(raw: string): { fields: string[][]; end: number } | undefined {
	const fields: string[][] = [];
	let start = 0;
	for (let lines = 0; start < raw.length; lines++) {
		if (start > MAX_HEADER_CHARACTERS || lines > MAX_HEADER_LINES) return undefined;
		const lineBreak = raw.indexOf('\n', start);
		const end = lineBreak < 0 ? raw.length : lineBreak;
		const line = withoutReturns(raw, start, end);
		start = lineBreak < 0 ? raw.length : lineBreak + 1;
		if (line === '') break;
		const isContinued = line.startsWith(' ') || line.startsWith('\t');
		const field = isContinued ? fields.at(-1) : undefined;
		if (field) field.push(line);
		else fields.push([line]);
	}
	return start > MAX_HEADER_CHARACTERS ? undefined : { fields, end: start };
}

/** Carriage returns that some gateways double belong to the line break. */
function withoutReturns(raw: string, start: number, lineEnd: number): string {
	let end = lineEnd;
	while (end > start && raw[end - 1] === '\r') end--;
	return raw.slice(start, end);
}

function readFields(written: string[][]): WrittenField[] {
	const fields: WrittenField[] = [];
	let above: WrittenField | undefined;
	for (const lines of written) {
		const text = lines.join('\r\n');
		const [{ name, value } = { name: '', value: '' }] = readHeaderFields(text);
		if (above !== undefined && !FIELD.test(text)) {
			above.text += `\r\n${text}`;
			fields.push({ name, value, text: '' });
		} else {
			above = { name, value, text };
			fields.push(above);
		}
	}
	return fields;
}

function hasLongLine(raw: string, bodyStart: number): boolean {
	let start = bodyStart;
	while (raw.length - start > LONGEST_LINE) {
		const lineBreak = raw.lastIndexOf('\n', start + LONGEST_LINE);
		if (lineBreak < start) return true;
		start = lineBreak + 1;
	}
	return false;
}

async function* readBody(raw: string, bodyStart: number): AsyncGenerator<Buffer> {
	let paused = Date.now();
	let start = bodyStart;
	while (start < raw.length) {
		const lineBreak = raw.indexOf('\n', start + PIECE);
		const end = lineBreak < 0 ? raw.length : lineBreak + 1;
		yield Buffer.from(raw.slice(start, end).replace(LINE_BREAK, '\r\n'), 'utf8');
		start = end;
		if (Date.now() - paused >= TIME_BETWEEN_PAUSES_MS) {
			await sleep(0);
			paused = Date.now();
		}
	}
}

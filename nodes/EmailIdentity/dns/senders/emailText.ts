import { BEFORE_THE_HEADERS } from '../../email/headerFields';
import { readSignedHeader, type SignedField } from '../../email/asSigned';
import type { Pause } from '../../lib/pause';

/** An email as its signers saw it. */
export interface EmailText {
	/** From the top down. */
	fields: SignedField[];
	/** The body in pieces that end with a line, each line with CRLF. */
	body(pause: Pause): AsyncGenerator<Buffer>;
	/** Whether characters of the body were lost before it came here, so that what was signed is no longer known. */
	bodyLostCharacters(): boolean;
}

/** Why a text cannot be read as an email whose signatures could be checked. */
export type UnreadableText = 'ambiguousHeader' | 'longHeader' | 'longLine' | 'missing';

const PIECE = 32_768;

/** Mail servers let a thousand characters through (RFC 5321, 4.5.3.1.6); a line has to be hashed in one go. */
const MAX_LINE = 1_000_000;

const MS_BETWEEN_PAUSES = 10;

const LINE_BREAK = /\r?\n/g;

/**
 * Reads the text of an email for the check of its signatures, in time that is linear in its length.
 *
 * It came as JSON, decoded as UTF-8: line ends may have become LF, and bytes that were no UTF-8 are U+FFFD. Line ends become
 * CRLF again (RFC 6376, 5.3). A byte order mark or blank lines before the header are left out, as where the email is read.
 */
export function readEmailText(rawEmail: string | undefined): EmailText | UnreadableText {
	const raw = (rawEmail ?? '').replace(BEFORE_THE_HEADERS, '');
	if (raw === '') return 'missing';
	const header = readSignedHeader(raw);
	if (typeof header === 'string') return header;
	const { fields, bodyStart } = header;
	if (hasLongLine(raw, bodyStart)) return 'longLine';
	return {
		fields,
		body: (pause) => readBody(raw, bodyStart, pause),
		bodyLostCharacters: () => lostCharacters(raw.slice(bodyStart)),
	};
}

/** Whether a text holds what stands for bytes that were no UTF-8. A text may hold it by itself, so alone it says nothing. */
export function lostCharacters(text: string): boolean {
	return text.includes('\uFFFD') || !text.isWellFormed();
}

function hasLongLine(raw: string, bodyStart: number): boolean {
	let start = bodyStart;
	while (raw.length - start > MAX_LINE) {
		const lineBreak = raw.lastIndexOf('\n', start + MAX_LINE);
		if (lineBreak < start) return true;
		start = lineBreak + 1;
	}
	return false;
}

async function* readBody(raw: string, bodyStart: number, pause: Pause): AsyncGenerator<Buffer> {
	let paused = Date.now();
	let start = bodyStart;
	while (start < raw.length) {
		const lineBreak = raw.indexOf('\n', start + PIECE);
		const end = lineBreak < 0 ? raw.length : lineBreak + 1;
		yield Buffer.from(raw.slice(start, end).replace(LINE_BREAK, '\r\n'), 'utf8');
		start = end;
		if (Date.now() - paused >= MS_BETWEEN_PAUSES) {
			await pause();
			paused = Date.now();
		}
	}
}

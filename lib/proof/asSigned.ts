import type { EmailText } from '../email';
import { CARRIAGE_RETURN, LINE_FEED, Pace, type Pause, SPACE, TAB } from '../basics';
import type { Covers } from './coverage';

const RUN_OF_BLANKS = /[ \t]{2,}|\t/g;

/** Fields of the email itself that change how its content is read, but that few signers cover. */
const LEFT_OUT_UNLESS_COVERED: ReadonlySet<string> = new Set(['content-disposition', 'content-id']);

/** The values of fields with single spaces. Other whitespace, such as a no-break space, is part of the signed text. */
export function withSingleSpaces(email: EmailText): EmailText {
	const fields = email.fields.map((field) => ({
		...field,
		value: field.value.replace(RUN_OF_BLANKS, ' '),
	}));
	return { ...email, fields };
}

/**
 * The email as a relaxed signature sees it (RFC 6376, 3.4), but with the runs of blanks within the lines of the body, which
 * keep tables and indented text readable.
 *
 * @param email with single spaces in its fields
 */
export async function asSigned(email: EmailText, covers: Covers, pause: Pause): Promise<EmailText> {
	const fields = email.fields.filter(
		({ name }) => !LEFT_OUT_UNLESS_COVERED.has(name) || covers(name),
	);
	const pieces: string[] = [];
	for await (const piece of canonicalBody(email.body, 'inLines', pause))
		pieces.push(piece.toString());
	return { ...email, fields, body: pieces.join('') };
}

/** The blanks that stay: all, those within lines, or one of each run within a line (RFC 6376, 3.4.3 and 3.4.4). */
type KeptBlanks = 'all' | 'inLines' | 'oneOfEachRun';

/** Characters of a piece, and pieces between pauses: some milliseconds. */
const PIECE = 32_768;
const PIECES_BETWEEN_PAUSES = 10;

/** An empty line or a blank at the end. */
const STEP = 1 / 500_000;

/** Blanks that may be changed. */
const CHANGED_BLANKS = /[ \t](?:\r?\n|[ \t]|$)|\t/;

/**
 * A body in canonical form: line ends are CRLF (RFC 6376, 5.3), although JSON may bring LF, and empty lines at the end are
 * left out. Pauses between pieces.
 */
export async function* canonicalBody(body: string, kept: KeptBlanks, pause: Pause) {
	const pace = new Pace(pause);
	const last = await endWithoutEmptyLines(body, kept, pace);
	for (let start = 0, end = 0; start < last; start = end) {
		end = Math.min(start + PIECE, last);
		while (end < last && !isBetween(body, end)) end++;
		yield canonicalLines(body.slice(start, end), kept);
		if (pace.isDue((end - start) / PIECE / PIECES_BETWEEN_PAUSES)) await pace.pause();
	}
	if (last > 0 || kept === 'all') yield '\r\n';
}

/** Whether a body can be cut here: not within a line break, before the end of a run of blanks, or within a character. */
function isBetween(body: string, position: number): boolean {
	const before = body.charCodeAt(position - 1);
	const isInCharacter = before >= 0xd800 && before < 0xdc00;
	return !isInCharacter && !isBlankCode(before) && body.charCodeAt(position) !== LINE_FEED;
}

async function endWithoutEmptyLines(body: string, kept: KeptBlanks, pace: Pace): Promise<number> {
	let end = body.length;
	for (let next = end; ; end = next) {
		while (kept !== 'all' && isBlankCode(body.charCodeAt(next - 1))) {
			next--;
			if (pace.isDue(STEP)) await pace.pause();
		}
		if (pace.isDue(STEP)) await pace.pause();
		if (body.charCodeAt(next - 1) !== LINE_FEED) return kept === 'all' ? end : next;
		next -= body.charCodeAt(next - 2) === CARRIAGE_RETURN ? 2 : 1;
	}
}

const isBlankCode = (code: number): boolean => code === SPACE || code === TAB;

/** Most lines of an honest email, and all of its encoded files. */
function isCanonical(text: string): boolean {
	for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
		if (text.charCodeAt(end - 1) !== CARRIAGE_RETURN) return false;
	}
	const hasBlanks = text.includes(' ') || text.includes('\t');
	return !hasBlanks || !CHANGED_BLANKS.test(text);
}

function canonicalLines(text: string, kept: KeptBlanks): Buffer | string {
	if (isCanonical(text)) return text;
	const piece = Buffer.from(text);
	const lines = Buffer.allocUnsafe(2 * piece.length);
	let end = 0;
	let endWithoutBlanks = 0;
	for (let index = 0; index < piece.length; index++) {
		const byte = piece[index] as number;
		if (byte === LINE_FEED) {
			lines[endWithoutBlanks] = CARRIAGE_RETURN;
			lines[endWithoutBlanks + 1] = LINE_FEED;
			end = endWithoutBlanks += 2;
		} else if (byte === CARRIAGE_RETURN && piece[index + 1] === LINE_FEED) {
			continue;
		} else if (!isBlankCode(byte) || kept === 'all') {
			lines[end++] = byte;
			endWithoutBlanks = end;
		} else if (kept === 'inLines') {
			lines[end++] = byte;
		} else if (end === endWithoutBlanks) {
			lines[end++] = SPACE;
		}
	}
	return lines.subarray(0, endWithoutBlanks);
}

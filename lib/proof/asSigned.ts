import type { EmailText } from '../email';
import { Pace, type Pause } from '../basics';
import type { Covers } from './coverage';

const RUN_OF_BLANKS = /[ \t]{2,}|\t/g;

/** Fields of the email itself that change how its content is read, but that few signers cover. */
const LEFT_OUT_UNLESS_COVERED: ReadonlySet<string> = new Set(['content-disposition', 'content-id']);

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

const isBlankByte = (byte?: number): boolean => byte === SPACE || byte === TAB;

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
	return { ...email, fields, body: await bodyAsSigned(email.body, pause) };
}

/** Bytes, which take a millisecond at most. */
const PIECE = 65_536;
const PIECES_BETWEEN_PAUSES = 8;

/** As verifiers normalize line ends (RFC 6376, 3.4.4), in place, because there may be a million lines. */
async function bodyAsSigned(body: string, pause: Pause): Promise<string> {
	const pace = new Pace(pause);
	const bytes = Buffer.from(body);
	let end = 0;
	for (let start = 0; start < bytes.length; start += PIECE) {
		if (pace.isDue(1 / PIECES_BETWEEN_PAUSES)) await pace.pause();
		end = copyLines(bytes, start, end);
	}
	while (end > 0 && isBlankByte(bytes[end - 1])) end--;
	while (end > 0 && bytes[end - 1] === LINE_FEED) end--;
	return end === 0 ? '' : `${bytes.toString('utf8', 0, end)}\n`;
}

/** @returns the end of what was copied */
function copyLines(bytes: Buffer, start: number, copied: number): number {
	const last = Math.min(start + PIECE, bytes.length);
	let end = copied;
	for (let index = start; index < last; index++) {
		const byte = bytes[index] as number;
		if (byte === LINE_FEED) {
			if (end > 0 && bytes[end - 1] === CARRIAGE_RETURN) end--;
			while (end > 0 && isBlankByte(bytes[end - 1])) end--;
		}
		bytes[end++] = byte;
	}
	return end;
}

import type { EmailText } from '../email';
import type { Pause } from '../basics';
import { canonicalLines, CARRIAGE_RETURN, inPieces, LINE_FEED } from './canonicalBody';
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
	return { ...email, fields, body: await bodyAsSigned(email.body, pause) };
}

async function bodyAsSigned(body: string, pause: Pause): Promise<string> {
	const pieces: Buffer[] = [];
	for await (const piece of inPieces(body, pause)) pieces.push(canonicalLines(piece, 'inLines'));
	const lines = Buffer.concat(pieces);
	let end = lines.length;
	while (end >= 2 && lines[end - 2] === CARRIAGE_RETURN && lines[end - 1] === LINE_FEED) end -= 2;
	return end === 0 ? '' : `${lines.toString('utf8', 0, end)}\r\n`;
}

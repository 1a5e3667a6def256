import type { Pause } from '../basics';
import { type EmailReading, type EmailText, openEmail, type ReadableEmail } from '../email';

const RUN_OF_BLANKS = /[ \t]{2,}|\t/g;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

const isBlankByte = (byte: number): boolean => byte === SPACE || byte === TAB;

/**
 * Normalizes an email whose sender is checked. Removes differences that no signature covers: trailing spaces, folding, the
 * kind of line breaks, and empty lines at the end. Keeps spaces between words.
 *
 * @returns the unchanged email if its header has a flaw; its sender is never proved then
 */
export function asSigned<Email extends EmailText>(email: Email): Email {
	if (email.flaw !== undefined) return email;
	// Other whitespace, such as a no-break space, is part of the signed text.
	const fields = email.fields.map(({ value, ...field }) => ({
		...field,
		value: value.replace(RUN_OF_BLANKS, ' '),
	}));
	return { ...email, fields, body: bodyAsSigned(email.body) };
}

/** Normalizes line ends as verifiers do (RFC 6376, 3.4.4), in place, because there may be a million lines. */
function bodyAsSigned(body: string): string {
	const bytes = Buffer.from(body);
	let end = 0;
	for (const byte of bytes) {
		if (byte === LINE_FEED) {
			if (end > 0 && bytes[end - 1] === CARRIAGE_RETURN) end--;
			end = withoutLast(bytes, end, isBlankByte);
		}
		bytes[end++] = byte;
	}
	end = withoutLast(bytes, end, isBlankByte);
	end = withoutLast(bytes, end, (byte) => byte === LINE_FEED);
	return end === 0 ? '' : `${bytes.toString('utf8', 0, end)}\n`;
}

function withoutLast(bytes: Buffer, end: number, isCut: (byte: number) => boolean): number {
	let kept = end;
	while (kept > 0 && isCut(bytes[kept - 1] ?? 0)) kept--;
	return kept;
}

/** The same email with the lengths of its runs of spaces changed to these lengths in turn. */
export function withSpaces<Email extends EmailText>(
	email: Email,
	lengths: readonly number[],
): Email {
	const values = spacedText(email.fields.map(({ value }) => value).join('\n'), lengths).split('\n');
	const fields = email.fields.map((field, index) => ({ ...field, value: values[index] ?? '' }));
	return { ...email, fields, body: spacedText(email.body, lengths) };
}

export async function readWhole(email: ReadableEmail, pause: Pause): Promise<EmailReading> {
	await pause();
	const opened = await openEmail(email, { pause });
	return await opened.read({ attachments: true, headers: true, binaryPrefix: '' });
}

/** Whether two readings say the same, apart from the number of spaces. */
export function isAlike(one: EmailReading, other: EmailReading): boolean {
	return (
		fieldsOf(one) === fieldsOf(other) &&
		one.files.length === other.files.length &&
		one.files.every(({ content }, index) => isSameContent(content, other.files[index]?.content))
	);
}

const fieldsOf = ({ email }: EmailReading): string =>
	spacedText(
		JSON.stringify(email, (key, value: unknown) =>
			typeof value === 'string' ? value.replaceAll('\t', ' ') : key === 'size' ? null : value,
		),
		[0],
	);

function isSameContent(one: Buffer, other: Buffer | undefined): boolean {
	if (other === undefined) return false;
	return one.equals(other) || spaced(one, [0]).equals(spaced(other, [0]));
}

const spacedText = (text: string, lengths: readonly number[]): string =>
	spaced(Buffer.from(text), lengths).toString();

/** Changes the lengths of runs of spaces to these lengths in turn. */
function spaced(bytes: Buffer, lengths: readonly number[]): Buffer {
	const written = Buffer.allocUnsafe(bytes.length * 3);
	let end = 0;
	let runs = 0;
	for (let index = 0; index < bytes.length; index++) {
		const byte = bytes[index] ?? 0;
		if (!isBlankByte(byte)) {
			written[end++] = byte;
		} else if (!isBlankByte(bytes[index + 1] ?? 0)) {
			const length = lengths[runs++ % lengths.length] ?? 0;
			written.fill(SPACE, end, end + length);
			end += length;
		}
	}
	return written.subarray(0, end);
}

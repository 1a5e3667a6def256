import {
	type ContentHeader,
	type EmailReading,
	type EmailText,
	openEmail,
	type ReadableEmail,
	readContentHeader,
} from '../email';
import type { ProofBounds } from './limits';
import { timesIn } from './senderDomain';
import { comparableContent, signedContent } from './signedContent';

const RUN_OF_BLANKS = /[ \t]{2,}|\t/g;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

const isBlankByte = (byte: number): boolean => byte === SPACE || byte === TAB;

/** The check of a sender and the reader of the email both need it. */
const known = new WeakMap<EmailText, EmailText>();

/**
 * Removes differences that no signature covers: trailing spaces, folding, the kind of line breaks, and empty lines at the end.
 * An email with a flaw in its header stays as it is, because its sender is never proved.
 */
export function asSigned(email: EmailText): EmailText {
	if (email.flaw !== undefined) return email;
	const signed = known.get(email) ?? {
		...email,
		// Other whitespace, such as a no-break space, is part of the signed text.
		fields: withValues(email, (value) => value.replace(RUN_OF_BLANKS, ' ')),
		body: bodyAsSigned(email.body),
	};
	known.set(email, signed);
	return signed;
}

const withValues = ({ fields }: EmailText, change: (value: string, index: number) => string) =>
	fields.map((field, index) => ({ ...field, value: change(field.value, index) }));

/** As verifiers normalize line ends (RFC 6376, 3.4.4), in place, because there may be a million lines. */
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

/**
 * Whether the email says what was signed, and nothing else. Relaxed signatures do not cover the number of spaces, on which a
 * boundary, a file name or encoded data may depend: so the email is also read with each run of spaces as one, and with
 * more of them. If content fields are not covered, it is read by the body alone and by its header.
 *
 * @param covered for each signature that proves the sender, the names of the fields that it covers
 * @returns how the body is read if that differs from the header, or why the sender is not proved
 */
export async function readAsSigned(
	signed: EmailText,
	covered: readonly string[][],
	bounds: ProofBounds,
): Promise<{ content?: ContentHeader } | 'contentNotSigned' | 'readTwoWays'> {
	const written = signed.fields.map(({ name }) => name);
	const isCovered = (name: string) =>
		covered.some((names) => timesIn(names, name) >= Math.max(timesIn(written, name), 1));

	const canonical = withSpaces(signed, [1]);
	const byHeader = readContentHeader(canonical.fields, 'text/plain');
	const bySignature = signedContent(canonical, isCovered, bounds.limits);
	if (bySignature === undefined) return 'contentNotSigned';
	const isByHeader = JSON.stringify(bySignature) === JSON.stringify(byHeader);
	const content = isByHeader ? undefined : bySignature;

	const expected = await readWhole({ ...canonical, content }, bounds);
	const saysOther = async (email: ReadableEmail) =>
		!isAlike(await readWhole(email, bounds), expected);
	for (const other of [signed, withSpaces(signed, [2, 3])]) {
		if (!isSameText(other, canonical) && (await saysOther({ ...other, content })))
			return 'readTwoWays';
	}
	if (content === undefined) return {};
	const compared = comparableContent(byHeader, content);
	return (await saysOther({ ...canonical, content: compared })) ? 'contentNotSigned' : { content };
}

function withSpaces(email: EmailText, lengths: readonly number[]): EmailText {
	const values = spacedText(email.fields.map(({ value }) => value).join('\n'), lengths).split('\n');
	const fields = withValues(email, (_, index) => values[index] ?? '');
	return { ...email, fields, body: spacedText(email.body, lengths) };
}

const isSameText = (one: EmailText, other: EmailText): boolean =>
	one.body === other.body &&
	one.fields.every(({ value }, index) => value === other.fields[index]?.value);

async function readWhole(email: ReadableEmail, { pause }: ProofBounds): Promise<EmailReading> {
	await pause();
	const opened = await openEmail(email, { pause });
	return await opened.read({ attachments: true, headers: true, binaryPrefix: '' });
}

function isAlike(one: EmailReading, other: EmailReading): boolean {
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

import type { Pause } from '../lib/pause';
import { trimOf } from '../lib/text';
import { BEFORE_THE_HEADERS, isBlank } from './headerFields';
import { MAX_HEADER_CHARACTERS, MAX_HEADER_LINES } from './mimeStructure';
import { openEmail } from './openEmail';
import type { EmailReading } from './types';

/** A header field as it was signed. */
export interface SignedField {
	/** Lower case. */
	name: string;
	/** Unfolded, each run of spaces and tabs as one space. */
	value: string;
	/** As in the email, with CRLF line breaks, except the last one. */
	text: string;
}

interface SignedHeader {
	fields: SignedField[];
	bodyStart: number;
}

/** RFC 5322, 2.2; the obsolete syntax allows spaces before the colon. */
const FIELD = /^([!-9;-~]+)[ \t]*:/;

const END_OF_HEADER = /(?:^|\r?\n)\r?\n/;

/** A carriage return within a line, or a zero byte. */
const NOT_TEXT = /\r(?!\n)|\0/;

const RUN_OF_BLANKS = /[ \t]{2,}|\t/g;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

const isBlankByte = (byte: number): boolean => byte === SPACE || byte === TAB;

/**
 * Reads a header in the same way for the signature check and the output.
 *
 * @param raw starts with the first field
 * @returns the header, or the reason why it cannot be read
 */
export function readSignedHeader(raw: string): SignedHeader | 'ambiguousHeader' | 'longHeader' {
	const found = END_OF_HEADER.exec(raw.slice(0, MAX_HEADER_CHARACTERS + 1));
	const bodyStart = found ? found.index + found[0].length : raw.length;
	const header = raw.slice(0, bodyStart);
	const isLong = bodyStart > MAX_HEADER_CHARACTERS || header.split('\n').length > MAX_HEADER_LINES;
	if (isLong) return 'longHeader';
	const written = header
		.slice(0, found?.index)
		.replace(/\r?\n$/, '')
		.split(/\r?\n(?![ \t])/);
	if (NOT_TEXT.test(header) || !written.every((field) => FIELD.test(field))) {
		return 'ambiguousHeader';
	}
	return { fields: written.map(readField), bodyStart };
}

function readField(written: string): SignedField {
	const lines = written.split(/\r?\n/);
	const unfolded = lines.join('');
	const [start = '', name = ''] = FIELD.exec(unfolded) ?? [];
	// Other whitespace, such as a no-break space, is part of the signed text.
	const value = unfolded.slice(start.length).replace(RUN_OF_BLANKS, ' ');
	return { name: name.toLowerCase(), value: trimOf(value, isBlank), text: lines.join('\r\n') };
}

/**
 * Normalizes an email whose sender is checked. Removes differences that no signature covers: trailing spaces, folding, the
 * kind of line breaks, and empty lines at the end. Keeps spaces between words, which `isReadAsSigned` checks.
 *
 * @returns the unchanged email if its header cannot be read; its sender is never proved then
 */
export function asSigned(rawEmail: string): string {
	const raw = rawEmail.replace(BEFORE_THE_HEADERS, '');
	const header = readSignedHeader(raw);
	if (typeof header === 'string') return rawEmail;
	const fields = header.fields.map(({ name, value }) => `${name}: ${value}\n`);
	return `${fields.join('')}\n${bodyAsSigned(raw.slice(header.bodyStart))}`;
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

/**
 * Whether the number of spaces between words makes no difference. Relaxed signatures do not cover this number, but a
 * boundary, a file name or encoded data may depend on it. So the email is also read with each run of spaces as one space,
 * and with every other run as two.
 */
export async function isReadAsSigned(rawEmail: string, pause: Pause): Promise<boolean> {
	const signed = asSigned(rawEmail);
	const canonical = withBlanks(signed, [1]);
	const stretched = withBlanks(signed, [2, 1]);
	await pause();
	const expected = await readAll(canonical, pause);
	for (const other of new Set([signed, stretched])) {
		if (other !== canonical && !isAlike(await readAll(other, pause), expected)) return false;
		await pause();
	}
	return true;
}

async function readAll(raw: string, pause: Pause): Promise<EmailReading> {
	const opened = await openEmail(raw, { pause });
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
	withBlanks(
		JSON.stringify(email, (key, value: unknown) =>
			typeof value === 'string' ? value.replaceAll('\t', ' ') : key === 'size' ? null : value,
		),
		[0],
	);

function isSameContent(one: Buffer, other: Buffer | undefined): boolean {
	if (other === undefined) return false;
	return one.equals(other) || spaced(one, [0]).equals(spaced(other, [0]));
}

const withBlanks = (text: string, lengths: readonly number[]): string =>
	spaced(Buffer.from(text), lengths).toString();

/** Changes the lengths of runs of spaces to these lengths in turn. */
function spaced(bytes: Buffer, lengths: readonly number[]): Buffer {
	const written = Buffer.allocUnsafe(bytes.length * 2);
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

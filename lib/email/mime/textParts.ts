import { type Pace, restoreWindows1252 } from '../../basics';
import {
	charsetByEscapes,
	decodeLongText,
	decodeMixed,
	eightBitCharset,
	isMixed,
	isReadable,
	type DecodedText,
} from './charsets';
import { LongText, plainText } from './longText';
import { PARTS_BETWEEN_PAUSES, type LeafPart, type MimePart } from './parts';
import { isRaw } from './rawBytes';
import { decodeBody, decodeLines } from './transferEncoding';

/** Reading this many lines takes a few milliseconds, then other deliveries get their turn. */
const FLOWED_LINES_BETWEEN_PAUSES = 50_000;

/** Strings that are joined at once. Millions of short lines side by side would take twenty times the memory of the text. */
const MAX_FLOWED_STRINGS = 1000;

const MARK_OF_QUOTING = '>';
const SIGNATURE_DELIMITER = '-- ';

/** A part that is text, decoded. Line breaks are LF; the one before a boundary belongs to the boundary. */
export interface TextPart extends DecodedText {
	part: LeafPart;
}

/** @param emailBody which the positions of the parts refer to */
export async function readTextParts(
	emailBody: string,
	parts: readonly LeafPart[],
	pace: Pace,
): Promise<TextPart[]> {
	const read: TextPart[] = [];
	for (const part of parts) {
		if (pace.spend(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
		const decoded = await readText(emailBody, part, pace);
		const { flowed } = part.header;
		let text = await plainText(decoded.text, pace);
		if (flowed) text = await unflow(text, flowed.delSp, pace);
		read.push({ ...decoded, part, text });
	}
	return read;
}

async function readText(emailBody: string, part: LeafPart, pace: Pace): Promise<DecodedText> {
	const { header, bodyStart, bodyEnd } = part;
	const { encoding, charset, type } = header;
	const isHtml = type === 'text/html';
	const written = emailBody.slice(bodyStart, bodyEnd);
	if (encoding === 'base64' || encoding === 'uuencode') {
		return await decodeLongText(decodeBody(written, encoding), charset, isHtml, pace);
	}
	if (isRaw(written)) {
		const bytes = decodeLines(written, encoding);
		const expected = charset ?? charsetOfContainer(part);
		return await decodeLongText(bytes, eightBitCharset(bytes, expected), isHtml, pace);
	}
	const isUnnamed = encoding === 'none' && !charset;
	const named = isUnnamed ? charsetByEscapes(written) : charset;
	if (encoding === 'none' && isReadable(named)) {
		return { text: await changeWindows1252(written, pace), charset: named };
	}
	if (isMixed(written, named)) {
		const decode = (piece: string): string => decodeMixed(piece, encoding, named);
		return { text: await new LongText(pace).change(written, decode), charset: named };
	}
	return await decodeLongText(decodeLines(written, encoding), named, isHtml, pace);
}

/** Some programs name the charset of a text at the container around it. */
function charsetOfContainer({ parent }: MimePart): string | undefined {
	let container = parent;
	while (container !== undefined && !container.header.charset) container = container.parent;
	return container?.header.charset;
}

/** A text without control characters of Latin-1 is not copied. */
async function changeWindows1252(text: string, pace: Pace): Promise<string> {
	if (!/[\u0080-\u009f]/.test(text)) return text;
	return await new LongText(pace).change(text, restoreWindows1252);
}

/**
 * Joins the lines of paragraphs (RFC 3676, 4). A line that ends with a space continues in the next line, unless the next line
 * has another quoting depth or starts a signature.
 */
async function unflow(text: string, delSp: boolean, pace: Pace): Promise<string> {
	const pieces: string[] = [];
	let lines: string[] = [];
	/** The quoting depth of the open paragraph. */
	let openDepth: number | undefined;
	let position = 0;
	while (position <= text.length) {
		if (pace.spend(1 / FLOWED_LINES_BETWEEN_PAUSES)) await pace.pause();
		if (lines.length > MAX_FLOWED_STRINGS) {
			pieces.push(lines.join(''));
			lines = [];
		}
		const lineBreak = text.indexOf('\n', position);
		const end = lineBreak < 0 ? text.length : lineBreak;
		const written = text.slice(position, end);
		const depth = countMarks(written);
		const start = written.startsWith(' ', depth) ? depth + 1 : depth;
		const line = written.slice(start);
		const isDelimiter = line === SIGNATURE_DELIMITER;
		if (depth !== openDepth || isDelimiter) {
			if (position > 0) lines.push('\n');
			if (depth > 0) lines.push(written.slice(0, start));
		}
		const isOpen = line.endsWith(' ') && !isDelimiter;
		lines.push(isOpen && delSp ? line.slice(0, -1) : line);
		openDepth = isOpen ? depth : undefined;
		position = end + 1;
	}
	pieces.push(lines.join(''));
	return pieces.join('');
}

function countMarks(line: string): number {
	let count = 0;
	while (line[count] === MARK_OF_QUOTING) count++;
	return count;
}

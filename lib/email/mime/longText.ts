import { type Pace, restoreWindows1252 } from '../../basics';
import { decodeLongText, decodeMixed, isMixed, isReadable } from './charsets';
import { endOfMatch } from './headerFields';
import { PARTS_BETWEEN_PAUSES, type LeafPart } from './mimeStructure';
import { decodeBody } from './transferEncoding';

// Changing this many characters takes a few milliseconds, then other deliveries get their turn.
const TEXT_CHARACTERS_BETWEEN_PAUSES = 100_000;

// Reading this many lines takes a few milliseconds, then other deliveries get their turn.
const FLOWED_LINES_BETWEEN_PAUSES = 50_000;

const MARK_OF_QUOTING = '>';
const SIGNATURE_DELIMITER = '-- ';

/** A part that is text, decoded. Each line ends with LF. */
export interface TextPart {
	part: LeafPart;
	text: string;
}

/** @param emailBody which the positions of the parts refer to */
export async function readTextParts(
	emailBody: string,
	parts: readonly LeafPart[],
	pace: Pace,
): Promise<TextPart[]> {
	const texts = new LongText(pace);
	const read: TextPart[] = [];
	for (const part of parts) {
		if (pace.isDue(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
		read.push({ part, text: await texts.ofPart(emailBody, part) });
	}
	return read;
}

/** Reads texts that may be long, with pauses. */
export class LongText {
	constructor(private readonly pace: Pace) {}

	/** The text of a part. Each line ends with LF. */
	async ofPart(emailBody: string, { header, bodyStart, bodyEnd }: LeafPart): Promise<string> {
		const { encoding, charset, flowed } = header;
		const isInLines = encoding === 'none' || encoding === 'quoted-printable';
		const written = emailBody.slice(bodyStart, bodyEnd);
		const body = isInLines ? await this.change(written, withPlainLineBreaks) : written;
		let text: string;
		if (encoding === 'none' && isReadable(charset)) {
			text = await this.change(body, restoreWindows1252);
		} else if (isInLines && isMixed(body, charset)) {
			text = await this.change(body, (piece) => decodeMixed(piece, encoding, charset));
		} else {
			text = await decodeLongText(decodeBody(body, encoding), charset, this.pace);
		}
		if (flowed) text = await this.unflow(text, flowed.delSp);
		// The line break before a boundary belongs to the boundary, so the last line needs its own.
		return !isInLines || text === '' ? text : `${text}\n`;
	}

	/** Changes a text piece by piece. Pieces end after a line if possible. */
	async change(text: string, change: (piece: string) => string): Promise<string> {
		const pieces: string[] = [];
		for (let start = 0, end = 0; start < text.length; start = end) {
			end = endOfTextPiece(text, start, start + TEXT_CHARACTERS_BETWEEN_PAUSES);
			const piece = text.slice(start, end);
			if (this.pace.isDue(piece.length / TEXT_CHARACTERS_BETWEEN_PAUSES)) await this.pace.pause();
			pieces.push(change(piece));
		}
		return pieces.join('');
	}

	/**
	 * Joins the lines of paragraphs (RFC 3676, 4). A line that ends with a space continues in the next line, unless the next
	 * line has another quoting depth or starts a signature.
	 */
	private async unflow(text: string, delSp: boolean): Promise<string> {
		const lines = (await this.change(text, withPlainLineBreaks)).split('\n');
		/** The quoting depth of the open paragraph. */
		let open: number | undefined;
		for (const [index, written] of lines.entries()) {
			if (this.pace.isDue(1 / FLOWED_LINES_BETWEEN_PAUSES)) await this.pace.pause();
			const depth = countMarks(written);
			const line = written.slice(written.startsWith(' ', depth) ? depth + 1 : depth);
			const isDelimiter = line === SIGNATURE_DELIMITER;
			const isContinuation = depth === open && !isDelimiter;
			const marks = depth === 0 ? '' : written.slice(0, written.length - line.length);
			const start = isContinuation ? '' : `${index === 0 ? '' : '\n'}${marks}`;
			open = line.endsWith(' ') && !isDelimiter ? depth : undefined;
			lines[index] = start + (open !== undefined && delSp ? line.slice(0, -1) : line);
		}
		return lines.join('');
	}
}

/** Converts line breaks to LF, including carriage returns doubled by gateways. */
export function withPlainLineBreaks(text: string): string {
	if (!text.includes('\r')) return text;
	// Six times as fast as `replaceAll`.
	const lines = text.split('\r\n').join('\n');
	return lines.includes('\r\n') ? lines.replace(/(?<!\r)\r+\n/g, '\n') : lines;
}

/** Characters before which a piece must not end. There may be millions, so they are not read one by one. */
const UNDIVIDED = /[\r\n\udc00-\udfff]*/y;

function endOfTextPiece(text: string, start: number, limit: number): number {
	if (limit >= text.length) return text.length;
	const lineBreak = text.slice(start, limit).lastIndexOf('\n');
	if (lineBreak >= 0) return start + lineBreak + 1;
	return endOfMatch(UNDIVIDED, text, limit) ?? limit;
}

function countMarks(line: string): number {
	let count = 0;
	while (line[count] === MARK_OF_QUOTING) count++;
	return count;
}

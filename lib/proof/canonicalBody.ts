import { Pace, type Pause } from '../basics';

/** The blanks that stay: all, those within lines, or one of each run within a line (RFC 6376, 3.4.3 and 3.4.4). */
export type KeptBlanks = 'all' | 'inLines' | 'oneOfEachRun';

export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/** Characters of a piece, and pieces between pauses: some milliseconds. */
const PIECE = 32_768;
const PIECES_BETWEEN_PAUSES = 10;

/** A body in pieces that end with a line, except the last one. All use the same memory, so each must be read before the next. */
export async function* inPieces(body: string, pause: Pause): AsyncGenerator<Buffer> {
	const pace = new Pace(pause);
	let bytes = Buffer.allocUnsafe(0);
	for (let start = 0, end = 0; start < body.length; start = end) {
		const lineBreak = body.indexOf('\n', start + PIECE);
		end = lineBreak < 0 ? body.length : lineBreak + 1;
		const piece = body.slice(start, end);
		const length = Buffer.byteLength(piece);
		if (length > bytes.length) bytes = Buffer.allocUnsafe(2 * length);
		bytes.write(piece);
		yield bytes.subarray(0, length);
		if (pace.isDue((end - start) / PIECE / PIECES_BETWEEN_PAUSES)) await pace.pause();
	}
}

/** Line ends become CRLF (RFC 6376, 5.3): in JSON, they may be LF. The library copies each line of which it removes blanks. */
export function canonicalLines(piece: Buffer, kept: KeptBlanks): Buffer {
	let bareLineFeeds = 0;
	for (let index = 0; index < piece.length; index++) {
		if (piece[index] === LINE_FEED && piece[index - 1] !== CARRIAGE_RETURN) bareLineFeeds++;
	}
	const lines = Buffer.allocUnsafe(piece.length + bareLineFeeds);
	let end = 0;
	let endWithoutBlanks = 0;
	for (let index = 0; index < piece.length; index++) {
		const byte = piece[index] as number;
		const isBlank = (byte === SPACE || byte === TAB) && kept !== 'all';
		if (byte === LINE_FEED) {
			lines[endWithoutBlanks] = CARRIAGE_RETURN;
			lines[endWithoutBlanks + 1] = LINE_FEED;
			end = endWithoutBlanks += 2;
		} else if (byte === CARRIAGE_RETURN && piece[index + 1] === LINE_FEED) {
			continue;
		} else if (!isBlank) {
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

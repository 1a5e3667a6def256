import { createHash } from 'crypto';

import { Pace, type Pause } from '../basics';

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/** Bytes, which are hashed in a millisecond at most. */
const PIECE = 65_536;
const PIECES_BETWEEN_PAUSES = 8;

const LINE_BREAKS = Buffer.from('\r\n'.repeat(PIECE / 2));

/**
 * The hash of a whole body in base64 (RFC 6376, 3.4.3 and 3.4.4). mailauth makes a copy of each line, so that a stranger's
 * email of very many lines would stop n8n.
 *
 * @param body with CRLF or, because it was sent as JSON, LF at line ends
 * @param algorithm such as `sha256`
 */
export async function hashBody(
	body: string,
	canonicalization: 'relaxed' | 'simple',
	algorithm: string,
	pause: Pause,
): Promise<string> {
	const pace = new Pace(pause);
	const hash = createHash(algorithm);
	const hashLineBreaks = (count: number) => {
		for (let left = count; left > 0; left -= PIECE / 2)
			hash.update(LINE_BREAKS.subarray(0, 2 * left));
	};
	const bytes = Buffer.from(body);
	const isRelaxed = canonicalization === 'relaxed';
	const read = { before: 0, hasText: false, hasBlank: false, lineBreaks: 0 };
	for (let start = 0; start < bytes.length; start += PIECE) {
		if (pace.isDue(1 / PIECES_BETWEEN_PAUSES)) await pace.pause();
		const text = canonicalPiece(bytes, start, isRelaxed, read);
		hashLineBreaks(read.before);
		hash.update(text);
	}
	if (!isRelaxed || read.hasText) hashLineBreaks(1);
	return hash.digest('base64');
}

/**
 * @param read the line breaks and the blank at the end, which count only if other text follows, and the line breaks before
 * @returns the text without the line breaks before it
 */
function canonicalPiece(
	bytes: Buffer,
	start: number,
	isRelaxed: boolean,
	read: { before: number; hasText: boolean; hasBlank: boolean; lineBreaks: number },
): Buffer {
	const last = Math.min(start + PIECE, bytes.length);
	const written = Buffer.allocUnsafe(2 * (last - start) + 2);
	let { lineBreaks, hasBlank } = read;
	let end = 0;
	read.before = 0;
	for (let index = start; index < last; index++) {
		const byte = bytes[index];
		if (byte === LINE_FEED) {
			lineBreaks++;
			hasBlank = false;
		} else if (isRelaxed && (byte === SPACE || byte === TAB)) {
			hasBlank = true;
		} else if (byte !== CARRIAGE_RETURN || bytes[index + 1] !== LINE_FEED) {
			if (end === 0) read.before = lineBreaks;
			else
				for (; lineBreaks > 0; lineBreaks--) {
					written[end++] = CARRIAGE_RETURN;
					written[end++] = LINE_FEED;
				}
			lineBreaks = 0;
			if (hasBlank) written[end++] = SPACE;
			hasBlank = false;
			written[end++] = byte as number;
		}
	}
	read.lineBreaks = lineBreaks;
	read.hasBlank = hasBlank;
	read.hasText ||= end > 0;
	return written.subarray(0, end);
}

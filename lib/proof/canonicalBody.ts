import { createHash } from 'crypto';

import { CARRIAGE_RETURN, LINE_FEED, Pace, type Pause, SPACE, TAB } from '../basics';
import { isRaw, toRawText } from '../email';

/** How a signature sees the body: part of its tag c= (RFC 6376, 3.4). */
export type Canonicalization = 'relaxed' | 'simple';

/** The blanks that stay: all, those within lines, or one of each run within a line (RFC 6376, 3.4.3 and 3.4.4). */
type KeptBlanks = 'all' | 'inLines' | 'oneOfEachRun';

/** How the text stands for bytes: as UTF-8, or each character for one. */
type BodyEncoding = 'latin1' | 'utf8';

const KEPT: Record<Canonicalization, KeptBlanks> = { relaxed: 'oneOfEachRun', simple: 'all' };

/** A piece of a body, from one position to another. */
interface BodyPiece {
	start: number;
	end: number;
	/** Its canonical form; undefined if that is the text itself. */
	changed: Buffer | undefined;
}

/** Text that canonical lines do not contain. No piece begins or ends within it. */
const FORBIDDEN: Record<KeptBlanks, readonly string[]> = {
	all: [],
	inLines: [' \r\n', '\t\r\n'],
	oneOfEachRun: [' \r\n', '  ', '\t'],
};

/** Characters of a piece. */
const PIECE = 131_072;

/** The share of a piece until the next pause if it is only hashed, or rewritten before that. */
const HASHED = 1 / 10;
const REWRITTEN = 1 / 4;

/** The same of an empty line at the end, or of a blank in a long run. */
const STEP = 1 / 500_000;

const LINE_BREAK = '\r\n';

/**
 * A body in the forms that signatures cover: line ends are CRLF (RFC 6376, 5.3), although JSON may bring LF, and empty lines
 * at the end are left out. Most bodies are already like this; their text is not copied.
 */
export class CanonicalBody {
	private readonly hashes = new Map<Canonicalization, string>();

	/** The end of the relaxed form, if the text up to there is that form. */
	private relaxedEnd: number | undefined;

	private readonly encoding: BodyEncoding;

	constructor(
		private readonly text: string,
		private readonly pause: Pause,
	) {
		this.encoding = isRaw(text) ? 'latin1' : 'utf8';
	}

	/** The SHA-256 hash of the whole body, in Base64. */
	async hash(canonicalization: Canonicalization): Promise<string> {
		const known = this.hashes.get(canonicalization);
		if (known !== undefined) return known;
		const hash = createHash('sha256');
		let isUnchanged = true;
		let last = 0;
		for await (const { start, end, changed } of this.pieces(KEPT[canonicalization])) {
			if (changed === undefined) {
				hash.update(this.text.slice(start, end), this.encoding);
			} else {
				hash.update(changed);
				isUnchanged = false;
			}
			last = end;
		}
		if (canonicalization === 'relaxed' && isUnchanged) this.relaxedEnd = last;
		const result = hash.digest('base64');
		this.hashes.set(canonicalization, result);
		return result;
	}

	/** The length of the whole body in bytes. */
	async length(canonicalization: Canonicalization): Promise<number> {
		let length = 0;
		for await (const { start, end, changed } of this.pieces(KEPT[canonicalization]))
			length += Buffer.byteLength(changed ?? this.text.slice(start, end), this.encoding);
		return length;
	}

	/**
	 * The body as a relaxed signature sees it (RFC 6376, 3.4.4), but with the runs of blanks within lines, which keep tables and
	 * indented text readable.
	 */
	async asSigned(): Promise<string> {
		// Without any change, no line has a run of blanks that would have to stay.
		if (this.relaxedEnd !== undefined) return this.text.slice(0, this.relaxedEnd);
		const texts: string[] = [];
		let unchangedFrom = 0;
		let last = 0;
		for await (const { start, end, changed } of this.pieces('inLines')) {
			if (changed !== undefined) {
				const written = this.encoding === 'latin1' ? toRawText(changed) : changed.toString();
				texts.push(this.text.slice(unchangedFrom, start), written);
				unchangedFrom = end;
			}
			last = end;
		}
		const rest = this.text.slice(unchangedFrom, last);
		return texts.length === 0 ? rest : texts.join('') + rest;
	}

	/** The body from its beginning to its end, with pauses. */
	private async *pieces(kept: KeptBlanks): AsyncGenerator<BodyPiece> {
		const { text, encoding } = this;
		const pace = new Pace(this.pause);
		const last = await endOfContent(text, kept, pace);
		let start = 0;
		while (start < last) {
			const end = nextCut(text, start, last, kept);
			if (end > start) {
				const changed = canonical(text.slice(start, end), kept, encoding);
				yield { start, end, changed };
				const share = changed === undefined ? HASHED : REWRITTEN;
				if (pace.spend(share)) await pace.pause();
				start = end;
				continue;
			}
			const endOfRun = await endOfBlanks(text, start, last, pace);
			yield* longRun(text, start, endOfRun, kept);
			start = endOfRun;
		}
		// An empty body stays empty in the relaxed form, and is one line break in the simple form (RFC 6376, 3.4.3 and 3.4.4).
		if (last === 0 && kept !== 'all') return;
		if (text.startsWith(LINE_BREAK, last)) {
			yield { start: last, end: last + LINE_BREAK.length, changed: undefined };
		} else {
			yield { start: last, end: last, changed: Buffer.from(LINE_BREAK) };
		}
	}
}

/** The end of the last line that is not empty, without its line break and, if some are dropped, the blanks before it. */
async function endOfContent(text: string, kept: KeptBlanks, pace: Pace): Promise<number> {
	let end = text.length;
	for (;;) {
		let next = end;
		while (kept !== 'all' && isBlankCode(text.charCodeAt(next - 1))) {
			next--;
			if (pace.spend(STEP)) await pace.pause();
		}
		if (pace.spend(STEP)) await pace.pause();
		if (text.charCodeAt(next - 1) !== LINE_FEED) return next;
		end = next - (text.charCodeAt(next - 2) === CARRIAGE_RETURN ? 2 : 1);
	}
}

/** The end of the piece that begins here; its beginning if a run of blanks begins there that is longer than a piece. */
function nextCut(text: string, start: number, last: number, kept: KeptBlanks): number {
	let end = Math.min(start + PIECE, last);
	if (end === last) return end;
	while (end > start && !isBetween(text, end, kept)) end--;
	return end;
}

/** Whether a body can be cut here: not within a line break, a character, or a run of blanks. */
function isBetween(text: string, position: number, kept: KeptBlanks): boolean {
	const before = text.charCodeAt(position - 1);
	const after = text.charCodeAt(position);
	const isInCharacter = (before & 0xfc00) === 0xd800 && (after & 0xfc00) === 0xdc00;
	const isInLineBreak = before === CARRIAGE_RETURN && after === LINE_FEED;
	const isInBlanks = kept !== 'all' && isBlankCode(before);
	return !isInCharacter && !isInLineBreak && !isInBlanks;
}

async function endOfBlanks(text: string, start: number, last: number, pace: Pace): Promise<number> {
	let end = start;
	while (end < last && isBlankCode(text.charCodeAt(end))) {
		end++;
		if (pace.spend(STEP)) await pace.pause();
	}
	return end;
}

/** A run of blanks that is longer than a piece. */
function* longRun(
	text: string,
	start: number,
	end: number,
	kept: KeptBlanks,
): Generator<BodyPiece> {
	const isAtLineEnd = text.startsWith('\n', end) || text.startsWith(LINE_BREAK, end);
	if (isAtLineEnd) yield { start, end, changed: Buffer.alloc(0) };
	else if (kept === 'oneOfEachRun') yield { start, end, changed: Buffer.from(' ') };
	else yield { start, end, changed: undefined };
}

function isBlankCode(code: number): boolean {
	return code === SPACE || code === TAB;
}

/** The canonical form of some lines; undefined if they have it already. */
function canonical(lines: string, kept: KeptBlanks, encoding: BodyEncoding): Buffer | undefined {
	if (isCanonical(lines, kept)) return undefined;
	return canonicalLines(Buffer.from(lines, encoding), kept);
}

/** Most lines of an honest email, and all of its encoded files. */
function isCanonical(lines: string, kept: KeptBlanks): boolean {
	for (let end = lines.indexOf('\n'); end >= 0; end = lines.indexOf('\n', end + 1)) {
		if (lines.charCodeAt(end - 1) !== CARRIAGE_RETURN) return false;
	}
	return !FORBIDDEN[kept].some((text) => lines.includes(text));
}

function canonicalLines(piece: Buffer, kept: KeptBlanks): Buffer {
	// Each LF may become CRLF.
	const lines = Buffer.allocUnsafe(2 * piece.length);
	let end = 0;
	/** Blanks after it stay only if something follows on the line. */
	let endWithoutBlanks = 0;
	for (let index = 0; index < piece.length; index++) {
		const byte = piece[index] as number;
		if (byte === LINE_FEED) {
			lines[endWithoutBlanks] = CARRIAGE_RETURN;
			lines[endWithoutBlanks + 1] = LINE_FEED;
			endWithoutBlanks += 2;
			end = endWithoutBlanks;
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

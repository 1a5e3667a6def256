import { type Pace, restoreWindows1252 } from '../basics';
import { decodeLongText, decodeMixed, isMixed, isReadable } from './charsets';
import { htmlToText } from './html/htmlToText';
import { HTML_LIMITS } from './html/limits';
import { shortLink } from './html/links';
import { hidesWords, withoutInvisible } from './invisible';
import { PARTS_BETWEEN_PAUSES, type LeafPart } from './mimeStructure';
import { compareWithHtml } from './textAgainstHtml';
import { decodeBody, type TransferEncoding } from './transferEncoding';
import type { TextFormat } from './types';

// Changing this many characters takes a few milliseconds, then other deliveries get their turn.
const CHARACTERS_BETWEEN_PAUSES = 100_000;

// Reading this many lines takes a few milliseconds, then other deliveries get their turn.
const LINES_BETWEEN_PAUSES = 50_000;

// Deeper than people follow.
const MAX_QUOTES = 5;

const MARK_OF_QUOTING = '>';
const SIGNATURE_DELIMITER = '-- ';

export interface Bodies {
	text: string | null;
	html: string | null;
}

export interface VisibleBodies extends Bodies {
	/** See `Email.hiddenText`. */
	hiddenText?: true;
	/** The lines of the text in Markdown. */
	markdown?: Array<string | undefined>;
}

/** A part of the email, or a set of alternatives, of which only one kind is shown. */
interface Piece {
	plain: string[];
	html: string[];
}

/**
 * Reads the text and the HTML of an email from its parts that are not files. If an email has both, but not as alternatives,
 * each includes the other, converted.
 */
export async function readBodies(
	emailBody: string,
	leaves: LeafPart[],
	pace: Pace,
): Promise<Bodies> {
	const pieces = (await collectPieces(emailBody, leaves, pace)).map(withoutBlankAlternative);
	const hasPlain = pieces.some(({ plain }) => plain.some(isWritten));
	const hasHtml = pieces.some(({ html }) => html.length > 0);
	const text: string[] = [];
	for (const { plain, html } of hasPlain ? pieces : []) {
		text.push(...plain);
		for (const part of plain.length > 0 ? [] : html)
			text.push(`${(await htmlToText(part, { pace })).text}\n`);
	}
	const shown: string[] = [];
	for (const { plain, html } of hasHtml ? pieces : []) {
		shown.push(...html);
		for (const part of html.length > 0 ? [] : plain) shown.push(await textAsHtml(part, pace));
	}
	return {
		text: await bodyText(text.join('\n'), pace),
		html: await bodyText(shown.join('\n'), pace),
	};
}

/**
 * The visible text of an email: the text part, or the text of the HTML if the text part is missing or contains other words.
 * Without words that people do not see.
 */
export async function visibleBodies(
	{ text, html }: Bodies,
	pace: Pace,
	format: TextFormat = 'plain',
): Promise<VisibleBodies> {
	const written = text && (await inPieces(text, withoutInvisible, pace));
	let visible = written ?? '';
	let isHidden = hidesWords(text ?? '');
	let markdown: VisibleBodies['markdown'];
	if (html !== null) {
		const shown = await htmlToText(html, { pace, format });
		const difference = written ? await compareWithHtml(written, shown.text, pace) : 'other words';
		isHidden ||= shown.hidesWords || difference === 'other text';
		if (difference !== 'none' || shown.markdown) ({ text: visible, markdown } = shown);
	}
	const plain = await bodyText(visible, pace);
	if (format === 'markdown' && plain !== null) markdown ??= plainAsMarkdown(plain);
	return {
		text: plain,
		html,
		...(isHidden && { hiddenText: true }),
		...(markdown && { markdown }),
	};
}

/** Removes line breaks at the end, which mail programs add. */
export async function bodyText(value: string, pace: Pace): Promise<string | null> {
	return (await inPieces(value, withPlainLineBreaks, pace)).trimEnd() || null;
}

/**
 * A plain email in Markdown stays as it is, but for quotations and links.
 *
 * @returns undefined for a text that is too long, which stays as it is
 */
function plainAsMarkdown(text: string): string[] | undefined {
	const lines = text.split('\n', HTML_LIMITS.markdownLines + 1);
	const isTooLong =
		lines.length > HTML_LIMITS.markdownLines || text.length > HTML_LIMITS.markdownCharacters;
	if (isTooLong) return undefined;
	let wasQuoted = false;
	return lines.map((line) => {
		const marks = /^ ?>(?: ?>){0,99} ?/.exec(line)?.[0] ?? '';
		const depth = Math.min(marks.replace(/[^>]+/g, '').length, MAX_QUOTES);
		const text = line
			.slice(marks.length)
			.replace(
				/<?https?:\/\/[^\s<>"]*[^\s<>".,:;!?')\]*_]>?/gi,
				(link) => `<${shortLink(link.replace(/^<|>$/g, ''))}>`,
			);
		// Text right below a quotation would count as its last line.
		const gap = wasQuoted && depth === 0 && text !== '' ? '\n' : '';
		wasQuoted = depth > 0;
		return gap + '> '.repeat(depth) + text;
	});
}

async function collectPieces(emailBody: string, leaves: LeafPart[], pace: Pace): Promise<Piece[]> {
	const pieces = new Map<object, Piece>();
	for (const leaf of leaves.filter(({ isFile }) => !isFile)) {
		if (pace.isDue(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
		const key = leaf.alternative ?? leaf;
		const piece = pieces.get(key) ?? { plain: [], html: [] };
		pieces.set(key, piece);
		const kind = leaf.header.type === 'text/html' ? piece.html : piece.plain;
		kind.push(await decodeText(emailBody, leaf, pace));
	}
	return [...pieces.values()];
}

/** Some programs add an empty text alternative. */
function withoutBlankAlternative({ plain, html }: Piece): Piece {
	return html.length === 0 || plain.some(isWritten) ? { plain, html } : { plain: [], html };
}

function isWritten(text: string): boolean {
	return /\S/.test(text);
}

async function decodeText(
	emailBody: string,
	{ header, bodyStart, bodyEnd }: LeafPart,
	pace: Pace,
): Promise<string> {
	const { encoding, charset, flowed } = header;
	const isInLines = encoding === 'none' || encoding === 'quoted-printable';
	const written = emailBody.slice(bodyStart, bodyEnd);
	const body = isInLines ? await inPieces(written, withPlainLineBreaks, pace) : written;
	const text = await decode(body, encoding, charset, pace);
	const lines = flowed ? await unflow(text, flowed.delSp, pace) : text;
	// The line break before a boundary belongs to the boundary, so the last line needs its own.
	return !isInLines || lines === '' ? lines : `${lines}\n`;
}

async function decode(
	body: string,
	encoding: TransferEncoding,
	charset: string | undefined,
	pace: Pace,
): Promise<string> {
	if (encoding === 'none' && isReadable(charset)) {
		return await inPieces(body, restoreWindows1252, pace);
	}
	const isText = encoding === 'none' || encoding === 'quoted-printable';
	return isText && isMixed(body, charset)
		? await inPieces(body, (piece) => decodeMixed(piece, encoding, charset), pace)
		: await decodeLongText(decodeBody(body, encoding), charset, pace);
}

/** Changes a long text piece by piece, with pauses. Pieces end after a line if possible. */
async function inPieces(
	text: string,
	change: (piece: string) => string,
	pace: Pace,
): Promise<string> {
	const pieces: string[] = [];
	for (let start = 0, end = 0; start < text.length; start = end) {
		end = endOfPiece(text, start, start + CHARACTERS_BETWEEN_PAUSES);
		const piece = text.slice(start, end);
		if (pace.isDue(piece.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
		pieces.push(change(piece));
	}
	return pieces.join('');
}

function endOfPiece(text: string, start: number, limit: number): number {
	if (limit >= text.length) return text.length;
	const lineBreak = text.slice(start, limit).lastIndexOf('\n');
	if (lineBreak >= 0) return start + lineBreak + 1;
	let end = limit;
	while (/[\r\n\udc00-\udfff]/.test(text.charAt(end))) end++;
	return end;
}

/** Converts line breaks to LF, including carriage returns doubled by gateways. */
function withPlainLineBreaks(text: string): string {
	if (!text.includes('\r')) return text;
	// Six times as fast as `replaceAll`.
	const lines = text.split('\r\n').join('\n');
	return lines.includes('\r\n') ? lines.replace(/(?<!\r)\r+\n/g, '\n') : lines;
}

/**
 * Joins the lines of paragraphs (RFC 3676, 4). A line that ends with a space continues in the next line, unless the next
 * line has another quoting depth or starts a signature.
 */
async function unflow(text: string, delSp: boolean, pace: Pace): Promise<string> {
	const lines = (await inPieces(text, withPlainLineBreaks, pace)).split('\n');
	/** The quoting depth of the open paragraph. */
	let open: number | undefined;
	for (const [index, written] of lines.entries()) {
		if (pace.isDue(1 / LINES_BETWEEN_PAUSES)) await pace.pause();
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

function countMarks(line: string): number {
	let count = 0;
	while (line[count] === MARK_OF_QUOTING) count++;
	return count;
}

async function textAsHtml(text: string, pace: Pace): Promise<string> {
	const lines = text.trim();
	const isLong =
		lines.split('\n', HTML_LIMITS.markdownLines + 1).length > HTML_LIMITS.markdownLines;
	if (isLong) return `<pre>${await inPieces(lines, withoutMarkup, pace)}</pre>`;
	const withBreaks = (piece: string) => withoutMarkup(piece).replace(/\r?\n/g, '<br />');
	return `<div>${await inPieces(lines, withBreaks, pace)}</div>`;
}

function withoutMarkup(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

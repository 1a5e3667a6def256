import type { Pace } from '../lib/pause';
import { decodeLongText } from './charsets';
import { htmlToText } from './html/htmlToText';
import { PARTS_BETWEEN_PAUSES } from './mimeStructure';
import type { LeafPart } from './mimeStructure';
import { decodeBody } from './transferEncoding';

// Looking at so many lines takes a few milliseconds; others get their turn after it.
const LINES_BETWEEN_PAUSES = 50_000;

const MARK_OF_QUOTING = '>';
const SIGNATURE_DELIMITER = '-- ';

/** What is shown of an email: its text and its HTML, as far as it brings them. */
export interface Bodies {
	text: string | null;
	html: string | null;
}

/** Pieces of which all are shown, except that an alternative is shown by one of its kinds only. */
interface Piece {
	plain: string[];
	html: string[];
}

/**
 * Reads the text and the HTML of an email out of its parts. Where an email has both, but not as alternatives, each is
 * complete: text is put into the HTML, too, and what was HTML into the text.
 *
 * @param leaves the parts that are no files
 */
export async function readBodies(
	rawEmail: string,
	leaves: LeafPart[],
	pace: Pace,
): Promise<Bodies> {
	const pieces = (await collectPieces(rawEmail, leaves, pace)).map(withoutBlankAlternative);
	const hasPlain = pieces.some(({ plain }) => plain.some(isWritten));
	const hasHtml = pieces.some(({ html }) => html.length > 0);
	const text: string[] = [];
	for (const { plain, html } of hasPlain ? pieces : []) {
		text.push(...plain);
		for (const part of plain.length > 0 ? [] : html) text.push(`${await htmlToText(part, pace)}\n`);
	}
	const html = hasHtml
		? pieces.flatMap((piece) => (piece.html.length > 0 ? piece.html : piece.plain.map(textAsHtml)))
		: [];
	return { text: bodyText(text.join('\n')), html: bodyText(html.join('\n')) };
}

/** Many emails bring only HTML, while what people look for in a workflow is the text. */
export async function withReadableText<T extends Bodies>(email: T, pace: Pace): Promise<T> {
	if (email.text !== null || email.html === null) return email;
	return { ...email, text: bodyText(await htmlToText(email.html, pace)) };
}

/** Line breaks are as in n8n; those at the end come from how emails are written, not from who wrote them. */
export function bodyText(value: string | undefined): string | null {
	return withPlainLineBreaks(value ?? '').trimEnd() || null;
}

/** Six times as quick as replacing them, which for a million of them holds up n8n. */
function withPlainLineBreaks(text: string): string {
	return text.split('\r\n').join('\n');
}

async function collectPieces(rawEmail: string, leaves: LeafPart[], pace: Pace): Promise<Piece[]> {
	const pieces: Piece[] = [];
	const alternatives = new Map<number, Piece>();
	for (const leaf of leaves) {
		if (pace.isDue(1 / PARTS_BETWEEN_PAUSES)) await pace.pause();
		let piece = leaf.alternative === undefined ? undefined : alternatives.get(leaf.alternative);
		if (!piece) {
			piece = { plain: [], html: [] };
			pieces.push(piece);
			if (leaf.alternative !== undefined) alternatives.set(leaf.alternative, piece);
		}
		const kind = leaf.header.type === 'text/html' ? piece.html : piece.plain;
		kind.push(await decodeText(rawEmail, leaf, pace));
	}
	return pieces;
}

/** Some programs write the alternative that is text, but nothing into it. */
function withoutBlankAlternative({ plain, html }: Piece): Piece {
	return html.length === 0 || plain.some(isWritten) ? { plain, html } : { plain: [], html };
}

function isWritten(text: string): boolean {
	return /\S/.test(text);
}

async function decodeText(
	rawEmail: string,
	{ header, bodyStart, bodyEnd }: LeafPart,
	pace: Pace,
): Promise<string> {
	const { encoding, charset, flowed } = header;
	const body = rawEmail.slice(bodyStart, bodyEnd);
	const isBase64 = encoding === 'base64';
	const bytes = decodeBody(isBase64 ? body : plainLines(body), encoding);
	const text = await decodeLongText(bytes, charset, pace);
	const lines = flowed ? await unflow(text, flowed.delSp, pace) : text;
	// The line break before a boundary is the boundary's, but the last line of a text ends as the others do.
	return isBase64 || lines === '' ? lines : `${lines}\n`;
}

/** Carriage returns that some gateways double belong to the line break. */
function plainLines(text: string): string {
	return text.includes('\r\r') ? text.replace(/(?<!\r)\r+(?:\n|$)/g, '\n') : text;
}

/**
 * Puts the lines of a paragraph together again (RFC 3676, 4): those that end with a blank go on in the next line, if that
 * is quoted as often and begins no signature.
 */
async function unflow(text: string, delSp: boolean, pace: Pace): Promise<string> {
	const lines = withPlainLineBreaks(text).split('\n');
	/** How often the paragraph is quoted that goes on. */
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

function textAsHtml(text: string): string {
	const escaped = text
		.trim()
		.replace(/&/g, '&amp;')
		.replace(/</g, '&lt;')
		.replace(/>/g, '&gt;')
		.replace(/\r?\n/g, '<br />');
	return `<div>${escaped}</div>`;
}

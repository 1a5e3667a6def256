import { HTML_LIMITS } from './limits';
import type { Reading } from '../limits';
import { LongText, withPlainLineBreaks } from '../mime/longText';
import { closestContainer } from '../mime/parts';
import type { TextPart } from '../mime/textParts';

export interface Bodies {
	text: string | null;
	html: string | null;
}

const CHARACTER_REFERENCES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
};

/** A part of the email, or a set of alternatives, of which only one kind is shown. */
interface Piece {
	plain: TextPart[];
	html: TextPart[];
}

/**
 * The text and the HTML of an email. The HTML includes parts that are text only; there is no text if a part is HTML only.
 *
 * @param texts all of the email, in its order
 */
export async function readBodies(texts: readonly TextPart[], reading: Reading): Promise<Bodies> {
	const pieces = collectPieces(texts);
	return { text: plainTextOf(pieces), html: await htmlOf(pieces, reading) };
}

function plainTextOf(pieces: readonly Piece[]): string | null {
	const parts: TextPart[] = [];
	for (const { plain } of pieces) {
		if (plain.length === 0) return null;
		parts.push(...plain);
	}
	const [first] = parts;
	const isAlone = first !== undefined && parts.length === 1;
	const text = isAlone ? first.text : parts.map(withLastLineBreak).join('\n');
	return text.trimEnd() || null;
}

async function htmlOf(pieces: readonly Piece[], reading: Reading): Promise<string | null> {
	const htmlParts = pieces.flatMap(({ html }) => html);
	const [first] = htmlParts;
	if (first === undefined) return null;
	const isAlone = pieces.length === 1 && htmlParts.length === 1;
	if (isAlone) return first.text.trimEnd() || null;
	const shown: string[] = [];
	for (const { plain, html } of pieces) {
		for (const part of html) shown.push(withLastLineBreak(part));
		if (html.length > 0) continue;
		for (const { text } of plain) shown.push(await textAsHtml(text, reading));
	}
	return shown.join('\n').trimEnd() || null;
}

/** Removes line breaks at the end, which mail programs add. */
export async function bodyText(value: string, { pace }: Reading): Promise<string | null> {
	const isPlain = !value.includes('\r');
	const text = isPlain ? value : await new LongText(pace).change(value, withPlainLineBreaks);
	return text.trimEnd() || null;
}

function collectPieces(texts: readonly TextPart[]): Piece[] {
	const pieces = new Map<object, Piece>();
	for (const text of texts) {
		const { part } = text;
		const key = closestContainer(part, 'multipart/alternative') ?? part;
		const piece = pieces.get(key) ?? { plain: [], html: [] };
		pieces.set(key, piece);
		const kind = part.header.type === 'text/html' ? piece.html : piece.plain;
		kind.push(text);
	}
	return [...pieces.values()].map(withoutBlankAlternative);
}

/** The line break before a boundary belongs to the boundary, so the last line of a text above another one needs its own. */
function withLastLineBreak({ part, text }: TextPart): string {
	const { encoding } = part.header;
	const isInLines = encoding === 'none' || encoding === 'quoted-printable';
	return isInLines && text !== '' ? `${text}\n` : text;
}

/** Some programs add an empty text alternative. */
function withoutBlankAlternative({ plain, html }: Piece): Piece {
	const isBlank = html.length > 0 && !plain.some(isWritten);
	return isBlank ? { plain: [], html } : { plain, html };
}

function isWritten({ text }: TextPart): boolean {
	return /\S/.test(text);
}

async function textAsHtml(text: string, { pace }: Reading): Promise<string> {
	const texts = new LongText(pace);
	const lines = text.trim();
	const { markdownLines: maxLines } = HTML_LIMITS;
	const isLong = lines.split('\n', maxLines + 1).length > maxLines;
	if (isLong) return `<pre>${await texts.change(lines, withoutMarkup)}</pre>`;
	return `<div>${await texts.change(lines, withBreaks)}</div>`;
}

function withBreaks(text: string): string {
	return withoutMarkup(text).replace(/\r?\n/g, '<br />');
}

function withoutMarkup(text: string): string {
	return text.replace(/[&<>]/g, (character) => CHARACTER_REFERENCES[character] ?? character);
}

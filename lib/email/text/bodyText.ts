import { HTML_LIMITS } from './htmlLimits';
import type { Reading } from '../limits';
import { LongText, plainText } from '../mime/longText';
import { closestContainer } from '../mime/parts';
import type { TextPart } from '../mime/textParts';

export interface Bodies {
	text: string | null;
	html: string | null;
	/** The same content as the HTML, if its texts are too long to be read as HTML. Absent from most emails. */
	apart?: LongTexts;
}

/** HTML, and the texts that stand beside it in an email. */
export interface LongTexts {
	html: string;
	texts: readonly string[];
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
	const text = plainTextOf(pieces);
	const { html, apart } = await htmlOf(pieces, reading);
	return { text, html, apart };
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

async function htmlOf(
	pieces: readonly Piece[],
	reading: Reading,
): Promise<Pick<Bodies, 'html' | 'apart'>> {
	const htmlParts = pieces.flatMap(({ html }) => html);
	const [first] = htmlParts;
	if (first === undefined) return { html: null };
	const isAlone = pieces.length === 1 && htmlParts.length === 1;
	if (isAlone) return { html: first.text.trimEnd() || null };
	const texts = pieces.flatMap(textsBesideHtml);
	const areLong = areTooLong(texts);
	const shown: string[] = [];
	for (const piece of pieces) {
		shown.push(...piece.html.map(withLastLineBreak));
		for (const text of textsBesideHtml(piece)) shown.push(await textAsHtml(text, areLong, reading));
	}
	const html = shown.join('\n').trimEnd() || null;
	if (!areLong) return { html };
	return { html, apart: { html: htmlParts.map(withLastLineBreak).join('\n'), texts } };
}

function textsBesideHtml({ plain, html }: Piece): string[] {
	if (html.length > 0) return [];
	return plain.map(({ text }) => text.trim());
}

/** A text becomes up to five times as long as HTML, all of which would have to be read. */
function areTooLong(texts: readonly string[]): boolean {
	const { markdownLines, markdownCharacters } = HTML_LIMITS;
	let lines = 0;
	let characters = 0;
	for (const text of texts) {
		lines += text.split('\n', markdownLines + 1).length;
		characters += text.length;
	}
	return lines > markdownLines || characters > markdownCharacters;
}

/** Removes line breaks at the end, which mail programs add. */
export async function bodyText(value: string, { pace }: Reading): Promise<string | null> {
	const text = await plainText(value, pace);
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

async function textAsHtml(text: string, isLong: boolean, { pace }: Reading): Promise<string> {
	const texts = new LongText(pace);
	if (isLong) return `<pre>${await texts.change(text, withoutMarkup)}</pre>`;
	return `<div>${await texts.change(text, withBreaks)}</div>`;
}

function withBreaks(text: string): string {
	return withoutMarkup(text).replace(/\r?\n/g, '<br />');
}

function withoutMarkup(text: string): string {
	return text.replace(/[&<>]/g, (character) => CHARACTER_REFERENCES[character] ?? character);
}

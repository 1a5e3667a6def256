import { HTML_LIMITS } from './limits';
import { htmlToText } from './htmlToText';
import { shortLink } from './links';
import { withoutInvisible } from '../mime/invisible';
import type { Reading } from '../limits';
import { LongText, withPlainLineBreaks, type TextPart } from '../mime/longText';
import { closestContainer } from '../mime/mimeStructure';
import { saysOtherWords } from './textAgainstHtml';
import type { TextFormat } from '../types';

// Deeper than people follow.
const MAX_QUOTES = 5;

export interface Bodies {
	text: string | null;
	html: string | null;
}

export interface VisibleBodies extends Bodies {
	/** The lines of the text in Markdown. */
	markdown?: Array<string | undefined>;
}

/** A part of the email, or a set of alternatives, of which only one kind is shown. */
interface Piece {
	plain: string[];
	html: string[];
}

/**
 * The text and the HTML of an email. The HTML includes parts that are text only; there is no text if a part is HTML only.
 *
 * @param texts all of the email, in its order
 */
export async function readBodies(texts: readonly TextPart[], reading: Reading): Promise<Bodies> {
	const pieces = collectPieces(texts).map(withoutBlankAlternative);
	const isWhole = pieces.every(({ plain }) => plain.length > 0);
	const text = isWhole ? pieces.flatMap(({ plain }) => plain).join('\n') : '';
	const hasHtml = pieces.some(({ html }) => html.length > 0);
	const shown: string[] = [];
	for (const { plain, html } of hasHtml ? pieces : []) {
		shown.push(...html);
		for (const part of html.length > 0 ? [] : plain) shown.push(await textAsHtml(part, reading));
	}
	return {
		text: await bodyText(text, reading),
		html: await bodyText(shown.join('\n'), reading),
	};
}

/**
 * The visible text of an email: the text part, or the text of the HTML if the text part is missing or contains other words.
 * Without words that people do not see.
 */
export async function visibleBodies(
	{ text, html }: Bodies,
	reading: Reading,
	format: TextFormat = 'plain',
): Promise<VisibleBodies> {
	const { pace } = reading;
	const written = text && (await new LongText(pace).change(text, withoutInvisible));
	let visible = written ?? '';
	let markdown: VisibleBodies['markdown'];
	if (html !== null) {
		const shown = await htmlToText(html, { pace, limits: HTML_LIMITS }, format);
		const isOther = !written || (await saysOtherWords(written, shown.text, pace));
		if (isOther || shown.markdown) ({ text: visible, markdown } = shown);
	}
	const plain = await bodyText(visible, reading);
	if (format === 'markdown' && plain !== null) markdown ??= plainAsMarkdown(plain);
	return { text: plain, html, ...(markdown && { markdown }) };
}

/** Removes line breaks at the end, which mail programs add. */
export async function bodyText(value: string, { pace }: Reading): Promise<string | null> {
	return (await new LongText(pace).change(value, withPlainLineBreaks)).trimEnd() || null;
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

function collectPieces(texts: readonly TextPart[]): Piece[] {
	const pieces = new Map<object, Piece>();
	for (const { part, text } of texts) {
		const key = closestContainer(part, 'multipart/alternative') ?? part;
		const piece = pieces.get(key) ?? { plain: [], html: [] };
		pieces.set(key, piece);
		const kind = part.header.type === 'text/html' ? piece.html : piece.plain;
		kind.push(text);
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

async function textAsHtml(text: string, { pace }: Reading): Promise<string> {
	const texts = new LongText(pace);
	const lines = text.trim();
	const isLong =
		lines.split('\n', HTML_LIMITS.markdownLines + 1).length > HTML_LIMITS.markdownLines;
	if (isLong) return `<pre>${await texts.change(lines, withoutMarkup)}</pre>`;
	const withBreaks = (piece: string) => withoutMarkup(piece).replace(/\r?\n/g, '<br />');
	return `<div>${await texts.change(lines, withBreaks)}</div>`;
}

function withoutMarkup(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

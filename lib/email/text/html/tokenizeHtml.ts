import type { Tokenizer, TokenizerCallbacks } from 'htmlparser2';

import type { Pace } from '../../../basics';

// Reading this much takes a few milliseconds.
const HTML_BETWEEN_PAUSES = 50_000;

/** No named character reference is longer, with its `&`. */
const MAX_REFERENCE = 40;

/** The part of the library that is used. */
type Decoder = Pick<typeof import('entities/decode'), 'decodeHTML' | 'decodeHTMLAttribute'>;

/** The HTML as the tokenizer reads it, to which all positions refer. */
export class TokenizedHtml {
	constructor(
		readonly html: string,
		private readonly decoder: Decoder,
	) {}

	/** @param written with character references, such as `&amp;` */
	decodeText(written: string): string {
		return written.includes('&') ? this.decoder.decodeHTML(written) : written;
	}

	/** In attributes, fewer references can lack their semicolon. */
	decodeAttribute(written: string): string {
		return written.includes('&') ? this.decoder.decodeHTMLAttribute(written) : written;
	}
}

/** Gets the positions of all tokens. Values of attributes and texts can come in pieces, and with character references. */
export interface TokenReader extends TokenizerCallbacks {
	/** Called now and then, between two tokens or in a text. */
	endPiece?(end: number): Promise<void>;
}

/**
 * Reads HTML in time that is linear in its length. Of the library only the tokenizer is used: its parser keeps open elements in
 * an array from which it takes the first, which is quadratic in how deep they are nested.
 */
export async function tokenizeHtml(
	html: string,
	newReader: (source: TokenizedHtml) => TokenReader,
	pace: Pace,
): Promise<void> {
	const { Tokenizer } = await import('htmlparser2');
	const { decodeHTML, decodeHTMLAttribute } = await import('entities/decode');
	// Browsers know this section in other languages only; the tokenizer would look for its end.
	const written = html.replaceAll('<![CDATA[', '<![cdata[');
	const reader = newReader(new TokenizedHtml(written, { decodeHTML, decodeHTMLAttribute }));
	// The tokenizer skips from tag to tag where it decodes nothing.
	const tokenizer: Tokenizer = new Tokenizer({ decodeEntities: false }, reader);
	for (let start = 0, end = 0; start < written.length; start = end) {
		end = endOfPiece(written, start + HTML_BETWEEN_PAUSES);
		if (pace.spend((end - start) / HTML_BETWEEN_PAUSES)) await pace.pause();
		tokenizer.write(written.slice(start, end));
		await reader.endPiece?.(end);
	}
	tokenizer.end();
}

/** Ends before a character reference that could continue after the limit. */
function endOfPiece(html: string, limit: number): number {
	if (limit >= html.length) return html.length;
	const start = limit - MAX_REFERENCE;
	const reference = html.slice(start, limit).lastIndexOf('&');
	return reference < 0 ? limit : start + reference;
}

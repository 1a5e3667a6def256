import type { TokenizerCallbacks } from 'htmlparser2';

import type { Pace } from '../../lib/pause';

/** The attributes of a start tag that are read, by their names in lower case. */
export type Attributes = ReadonlyMap<string, string>;

export const NO_ATTRIBUTES: Attributes = new Map();

/** Is told the tags and texts of HTML in their order. */
export interface TokenListener {
	/** @param name as written */
	openTag(name: string, attributes: Attributes): void;
	/** @param name as written */
	closeTag(name: string): void;
	/** A text comes in any number of pieces. */
	addText(text: string): void;
	/** Called before each pause, so that pieces of text need not be kept over it. */
	endPiece(): void;
}

// Reading this much takes a few milliseconds.
const CHARACTERS_BETWEEN_PAUSES = 50_000;

// Longer than any address that programs accept. One that was cut would lead elsewhere, so it is left out as a whole.
const MAX_ATTRIBUTE = 10_000;

const READ_ATTRIBUTES: ReadonlySet<string> = new Set(
	'alt class height hidden href id name start style value width'.split(' '),
);

/**
 * Finds the tags and texts of HTML in time that is linear in its length. It uses the library's tokenizer alone: the
 * library's parser keeps its open elements in an array from which it takes the first, which is quadratic in how deep they
 * are nested.
 */
export async function readTokens(html: string, listener: TokenListener, pace: Pace): Promise<void> {
	const { Tokenizer } = await import('htmlparser2');
	const tokenizer = new Tokenizer({}, new TokenReader(html, listener));
	for (let start = 0; start < html.length; start += CHARACTERS_BETWEEN_PAUSES) {
		const piece = html.slice(start, start + CHARACTERS_BETWEEN_PAUSES);
		if (pace.isDue(piece.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
		tokenizer.write(piece);
		listener.endPiece();
	}
	tokenizer.end();
	listener.endPiece();
}

/** The tokenizer tells positions in the HTML, and attributes in pieces. */
class TokenReader implements TokenizerCallbacks {
	private tag = '';

	private attributes: Map<string, string> | undefined;

	/** The name of the current attribute; empty where nobody reads it. */
	private attribute = '';

	private value = '';

	constructor(
		private readonly html: string,
		private readonly listener: TokenListener,
	) {}

	onopentagname(start: number, end: number): void {
		this.tag = this.html.slice(start, end);
		this.attributes = undefined;
	}

	onopentagend(): void {
		this.listener.openTag(this.tag, this.attributes ?? NO_ATTRIBUTES);
	}

	onselfclosingtag(): void {
		this.onopentagend();
	}

	onclosetag(start: number, end: number): void {
		this.listener.closeTag(this.html.slice(start, end));
	}

	ontext(start: number, end: number): void {
		this.listener.addText(this.html.slice(start, end));
	}

	ontextentity(codePoint: number): void {
		this.listener.addText(String.fromCodePoint(codePoint));
	}

	onattribname(start: number, end: number): void {
		const name = this.html.slice(start, end).toLowerCase();
		this.attribute = READ_ATTRIBUTES.has(name) ? name : '';
		this.value = '';
	}

	onattribdata(start: number, end: number): void {
		if (this.readsAttribute()) this.value += this.html.slice(start, end);
	}

	onattribentity(codePoint: number): void {
		if (this.readsAttribute()) this.value += String.fromCodePoint(codePoint);
	}

	/** The first of several attributes with the same name counts. */
	onattribend(): void {
		if (!this.readsAttribute()) return;
		this.attributes ??= new Map();
		if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
	}

	private readsAttribute(): boolean {
		return this.attribute !== '' && this.value.length <= MAX_ATTRIBUTE;
	}

	oncdata(): void {}

	oncomment(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	onend(): void {}
}

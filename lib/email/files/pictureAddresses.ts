import type { Reading } from '../limits';
import { tokenizeHtml, type TokenizedHtml, type TokenReader } from '../text/html/tokenizeHtml';

/** Characters of an attribute or style sheet in which pictures are looked for. The addresses of pictures are shorter. */
const MAX_ATTRIBUTE = 20_000;
const MAX_STYLE_SHEET = 150_000;

/** Different addresses of pictures in the HTML of one part. No email shows more. */
const MAX_ADDRESSES = 10_000;

/** Attributes that show a picture. Links are none of them, because what they refer to is not shown. */
const PICTURE_ATTRIBUTES: ReadonlySet<string> = new Set([
	'background',
	'data',
	'poster',
	'src',
	'srcset',
	'style',
]);

/** Only on the `image` of an SVG drawing; elsewhere they are links. */
const LINK_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'xlink:href']);

/** Outlook shows what is in these comments: `<!--[if gte vml 1]> … <![endif]-->`. */
const CONDITIONAL_COMMENT = /^\[if\b[^>]*>/i;

const STYLE_ADDRESS = /url\(\s*(?:"([^"]*)|'([^']*)|([^\s)"']*))/gi;

/** Whether an address can be that of a file of the email. */
type IsWanted = (address: string) => boolean;

/** The addresses of the pictures in HTML, each once, as written. */
export async function readPictureAddresses(
	html: string,
	isWanted: IsWanted,
	{ pace }: Reading,
): Promise<Set<string>> {
	const addresses = new Set<string>();
	const waiting = [html];
	for (let written = waiting.pop(); written !== undefined; written = waiting.pop()) {
		const comments = written === html ? waiting : undefined;
		const newReader = (source: TokenizedHtml): PictureReader =>
			new PictureReader(source, addresses, isWanted, comments);
		await tokenizeHtml(written, newReader, pace);
	}
	return addresses;
}

/** Collects the addresses of pictures. */
class PictureReader implements TokenReader {
	/** Where the name of the current element is. It is read only if needed, because there are many. */
	private elementStart = 0;

	private elementEnd = 0;

	/** The name of the current attribute; empty for one that shows nothing. */
	private attribute = '';

	private value = '';

	/** The start of the style sheet that is being read; undefined outside of one. */
	private sheetStart: number | undefined;

	/** @param comments gets the HTML of conditional comments; undefined within one */
	constructor(
		private readonly source: TokenizedHtml,
		private readonly addresses: Set<string>,
		private readonly isWanted: IsWanted,
		private readonly comments: string[] | undefined,
	) {}

	onopentagname(start: number, end: number): void {
		this.elementStart = start;
		this.elementEnd = end;
	}

	onattribname(start: number, end: number): void {
		const name = this.source.html.slice(start, end).toLowerCase();
		const isLinkToPicture = LINK_ATTRIBUTES.has(name) && this.isElement('image');
		const isPicture = PICTURE_ATTRIBUTES.has(name) || isLinkToPicture;
		this.attribute = isPicture ? name : '';
		this.value = '';
	}

	onattribdata(start: number, end: number): void {
		const room = MAX_ATTRIBUTE - this.value.length;
		if (this.attribute === '' || room <= 0) return;
		this.value += this.source.html.slice(start, Math.min(end, start + room));
	}

	onattribend(): void {
		const { attribute } = this;
		if (attribute === '') return;
		const value = this.source.decodeAttribute(this.value);
		switch (attribute) {
			case 'style':
				this.addStyles(value);
				break;
			case 'srcset':
				for (const one of value.split(/[\s,]+/)) this.add(one);
				break;
			default:
				this.add(value);
		}
	}

	onopentagend(end: number): void {
		this.sheetStart = this.isElement('style') ? end + 1 : undefined;
	}

	onselfclosingtag(end: number): void {
		this.onopentagend(end);
	}

	onclosetag(start: number): void {
		this.endSheet(start);
	}

	oncomment(start: number, end: number): void {
		const [condition] = CONDITIONAL_COMMENT.exec(this.source.html.slice(start, start + 200)) ?? [];
		if (condition === undefined) return;
		this.comments?.push(this.source.html.slice(start + condition.length, end));
	}

	onend(): void {
		this.endSheet(this.source.html.length);
	}

	ontext(): void {}

	// The tokenizer is told to decode nothing, and these mean nothing in HTML.

	onattribentity(): void {}

	ontextentity(): void {}

	oncdata(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	private isElement(name: string): boolean {
		if (this.elementEnd - this.elementStart !== name.length) return false;
		return this.source.html.slice(this.elementStart, this.elementEnd).toLowerCase() === name;
	}

	private endSheet(end: number): void {
		if (this.sheetStart === undefined) return;
		this.addStyles(this.source.html.slice(this.sheetStart, end));
		this.sheetStart = undefined;
	}

	private addStyles(styles: string): void {
		for (const match of styles.slice(0, MAX_STYLE_SHEET).matchAll(STYLE_ADDRESS)) {
			const [, inDoubleQuotes, inSingleQuotes, plain] = match;
			this.add(inDoubleQuotes ?? inSingleQuotes ?? plain ?? '');
		}
	}

	private add(written: string): void {
		const address = written.trim();
		const isFull = this.addresses.size >= MAX_ADDRESSES;
		if (address !== '' && !isFull && this.isWanted(address)) this.addresses.add(address);
	}
}

import type { TokenizerCallbacks } from 'htmlparser2';

import {
	Attributes,
	isAttributeName,
	newTag,
	NO_ATTRIBUTES,
	type AttributeName,
	type Tag,
} from './elements';
import type { Limits, HtmlReading } from './limits';

// Reading this much takes a few milliseconds.
const HTML_BETWEEN_PAUSES = 50_000;

const MAX_TAG_NAME = 50;

/** No named character reference is longer, with its `&`. */
const MAX_REFERENCE = 40;

/** Instead of the name of an attribute that is not read. */
const NOT_READ = '';

/** The decoder of character references that is used. */
type EntityDecoder = typeof import('entities/decode');

/** Follows the tags of HTML. */
export interface TagVisitor {
	/** Called with the name of each attribute before its first start tag, and perhaps again. */
	addAttribute(name: string): void;
	startTag(tag: Tag, attributes: Readonly<Attributes>): void;
	endTag(tag: Tag): void;
	/** A text comes in any number of pieces. */
	addText(text: string): void;
	/**
	 * Called now and then, between two tags or in a text.
	 *
	 * @param rest the HTML from about here on
	 */
	endPiece(rest: string): Promise<void>;
}

/**
 * Reads tags in time that is linear in the length. Of the library only the tokenizer is used: its parser keeps open elements
 * in an array from which it takes the first, which is quadratic in how deep they are nested.
 */
export async function readTags(
	html: string,
	visitor: TagVisitor,
	{ pace, limits }: HtmlReading,
): Promise<void> {
	const { Tokenizer } = await import('htmlparser2');
	const decoder = await import('entities/decode');
	// Browsers know this section in other languages only; the tokenizer would look for its end.
	const written = html.replaceAll('<![CDATA[', '<![cdata[');
	const reader = new TagReader(written, decoder, visitor, limits);
	// The tokenizer skips to the next tag where it decodes nothing.
	const tokenizer = new Tokenizer({ decodeEntities: false }, reader);
	for (let start = 0, end = 0; start < written.length; start = end) {
		end = endOfPiece(written, start + HTML_BETWEEN_PAUSES);
		if (pace.isDue((end - start) / HTML_BETWEEN_PAUSES)) await pace.pause();
		tokenizer.write(written.slice(start, end));
		// The beginning of a tag can be reported with the next piece.
		await visitor.endPiece(written.slice(Math.max(0, end - MAX_TAG_NAME)));
	}
	tokenizer.end();
}

/** Ends before a character reference that could continue behind the limit. */
function endOfPiece(html: string, limit: number): number {
	if (limit >= html.length) return html.length;
	const start = limit - MAX_REFERENCE;
	const reference = html.slice(start, limit).lastIndexOf('&');
	return reference < 0 ? limit : start + reference;
}

/** Makes tags of what the tokenizer reports: positions in the HTML, and attributes in pieces. */
class TagReader implements TokenizerCallbacks {
	/** By names as they are written, and in lower case. */
	private readonly tags = new Map<string, Tag>();

	/** By names as they are written. */
	private readonly attributeNames = new Map<string, AttributeName | typeof NOT_READ>();

	/** The start tag that is being read. */
	private tag = newTag('');

	/** Its attributes so far; undefined as long as none is read. */
	private attributes: Attributes | undefined;

	/** The name of the current attribute. */
	private attribute: AttributeName | typeof NOT_READ = NOT_READ;

	/** Its value so far, with character references. */
	private value = '';

	/** The text is that of an element in which nothing is decoded, such as a style sheet. */
	private isRawText = false;

	constructor(
		private readonly html: string,
		private readonly decoder: EntityDecoder,
		private readonly visitor: TagVisitor,
		private readonly limits: Limits,
	) {}

	onopentagname(start: number, end: number): void {
		this.tag = this.tagOf(this.html.slice(start, end));
		this.attributes = undefined;
	}

	onattribname(start: number, end: number): void {
		this.attribute = this.attributeOf(this.html.slice(start, end));
		this.value = '';
	}

	/** A value beyond the limit is one character longer than the limit. */
	onattribdata(start: number, end: number): void {
		if (this.attribute === NOT_READ) return;
		const room = this.limits.attribute + 1 - this.value.length;
		if (room > 0) this.value += this.html.slice(start, Math.min(end, start + room));
	}

	/** The first of several attributes with the same name counts. */
	onattribend(): void {
		if (this.attribute === NOT_READ) return;
		this.attributes ??= new Attributes();
		const { value } = this;
		const decoded = isDecoded(value) ? value : this.decoder.decodeHTMLAttribute(value);
		this.attributes[this.attribute] ??= decoded;
	}

	onopentagend(): void {
		this.isRawText = this.tag.isRawText;
		this.visitor.startTag(this.tag, this.attributes ?? NO_ATTRIBUTES);
	}

	onselfclosingtag(): void {
		this.onopentagend();
	}

	onclosetag(start: number, end: number): void {
		this.isRawText = false;
		this.visitor.endTag(this.tagOf(this.html.slice(start, end)));
	}

	ontext(start: number, end: number): void {
		const text = this.html.slice(start, end);
		const isPlain = this.isRawText || isDecoded(text);
		this.visitor.addText(isPlain ? text : this.decoder.decodeHTML(text));
	}

	/** Never called, like the next one, because the tokenizer decodes nothing. */
	ontextentity(): void {}

	onattribentity(): void {}

	oncdata(): void {}

	oncomment(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	onend(): void {}

	private attributeOf(written: string): AttributeName | typeof NOT_READ {
		const known = this.attributeNames.get(written);
		if (known !== undefined) return known;
		const name = written.toLowerCase();
		this.visitor.addAttribute(name);
		const read = isAttributeName(name) ? name : NOT_READ;
		if (this.attributeNames.size < this.limits.names) this.attributeNames.set(written, read);
		return read;
	}

	private tagOf(written: string): Tag {
		const known = this.tags.get(written);
		if (known !== undefined) return known;
		const name = written.toLowerCase();
		const tag = this.tags.get(name) ?? newTag(name);
		if (this.tags.size < this.limits.names) {
			this.tags.set(written, tag);
			this.tags.set(name, tag);
		}
		return tag;
	}
}

function isDecoded(text: string): boolean {
	return !text.includes('&');
}

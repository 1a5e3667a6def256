import {
	Attributes,
	isAttributeName,
	newTag,
	NO_ATTRIBUTES,
	type AttributeName,
	type Tag,
} from './elements';
import type { Limits, HtmlReading } from '../htmlLimits';
import { tokenizeHtml, type TokenizedHtml, type TokenReader } from './tokenizeHtml';

const MAX_TAG_NAME = 50;

/** Instead of the name of an attribute that is not read. */
const NOT_READ = '';

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

/** Reads tags in time that is linear in the length. */
export async function readTags(
	html: string,
	visitor: TagVisitor,
	{ pace, limits }: HtmlReading,
): Promise<void> {
	await tokenizeHtml(html, (source) => new TagReader(source, visitor, limits), pace);
}

/** Makes tags of positions in the HTML. */
class TagReader implements TokenReader {
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
		private readonly source: TokenizedHtml,
		private readonly visitor: TagVisitor,
		private readonly limits: Limits,
	) {}

	onopentagname(start: number, end: number): void {
		this.tag = this.tagOf(this.source.html.slice(start, end));
		this.attributes = undefined;
	}

	onattribname(start: number, end: number): void {
		this.attribute = this.attributeOf(this.source.html.slice(start, end));
		this.value = '';
	}

	/** A value beyond the limit is one character longer than the limit. */
	onattribdata(start: number, end: number): void {
		if (this.attribute === NOT_READ) return;
		const room = this.limits.attribute + 1 - this.value.length;
		if (room > 0) this.value += this.source.html.slice(start, Math.min(end, start + room));
	}

	/** The first of several attributes with the same name counts. */
	onattribend(): void {
		if (this.attribute === NOT_READ) return;
		this.attributes ??= new Attributes();
		// Decoding can only make it shorter, so one that was cut would seem to be whole.
		const isCut = this.value.length > this.limits.attribute;
		const value = isCut ? this.value : this.source.decodeAttribute(this.value);
		this.attributes[this.attribute] ??= value;
	}

	onopentagend(): void {
		this.isRawText = this.tag.isRawText;
		this.visitor.startTag(this.tag, this.attributes ?? NO_ATTRIBUTES);
	}

	/** In HTML itself a slash means nothing. What is drawn is in another language, where it ends the element. */
	onselfclosingtag(): void {
		this.onopentagend();
		if (this.tag.name === 'svg') this.visitor.endTag(this.tag);
	}

	onclosetag(start: number, end: number): void {
		this.isRawText = false;
		this.visitor.endTag(this.tagOf(this.source.html.slice(start, end)));
	}

	ontext(start: number, end: number): void {
		const written = this.source.html.slice(start, end);
		this.visitor.addText(this.isRawText ? written : this.source.decodeText(written));
	}

	async endPiece(end: number): Promise<void> {
		// The beginning of a tag can be reported with the next piece.
		await this.visitor.endPiece(this.source.html.slice(Math.max(0, end - MAX_TAG_NAME)));
	}

	oncomment(): void {}

	onend(): void {}

	// The tokenizer is told to decode nothing, and these mean nothing in HTML.

	onattribentity(): void {}

	ontextentity(): void {}

	oncdata(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

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

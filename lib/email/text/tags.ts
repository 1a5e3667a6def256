import type { TokenizerCallbacks } from 'htmlparser2';

import { newTag, NO_ATTRIBUTES, type Attributes, type Tag } from './elements';
import type { Limits, HtmlReading } from './limits';

// Reading this much takes a few milliseconds.
const HTML_BETWEEN_PAUSES = 50_000;

const MAX_TAG_NAME = 50;

/** Others are not read. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
	'alt background bgcolor class color colspan height hidden href id media name role start style text value width'.split(
		' ',
	),
);

/** The name of an attribute that is not read. */
const NOT_READ = '';

/** Follows the tags of HTML. */
export interface TagVisitor {
	/** Called with the name of each attribute before its first start tag, and perhaps again. */
	addAttribute(name: string): void;
	startTag(tag: Tag, attributes: Attributes): void;
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
	// Browsers know this section in other languages only; the tokenizer would look for its end.
	const written = html.replaceAll('<![CDATA[', '<![cdata[');
	const tokenizer = new Tokenizer({}, new TagReader(written, visitor, limits));
	for (let start = 0; start < written.length; start += HTML_BETWEEN_PAUSES) {
		const piece = written.slice(start, start + HTML_BETWEEN_PAUSES);
		if (pace.isDue(piece.length / HTML_BETWEEN_PAUSES)) await pace.pause();
		tokenizer.write(piece);
		// The beginning of a tag can be reported with the next piece.
		const restStart = Math.max(0, start + piece.length - MAX_TAG_NAME);
		await visitor.endPiece(written.slice(restStart));
	}
	tokenizer.end();
}

/** Makes tags of what the tokenizer reports: positions in the HTML, and attributes in pieces. */
class TagReader implements TokenizerCallbacks {
	/** By names as they are written, and in lower case. */
	private readonly tags = new Map<string, Tag>();

	/** The names by which the values of attributes are kept, by names as they are written. */
	private readonly attributeNames = new Map<string, string>();

	/** The start tag that is being read. */
	private tag = newTag('');

	/** Its attributes so far; undefined as long as none is read. */
	private attributes: Map<string, string> | undefined;

	/** The name of the current attribute. */
	private attribute = NOT_READ;

	private value = '';

	constructor(
		private readonly html: string,
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

	onattribentity(codePoint: number): void {
		if (this.attribute === NOT_READ) return;
		if (this.value.length <= this.limits.attribute) this.value += String.fromCodePoint(codePoint);
	}

	/** The first of several attributes with the same name counts. */
	onattribend(): void {
		if (this.attribute === NOT_READ) return;
		this.attributes ??= new Map();
		if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
	}

	onopentagend(): void {
		this.visitor.startTag(this.tag, this.attributes ?? NO_ATTRIBUTES);
	}

	onselfclosingtag(): void {
		this.onopentagend();
	}

	onclosetag(start: number, end: number): void {
		this.visitor.endTag(this.tagOf(this.html.slice(start, end)));
	}

	ontext(start: number, end: number): void {
		this.visitor.addText(this.html.slice(start, end));
	}

	ontextentity(codePoint: number): void {
		this.visitor.addText(String.fromCodePoint(codePoint));
	}

	oncdata(): void {}

	oncomment(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	onend(): void {}

	private attributeOf(written: string): string {
		const known = this.attributeNames.get(written);
		if (known !== undefined) return known;
		const name = written.toLowerCase();
		this.visitor.addAttribute(name);
		const kept = ATTRIBUTES.has(name) ? name : NOT_READ;
		if (this.attributeNames.size < this.limits.names) this.attributeNames.set(written, kept);
		return kept;
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

import { isCell, isPartOfTable, NO_ATTRIBUTES, type Attributes, type Tag } from './elements';
import type { HtmlReading, Limits } from './limits';
import type { Declared } from './declarations';
import { Styles } from './styles';
import { readTags, type TagVisitor } from './tags';
import { HIDDEN, type ComputedStyle } from './visibility';

/** Browsers begin these again where the paragraph around them ended first. */
const FORMATTING = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;

/** An end tag closes nothing outside of these, unless it is one of a table. */
const END_TAG_SCOPE = /^(?:caption|marquee|object|table|t[dh])$/;

// Reading this many takes a few milliseconds, and so does text of this length with invisible characters.
const TOKENS_BETWEEN_PAUSES = 2000;
const TEXT_BETWEEN_PAUSES = 20_000;

/** An element with its state at the current place. */
export interface Element {
	name: string;
	tag: Tag;
	attributes: Attributes;
	style: ComputedStyle;
}

interface StartTag {
	tag: Tag;
	attributes: Attributes;
	/** What its own attribute declares. */
	declared: Declared | undefined;
}

/** A text, a start tag or an end tag that is kept. */
type Token = string | StartTag | Tag;

/** Renders the elements of HTML that are displayed, and the text in them. */
export interface ElementVisitor {
	startElement(element: Element): void;
	/** Never called for void elements. */
	endElement(element: Element): void;
	/** A text comes in any number of pieces. */
	addText(text: string, isPreformatted: boolean): void;
}

/** Follows the elements. One that was never closed ends with the one around it, as in browsers. */
export async function walkHtml(
	html: string,
	visitor: ElementVisitor,
	reading: HtmlReading,
): Promise<void> {
	const { limits } = reading;
	const tokenizer = /style/i.test(html) ? await import('css-tree/tokenizer') : undefined;
	const styles = new Styles(limits, tokenizer);
	const reader = new StyleReader(styles, new Walker(visitor, styles, limits), reading);
	await readTags(html, reader, reading);
	await reader.end();
}

/** Keeps the beginning of an email until its styles are known, because they count wherever they stand. */
class StyleReader implements TagVisitor {
	private tokens: Token[] = [];

	/** The text since the last tag. */
	private text = '';

	/** Of the style sheet that is being read; undefined outside of one. */
	private media: string | undefined;

	private isFull = false;

	constructor(
		private readonly styles: Styles,
		private readonly walker: Walker,
		private readonly reading: HtmlReading,
	) {}

	addText(text: string): void {
		this.text += text;
	}

	addAttribute(name: string): void {
		this.styles.addAttribute(name);
	}

	startTag(tag: Tag, attributes: Attributes): void {
		this.endText();
		if (tag.name === 'style') this.media = attributes.get('media') ?? '';
		const declared = this.styles.readAttributes(attributes);
		// No object is made of what is not kept: there can be millions.
		if (this.isFull) this.walker.startTag(tag, attributes, declared);
		else this.tokens.push({ tag, attributes, declared });
	}

	endTag(tag: Tag): void {
		this.endText();
		if (this.isFull) this.walker.endTag(tag);
		else this.tokens.push(tag);
	}

	async endPiece(rest: string): Promise<void> {
		if (this.media === undefined) this.endText();
		if (this.isFull || this.tokens.length <= this.reading.limits.tokens) return;
		this.isFull = true;
		this.styles.startBefore(rest, this.media !== undefined);
		await this.walk();
	}

	async end(): Promise<void> {
		this.endText();
		await this.walk();
		this.walker.closeTo(0);
	}

	private endText(): void {
		const { text, media } = this;
		this.text = '';
		this.media = undefined;
		// Reading a character joins the pieces, each of which takes 32 bytes until then: entities can be millions.
		if (Number.isNaN(text.charCodeAt(0))) return;
		if (!this.isFull && media === undefined) this.tokens.push(text);
		else if (!this.isFull) this.styles.addSheet(text, media ?? '');
		else if (media === undefined) this.walker.addText(text);
	}

	private async walk(): Promise<void> {
		const { tokens, reading } = this;
		this.tokens = [];
		for (const token of tokens) {
			const length = typeof token === 'string' ? token.length : 0;
			const share = 1 / TOKENS_BETWEEN_PAUSES + length / TEXT_BETWEEN_PAUSES;
			if (reading.pace.isDue(share)) await reading.pace.pause();
			if (typeof token === 'string') this.walker.addText(token);
			else if (!('attributes' in token)) this.walker.endTag(token);
			else this.walker.startTag(token.tag, token.attributes, token.declared);
		}
	}
}

class Walker {
	private readonly open: Element[] = [];

	private openParagraphs = 0;

	private page: ComputedStyle | undefined;

	constructor(
		private readonly visitor: ElementVisitor,
		private readonly styles: Styles,
		private readonly limits: Limits,
	) {}

	/** Ends the elements within so many. */
	closeTo(length: number): void {
		while (this.open.length > length) {
			const element = this.open.pop() as Element;
			element.tag.open--;
			if (element.name === 'p') this.openParagraphs--;
			if (!element.style.isHidden) this.visitor.endElement(element);
		}
	}

	addText(text: string): void {
		const { showsText, isPreformatted } = this.styleHere();
		if (showsText) this.visitor.addText(text, isPreformatted);
	}

	startTag(tag: Tag, attributes: Attributes, declared: Declared | undefined): void {
		const { name } = tag;
		if (tag.ends)
			while (tag.ends.has(this.open.at(-1)?.name ?? '')) this.closeTo(this.open.length - 1);
		if (tag.breaks > 0 && this.openParagraphs > 0) this.endParagraph();
		const outer = this.styleHere();
		const style = tag.isNeverShown
			? HIDDEN
			: this.styles.styleOf(name, attributes, declared, outer);
		const element: Element = { name, tag, attributes, style };
		if (this.open.length >= this.limits.nesting && !tag.isVoid) return;
		if (!style.isHidden) this.visitor.startElement(element);
		if (tag.isVoid) return;
		this.open.push(element);
		tag.open++;
		if (name === 'p') this.openParagraphs++;
	}

	endTag(tag: Tag): void {
		// As in browsers, these two count without a start tag.
		const countsAlone = tag.name === 'br' || tag.name === 'p';
		if (countsAlone && tag.open === 0) this.startTag(tag, NO_ATTRIBUTES, undefined);
		if (tag.open === 0) return;
		for (let index = this.open.length - 1; index >= 0; index--) {
			const one = this.open[index] as Element;
			if (one.tag === tag) return this.closeTo(index);
			if (isBarrier(one, tag)) return;
		}
	}

	/** Browsers read HTML without a `body` as if it had one. */
	private styleHere(): ComputedStyle {
		this.page ??= this.styles.page();
		return this.open.at(-1)?.style ?? this.page;
	}

	/** A paragraph ends where an element begins that is no part of a line, also with elements open within it. */
	private endParagraph(): void {
		for (let index = this.open.length - 1; index >= 0; index--) {
			const name = this.open[index]?.name ?? '';
			if (name === 'p') return this.closeTo(index);
			if (isCell(name)) return;
		}
	}
}

/** Whether an end tag cannot close elements around this one. */
function isBarrier(
	{ name, tag: { breaks } }: Element,
	{ name: wanted, breaks: own }: Tag,
): boolean {
	if (isPartOfTable(wanted)) return name === 'table';
	const isInLine = own === 0 && !FORMATTING.test(wanted);
	return END_TAG_SCOPE.test(name) || (isInLine && breaks > 0);
}

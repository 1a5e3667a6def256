import type { Declared } from '../styles/declarations';
import { isCell, isPartOfTable, NO_ATTRIBUTES, type Attributes, type Tag } from '../html/elements';
import type { Limits } from '../htmlLimits';
import type { Styles } from '../styles/styles';
import { HIDDEN, type ComputedStyle } from '../styles/visibility';

/** Browsers open these again after a block that closed them. So their end tags can close blocks. */
const FORMATTING = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;

/** In these, an end tag closes nothing outside, unless it ends a part of a table. */
const END_TAG_SCOPE = /^(?:caption|marquee|object|table|t[dh])$/;

/** An open element, with its computed style. */
export interface Element {
	/** In lower case. */
	name: string;
	tag: Tag;
	attributes: Attributes;
	style: ComputedStyle;
}

/** Follows the elements of HTML that are displayed, and the text in them. */
export interface ElementVisitor {
	startElement(element: Element): void;
	/** Never called for void elements. */
	endElement(element: Element): void;
	/** A text comes in any number of pieces. */
	addText(text: string, isPreformatted: boolean): void;
}

/** Makes elements of tags. One that was never closed ends with the one around it, as in browsers. */
export class Walker {
	/** The elements around the current place, the innermost last. */
	private readonly open: Element[] = [];

	private openParagraphs = 0;

	/** The style outside of all elements. It is computed with the first element or text, when all style sheets are known. */
	private page: ComputedStyle | undefined;

	constructor(
		private readonly visitor: ElementVisitor,
		private readonly styles: Styles,
		private readonly limits: Limits,
	) {}

	addText(text: string): void {
		const { showsText, isPreformatted } = this.styleHere();
		if (showsText) this.visitor.addText(text, isPreformatted);
	}

	/** @param declared what its `style` attribute declares; undefined without one */
	startTag(tag: Tag, attributes: Attributes, declared: Declared | undefined): void {
		this.endElementsBefore(tag);
		const style = this.styleOf(tag, attributes, declared);
		const element: Element = { name: tag.name, tag, attributes, style };
		if (tag.isVoid) {
			if (!style.isHidden) this.visitor.startElement(element);
			return;
		}
		// Text in it has the style of the element around, and its end tag can end that one.
		if (this.open.length >= this.limits.nesting) return;
		if (!style.isHidden) this.visitor.startElement(element);
		this.open.push(element);
		tag.open++;
		if (tag.name === 'p') this.openParagraphs++;
	}

	endTag(tag: Tag): void {
		// As in browsers, these two count without a start tag.
		const countsAlone = tag.name === 'br' || tag.name === 'p';
		if (countsAlone && tag.open === 0) this.startTag(tag, NO_ATTRIBUTES, undefined);
		if (tag.open === 0) return;
		for (let index = this.open.length - 1; index >= 0; index--) {
			const element = this.open[index] as Element;
			if (element.tag === tag) {
				this.closeTo(index);
				return;
			}
			if (isBarrier(element.tag, tag)) return;
		}
	}

	/** Ends all elements. */
	end(): void {
		this.closeTo(0);
	}

	/** Ends elements without an end tag, such as list items before the next one, and a paragraph before a block. */
	private endElementsBefore({ ends, breaks }: Tag): void {
		if (ends !== undefined) {
			while (ends.has(this.open.at(-1)?.name ?? '')) this.closeTo(this.open.length - 1);
		}
		if (breaks > 0 && this.openParagraphs > 0) this.endParagraph();
	}

	/** A block ends the open paragraph with all elements in it, but not a paragraph outside of the table cell. */
	private endParagraph(): void {
		for (let index = this.open.length - 1; index >= 0; index--) {
			const name = this.open[index]?.name ?? '';
			if (isCell(name)) return;
			if (name === 'p') {
				this.closeTo(index);
				return;
			}
		}
	}

	/** Ends the innermost elements until only `length` are open. */
	private closeTo(length: number): void {
		while (this.open.length > length) {
			const element = this.open.pop() as Element;
			element.tag.open--;
			if (element.name === 'p') this.openParagraphs--;
			if (!element.style.isHidden) this.visitor.endElement(element);
		}
	}

	private styleOf(tag: Tag, attributes: Attributes, declared: Declared | undefined): ComputedStyle {
		const outer = this.styleHere();
		if (tag.isNeverShown) return HIDDEN;
		return this.styles.styleOf(tag.name, attributes, declared, outer);
	}

	private styleHere(): ComputedStyle {
		const innermost = this.open.at(-1);
		if (innermost !== undefined) return innermost.style;
		this.page ??= this.styles.page();
		return this.page;
	}
}

/** Whether an element keeps an end tag within it from closing elements around it. */
function isBarrier(around: Tag, wanted: Tag): boolean {
	if (isPartOfTable(wanted.name)) return around.name === 'table';
	if (END_TAG_SCOPE.test(around.name)) return true;
	const isOtherInline = wanted.breaks === 0 && !FORMATTING.test(wanted.name);
	return isOtherInline && around.breaks > 0;
}

import type { Declared } from '../styles/declarations';
import { isCell, isPartOfTable, NO_ATTRIBUTES, type Attributes, type Tag } from '../html/elements';
import type { Limits } from '../limits';
import type { Styles } from '../styles/styles';
import { HIDDEN, type ComputedStyle } from '../styles/visibility';

/** Browsers begin these again where the paragraph around them ended first. */
const FORMATTING = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;

/** An end tag closes nothing outside of these, unless it is one of a table. */
const END_TAG_SCOPE = /^(?:caption|marquee|object|table|t[dh])$/;

/** An element with its state at the current place. */
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

	/** The style outside of all elements; undefined before the first one, when not all styles are known. */
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

	/** Ends elements that have no end tag of their own. */
	private endElementsBefore({ ends, breaks }: Tag): void {
		if (ends !== undefined) {
			while (ends.has(this.open.at(-1)?.name ?? '')) this.closeTo(this.open.length - 1);
		}
		if (breaks > 0 && this.openParagraphs > 0) this.endParagraph();
	}

	/** A paragraph ends where an element begins that is no part of a line, also with elements open within it. */
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

	/** Ends the elements within so many. */
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

	/** Browsers read HTML without a `body` as if it had one. */
	private styleHere(): ComputedStyle {
		const innermost = this.open.at(-1);
		if (innermost !== undefined) return innermost.style;
		this.page ??= this.styles.page();
		return this.page;
	}
}

/** Whether an end tag cannot close elements around an open one. */
function isBarrier(open: Tag, wanted: Tag): boolean {
	if (isPartOfTable(wanted.name)) return open.name === 'table';
	if (END_TAG_SCOPE.test(open.name)) return true;
	const isPartOfLine = wanted.breaks === 0 && !FORMATTING.test(wanted.name);
	return isPartOfLine && open.breaks > 0;
}

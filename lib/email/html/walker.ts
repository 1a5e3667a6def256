import { isCell, type Attributes, type Tag } from './elements';
import type { Limits, HtmlReading } from './limits';
import type { Place } from './matching';
import { readStyles, type EmailStyles } from './styleElements';
import { readTags, type TagVisitor } from './tags';
import { NEVER_SHOWN, VISIBLE, visibilityOf, type Visibility } from './visibility';

const READ_ATTRIBUTES =
	'alt background bgcolor class color colspan height hidden href id name open popover role start style text value width'.split(
		' ',
	);

const NO_ATTRIBUTES: Attributes = new Map();

const PREFORMATTED = /^(?:break-spaces|pre)/;

/** Browsers begin these again where the paragraph around them ended first. */
const FORMATTING = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;

/** An end tag closes nothing outside of these, unless it is one of a table. */
const SCOPE = /^(?:caption|marquee|object|table|t[dh])$/;
const PART_OF_TABLE = /^(?:caption|t(?:able|body|d|foot|h|head|r))$/;

/** On these, words in a light color can be read. */
const COULD_BE_DARK = /<img|<v:|background|bgcolor/i;

/** An element with its state at the current place. */
export interface Element {
	name: string;
	tag: Tag;
	attributes: Attributes;
	visibility: Visibility;
	isPreformatted: boolean;
	place: Place | undefined;
}

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
	const styles = await readStyles(html, reading);
	const walker = new Walker(visitor, styles, COULD_BE_DARK.test(html), reading.limits);
	await readTags(html, walker, reading);
	walker.closeTo(0);
}

class Walker implements TagVisitor {
	readonly attributeNames: ReadonlySet<string>;

	private readonly open: Element[] = [];

	private openParagraphs = 0;

	/** Formatting that hides words, and was not closed by its own end tag. */
	private readonly unclosed = new Set<string>();

	/** Around all elements, as browsers read also HTML without a `body`. */
	private readonly page: Pick<Element, 'visibility' | 'isPreformatted'>;

	/** The text since the last tag. */
	private text = '';

	constructor(
		private readonly visitor: ElementVisitor,
		private readonly styles: EmailStyles,
		private readonly couldBeDark: boolean,
		private readonly limits: Limits,
	) {
		this.attributeNames = new Set([
			...READ_ATTRIBUTES,
			...(styles.matching?.selectors.attributeNames ?? []),
		]);
		this.page = { visibility: VISIBLE, isPreformatted: false };
		for (const place of styles.matching?.openPage() ?? []) {
			const of = styles.sheet.stylesOf(place.name, NO_ATTRIBUTES, place);
			this.page.visibility = visibilityOf(place.name, of, this.page.visibility, couldBeDark);
		}
	}

	addText(text: string): void {
		this.text += text;
	}

	endPiece(): void {
		this.endText();
	}

	startTag(tag: Tag, attributes: Attributes): void {
		this.endText();
		const { name } = tag;
		while (tag.ends?.has(this.open.at(-1)?.name ?? '')) this.closeTo(this.open.length - 1);
		if (tag.breaks > 0 && this.openParagraphs > 0) this.endParagraph();
		const outer = this.open.at(-1) ?? this.page;
		const place = this.styles.matching?.start(name, attributes);
		const styles = this.styles.sheet.stylesOf(name, attributes, place);
		const visibility = tag.isNeverShown
			? NEVER_SHOWN
			: visibilityOf(name, styles, outer.visibility, this.couldBeDark);
		const written = styles.values.get('white-space') ?? 'inherit';
		const whiteSpace = name === 'pre' || name === 'xmp' ? 'pre' : written;
		const isPreformatted =
			whiteSpace === 'inherit' ? outer.isPreformatted : PREFORMATTED.test(whiteSpace);
		const isTooDeep = this.open.length >= this.limits.nesting && !tag.isVoid;
		if (isTooDeep) {
			const { showsText } = visibility;
			if (!showsText) outer.visibility = { ...outer.visibility, isInvisible: true, showsText };
			else if (visibility.isInDoubt) outer.visibility = { ...outer.visibility, isInDoubt: true };
		}
		const element: Element = { name, tag, attributes, visibility, isPreformatted, place };
		if (!isTooDeep && visibility.display === 'shown') this.visitor.startElement(element);
		if (isTooDeep || tag.isVoid) {
			if (place) this.styles.matching?.end(place);
			return;
		}
		this.open.push(element);
		tag.open++;
		if (name === 'p') this.openParagraphs++;
	}

	endTag(tag: Tag): void {
		this.endText();
		// As in browsers, these two count without a start tag.
		const countsAlone = tag.name === 'br' || tag.name === 'p';
		if (countsAlone && tag.open === 0) this.startTag(tag, NO_ATTRIBUTES);
		const index =
			tag.open > 0 ? this.open.findLastIndex((one) => one.tag === tag || isBarrier(one, tag)) : -1;
		if (this.open[index]?.tag === tag) this.closeTo(index, tag);
		else this.unclosed.delete(tag.name);
	}

	endText(): void {
		if (this.text === '') return;
		const { text } = this;
		this.text = '';
		const { visibility, isPreformatted } = this.open.at(-1) ?? this.page;
		if (/\S/.test(text)) this.styles.matching?.startBody();
		if (visibility.showsText) this.visitor.addText(text, isPreformatted);
	}

	/** @param tag of the end tag, if there is one */
	closeTo(length: number, tag?: Tag): void {
		this.endText();
		while (this.open.length > length) {
			const element = this.open.pop() as Element;
			const { name, visibility, place } = element;
			element.tag.open--;
			if (name === 'p') this.openParagraphs--;
			if (element.tag !== tag && !visibility.showsText && FORMATTING.test(name))
				this.unclosed.add(name);
			else if (this.unclosed.size > 0 && SCOPE.test(name)) this.unclosed.clear();
			if (place) this.styles.matching?.end(place);
			if (visibility.display === 'shown') this.visitor.endElement(element);
		}
	}

	/** A paragraph ends where an element begins that is no part of a line, also with elements open within it. */
	private endParagraph(): void {
		const index = this.open.findLastIndex(({ name }) => name === 'p' || isCell(name));
		if (this.open[index]?.name === 'p') this.closeTo(index);
	}
}

/** Whether an end tag cannot close elements around this one. */
function isBarrier(
	{ name, tag: { breaks } }: Element,
	{ name: wanted, breaks: own }: Tag,
): boolean {
	if (PART_OF_TABLE.test(wanted)) return name === 'table';
	const isInLine = own === 0 && !FORMATTING.test(wanted);
	return SCOPE.test(name) || (isInLine && breaks > 0);
}

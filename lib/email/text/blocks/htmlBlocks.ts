import { withoutInvisible } from '../../mime/invisible';
import type { Block, TextFormat } from './blocks';
import { isCell, type Attributes } from '../html/elements';
import type { HtmlReading } from '../htmlLimits';
import { LineBuilder } from './lineBuilder';
import { addressOf, saysAddress, shownAddress } from './links';
import {
	OUTERMOST,
	placeWithin,
	withinLink,
	withinQuotation,
	type HtmlPlace,
	type OpenLink,
} from './places';
import { writePlain } from './plainText';
import { isQuotation } from './quotationMarkup';
import { endTable } from './dataTables';
import { isInvisible } from '../styles/visibility';
import { walkHtml } from '../walk/walkHtml';
import type { Element, ElementVisitor } from '../walk/walker';

const FILE_NAME = /^\S+\.(?:bmp|gif|jpe?g|png|svg|webp)$/i;

/** The side of an image that counts readers. */
const ONE_PIXEL = /^[01]$/;

/** Word writes each line of a message as a paragraph that has no space around it. */
const LINE_OF_WORD = /^Mso/;

const SEVERAL_BLANKS = /\s{2,}/g;

const BLANKS_ONLY = /^[ \t\r\n\f]*$/;

/** The text of an HTML body. */
export interface HtmlText {
	/** Plain. */
	text: string;
	/** Undefined if there are too many. */
	blocks: readonly Block[] | undefined;
}

/**
 * The visible text of an HTML body: paragraphs, lists, links and quotations as in a plain email. The time it takes is linear
 * in the length, and so is the length of the text.
 */
export async function readHtml(
	html: string,
	reading: HtmlReading,
	format: TextFormat = 'plain',
): Promise<HtmlText> {
	const lines = new LineBuilder(html.length, reading.limits);
	await walkHtml(html, new BlockVisitor(lines, format), reading);
	const read = lines.result();
	if (typeof read === 'string') return { text: read.trim(), blocks: undefined };
	return { text: writePlain(read).trim(), blocks: read };
}

/** Puts the elements that are shown, and the text in them, into lines. */
class BlockVisitor implements ElementVisitor {
	private place = OUTERMOST;

	/** The places around each open element. */
	private readonly outer: HtmlPlace[] = [];

	/** Of the last picture, as long as no text follows it. */
	private lastDescription = '';

	constructor(
		private readonly lines: LineBuilder,
		private readonly format: TextFormat,
	) {}

	addText(text: string, isPreformatted: boolean): void {
		const isBlank = text.trim() === '';
		if (!isBlank) this.lastDescription = '';
		if (isPreformatted) {
			this.lines.writePreformatted(withoutInvisible(text), this.place);
			return;
		}
		// Half of all texts, between two tags.
		if (isBlank && BLANKS_ONLY.test(text)) {
			this.lines.writeBlank();
			return;
		}
		const visible = withoutInvisible(text);
		// Emails pad their preview with invisible characters, and blanks between.
		const words = visible === text ? text : visible.replace(SEVERAL_BLANKS, ' ');
		this.lines.write(words, this.place);
	}

	startElement(element: Element): void {
		const { name, tag, attributes } = element;
		this.lines.separate(this.breaksAround(element), this.place);
		this.endLineAround(name);
		if (!tag.isVoid) this.outer.push(this.place);
		if (isQuotation(tag, attributes)) this.place = withinQuotation(this.place);
		if (name === 'a') {
			this.startLink(attributes);
			return;
		}
		this.startLine(element);
		if (!tag.isVoid) this.place = placeWithin(this.place, name, attributes);
	}

	endElement(element: Element): void {
		const { name } = element;
		const { link, cell, table } = this.place;
		this.endLineAround(name);
		this.place = this.outer.pop() ?? OUTERMOST;
		if (name === 'a' && link !== undefined) this.endLink(link);
		else if (name === 'tr') this.lines.startOrEndRow(this.place);
		else if (isCell(name) && cell !== undefined) this.lines.endCell(cell);
		else if (name === 'table' && table !== undefined) endTable(table);
		this.lines.separate(this.breaksAround(element), this.place);
	}

	/** How many line breaks stand before and after an element. */
	private breaksAround({ name, tag, attributes }: Element): 0 | 1 | 2 {
		const isList = name === 'ol' || name === 'ul';
		if (isList && this.place.list !== undefined) return 1;
		const isParagraph = name === 'p';
		return isParagraph && LINE_OF_WORD.test(attributes.class ?? '') ? 1 : tag.breaks;
	}

	/** Markdown has a table and code on lines of their own. */
	private endLineAround(name: string): void {
		if (this.format === 'markdown' && (name === 'table' || name === 'pre')) this.lines.endLine();
	}

	/** What an element itself puts on a line, or begins. */
	private startLine(element: Element): void {
		const { list } = this.place;
		switch (element.name) {
			case 'br':
				this.lines.breakLine(this.place);
				break;
			case 'hr':
				this.lines.writeRule(this.place);
				break;
			case 'img':
				this.addDescription(element);
				break;
			case 'li':
				this.lines.startItem(list?.hasEntries ?? false, this.place);
				break;
			case 'tr':
				this.lines.startOrEndRow(this.place);
				break;
			case 'td':
			case 'th':
				this.lines.startCell(this.place);
				break;
		}
	}

	/** Links within links are none: the second one ends the first. */
	private startLink(attributes: Attributes): void {
		const { link: outer } = this.place;
		if (outer !== undefined) this.endLink(outer);
		const address = addressOf(attributes.href);
		if (address === undefined) return;
		const { linkBefore } = this.lines;
		if (linkBefore !== undefined && linkBefore.address !== address) this.lines.standApart();
		this.place = withinLink(this.place, address);
	}

	private endLink(link: OpenLink): void {
		const { address } = link.mark;
		const label = link.label.trim();
		if (!link.isOver && label !== '' && !saysAddress(label, address)) {
			this.lines.addAddress(shownAddress(address));
		}
		link.isOver = true;
	}

	/** Pictures in a row can have the same description, such as "social icon". */
	private addDescription({ attributes, style }: Element): void {
		if (isInvisible(style.visibility)) return;
		const description = descriptionOf(attributes);
		if (description.trim() === '' || description === this.lastDescription) return;
		this.lines.standApart();
		this.addText(description, false);
		this.lines.standApart();
		this.lastDescription = description;
	}
}

/** The text of an image, but not its file's name, nor that of an image of one pixel, which counts readers. */
function descriptionOf(attributes: Attributes): string {
	const description = attributes.alt ?? '';
	if (description === '' || FILE_NAME.test(description.trim())) return '';
	const isPixel = ONE_PIXEL.test(attributes.height ?? '') || ONE_PIXEL.test(attributes.width ?? '');
	return isPixel ? '' : description;
}

import { withoutInvisible } from '../mime/invisible';
import type { TextFormat } from '../types';
import { isCell, isQuotation, type Attributes } from './elements';
import type { HtmlReading } from './limits';
import { addressOf } from './links';
import { TextLines } from './textLines';
import { isInvisible } from './visibility';
import { walkHtml, type Element, type ElementVisitor } from './walker';

const MAX_INDENT = 5;

const FILE_NAME = /^\S+\.(?:bmp|gif|jpe?g|png|svg|webp)$/i;

/** Word writes each line of a message as a paragraph that has no space around it. */
const LINE_OF_WORD = /^Mso/;

interface List {
	/** The number of the next entry, in a list with numbers. */
	number: number | undefined;
	hasEntries: boolean;
}

const SEVERAL_BLANKS = /\s{2,}/g;

/** The text of an HTML body. */
export interface VisibleText {
	text: string;
	/** The lines of the text in Markdown, if requested. */
	markdown: Array<string | undefined> | undefined;
}

/**
 * The visible text of an HTML body: paragraphs, lists, links and quotations as in a plain email. The time it takes is linear
 * in the length, and so is the length of the text.
 */
export async function htmlToText(
	html: string,
	reading: HtmlReading,
	format: TextFormat = 'plain',
): Promise<VisibleText> {
	const lines = new TextLines(html.length, format, reading.limits);
	await walkHtml(html, new TextWriter(lines), reading);
	return lines.result();
}

class TextWriter implements ElementVisitor {
	/** The lists around the current place, the innermost last. */
	private readonly lists: List[] = [];

	/** Of a picture, if no other text follows it. */
	private lastDescription = '';

	constructor(private readonly lines: TextLines) {}

	addText(text: string, isPreformatted: boolean): void {
		if (text.trim() !== '') this.lastDescription = '';
		const visible = withoutInvisible(text);
		if (isPreformatted) this.lines.writePreformatted(visible);
		// Emails pad their preview with invisible characters, and blanks between.
		else this.lines.write(visible === text ? text : visible.replace(SEVERAL_BLANKS, ' '));
	}

	startElement(element: Element): void {
		const { name, attributes } = element;
		this.lines.separate(this.breaksAround(element));
		this.lines.startElement(element);
		if (isQuote(element)) this.lines.startQuote();
		switch (name) {
			case 'br':
				return this.lines.breakLine();
			case 'img':
				return this.addDescription(element);
			case 'a':
				return this.startLink(element);
			case 'tr':
				return this.lines.startOrEndRow();
			case 'td':
			case 'th':
				return this.lines.startCell();
			case 'li':
				return this.startEntry(element);
			case 'hr':
				return this.lines.writeRule();
			case 'ol':
			case 'ul': {
				const number = name === 'ol' ? (numberOf(attributes.get('start')) ?? 1) : undefined;
				this.lists.push({ number, hasEntries: false });
			}
		}
	}

	endElement(element: Element): void {
		const { name } = element;
		this.lines.endElement(element);
		if (name === 'a') this.lines.endLink();
		else if (name === 'tr') this.lines.startOrEndRow();
		else if (isCell(name)) this.lines.endCell();
		else if (name === 'li') this.lines.endItem();
		else if (isList(name)) this.lists.pop();
		if (isQuote(element)) this.lines.endQuote();
		this.lines.separate(this.breaksAround(element));
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

	private breaksAround({ name, tag, attributes }: Element): 0 | 1 | 2 {
		const isInnerList = isList(name) && this.lists.length > 0;
		const isLineOfWord =
			name === 'p' && attributes.size > 0 && LINE_OF_WORD.test(attributes.get('class') ?? '');
		return isInnerList || isLineOfWord ? 1 : tag.breaks;
	}

	private startEntry(element: Element): void {
		const list = this.lists.at(-1);
		const indent = '  '.repeat(Math.min(Math.max(this.lists.length - 1, 0), MAX_INDENT));
		const number = numberOf(element.attributes.get('value')) ?? list?.number;
		const marker = list?.number === undefined || number === undefined ? '- ' : `${number}. `;
		this.lines.startItem(indent, marker, list?.hasEntries ?? false);
		if (!list) return;
		list.hasEntries = true;
		if (list.number !== undefined && number !== undefined) list.number = number + 1;
	}

	/** Links within links are none: the second one ends the first. */
	private startLink({ attributes }: Element): void {
		this.lines.endLink();
		const address = addressOf(attributes.get('href'));
		if (address !== undefined) this.lines.startLink(address);
	}
}

function isList(name: string): boolean {
	return name === 'ol' || name === 'ul';
}

function isQuote({ name, tag, attributes }: Element): boolean {
	if (name === 'blockquote') return true;
	return attributes.size > 0 && tag.breaks > 0 && !tag.isVoid && isQuotation(attributes);
}

function numberOf(value: string | undefined): number | undefined {
	return value !== undefined && /^ *-?\d{1,9} *$/.test(value) ? Number(value) : undefined;
}

/** The text of an image, but not its file's name, nor that of an image of one pixel, which counts readers. */
function descriptionOf(attributes: Attributes): string {
	const description = attributes.get('alt') ?? '';
	const isPixel = ['height', 'width'].some((side) => /^[01]$/.test(attributes.get(side) ?? ''));
	return isPixel || FILE_NAME.test(description.trim()) ? '' : description;
}

import type { Pace } from '../../lib/pause';
import { withoutInvisible } from '../invisible';
import { isQuotation } from './elements';
import type { TextFormat } from '../types';
import { HiddenWords } from './hiddenWords';
import { addressOf, saysAddress, shownAddress } from './links';
import { MarkdownLines } from './markdown';
import { TextLines } from './textLines';
import { walkHtml, type Attributes, type Element, type ElementVisitor } from './walker';

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
	/** Words were left out that nobody sees, and that are not excused. */
	hidesWords: boolean;
	/** The lines of the text in Markdown, if requested. */
	markdown: Array<string | undefined> | undefined;
	/** Words that were left out because they are a preview, or a technical ID. */
	excused: string;
}

/**
 * The visible text of an HTML body: paragraphs, lists, links and quotations as in a plain email. The time it takes is linear
 * in the length, and so is the length of the text.
 */
export async function htmlToText(
	html: string,
	pace: Pace,
	format: TextFormat = 'plain',
): Promise<VisibleText> {
	const markdown = format === 'markdown' ? new MarkdownLines(html.length) : undefined;
	const writer = new TextWriter(html.length, markdown);
	await walkHtml(html, writer, pace);
	return writer.result();
}

class TextWriter implements ElementVisitor {
	private readonly lines: TextLines;

	private readonly hidden = new HiddenWords();

	/** The lists around the current place, the innermost last. */
	private readonly lists: List[] = [];

	/** The target of the link around the current place. */
	private address: string | undefined;

	constructor(
		length: number,
		private readonly markdown: MarkdownLines | undefined,
	) {
		this.lines = new TextLines(length, markdown);
	}

	result(): VisibleText {
		const hidesWords = this.hidden.areReported();
		const text = this.lines.result();
		return { text, hidesWords, markdown: this.markdown?.result(), excused: this.hidden.excused };
	}

	addText(text: string, isPreformatted: boolean): void {
		const visible = withoutInvisible(text);
		this.hidden.addVisible(visible);
		if (visible !== text) this.hidden.addInvisible(text);
		if (isPreformatted) this.lines.writePreformatted(visible);
		// Emails pad their preview with invisible characters, and blanks between.
		else this.lines.write(visible === text ? text : visible.replace(SEVERAL_BLANKS, ' '));
	}

	addHiddenText(text: string): void {
		this.hidden.add(withoutInvisible(text));
	}

	startElement(element: Element): void {
		const { tag, attributes } = element;
		this.lines.separate(this.breaksAround(element));
		this.endLineAround(element);
		this.markdown?.startElement(element);
		if (isQuote(element)) {
			this.lines.startQuote();
			this.markdown?.startQuote();
		}
		switch (tag.role) {
			case 'line break':
				return this.lines.breakLine();
			case 'image':
				if (element.visibility.isInvisible) return;
				return this.lines.write(withoutInvisible(descriptionOf(attributes)));
			case 'link':
				return this.startLink(element);
			case 'row':
				return this.lines.startOrEndRow();
			case 'cell':
				return this.lines.startCell();
			case 'entry':
				return this.startEntry(element);
			case 'rule':
				return this.lines.writeRule();
			case 'list': {
				const number = tag.name === 'ol' ? (numberOf(attributes.get('start')) ?? 1) : undefined;
				this.lists.push({ number, hasEntries: false });
			}
		}
	}

	endElement(element: Element): void {
		const { role } = element.tag;
		this.endLineAround(element);
		this.markdown?.endElement(element);
		if (role === 'link') this.endLink();
		else if (role === 'row') this.lines.startOrEndRow();
		else if (role === 'cell') this.lines.endCell();
		else if (role === 'entry') this.lines.endItem();
		else if (role === 'list') {
			this.lists.pop();
		}
		if (isQuote(element)) this.lines.endQuote();
		this.lines.separate(this.breaksAround(element));
	}

	private breaksAround({ tag: { breaks, role }, attributes }: Element): 0 | 1 | 2 {
		const isInnerList = role === 'list' && this.lists.length > 0;
		const isLineOfWord = role === 'paragraph' && LINE_OF_WORD.test(attributes.get('class') ?? '');
		return isInnerList || isLineOfWord ? 1 : breaks;
	}

	/** Tables and code are decided on as a whole. */
	private endLineAround({ tag: { name } }: Element): void {
		if (this.markdown && (name === 'table' || name === 'pre')) this.lines.endBlock();
	}

	private startEntry(element: Element): void {
		const list = this.lists.at(-1);
		const indent = '  '.repeat(Math.min(Math.max(this.lists.length - 1, 0), MAX_INDENT));
		const number = numberOf(element.attributes.get('value')) ?? list?.number;
		const marker = list?.number === undefined || number === undefined ? '- ' : `${number}. `;
		this.lines.startItem(indent + marker, list?.hasEntries ?? false);
		this.markdown?.startEntry(marker);
		if (!list) return;
		list.hasEntries = true;
		if (list.number !== undefined && number !== undefined) list.number = number + 1;
	}

	/** Links within links are none: the second one ends the first. */
	private startLink(element: Element): void {
		this.endLink();
		this.address = addressOf(element.attributes.get('href'));
		if (this.address !== undefined) this.markdown?.startLink(this.address);
		this.lines.startLabel();
	}

	private endLink(): void {
		const { address } = this;
		this.address = undefined;
		this.markdown?.endLink();
		const label = this.lines.endLabel();
		if (address === undefined || label === '') return;
		if (!saysAddress(label, address)) this.lines.addBehind(` (${shownAddress(address)})`);
	}
}

function isQuote({ tag, attributes }: Element): boolean {
	return tag.role === 'quote' || (!tag.isVoid && tag.breaks > 0 && isQuotation(attributes));
}

function numberOf(value: string | undefined): number | undefined {
	return value !== undefined && /^ *-?\d{1,9} *$/.test(value) ? Number(value) : undefined;
}

/** The text of an image, but not its file's name. */
function descriptionOf(attributes: Attributes): string {
	const description = attributes.get('alt') ?? '';
	return FILE_NAME.test(description.trim()) ? '' : description;
}

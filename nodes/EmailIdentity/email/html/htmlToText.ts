import type { Pace } from '../../lib/pause';
import { addressOf, saysAddress, shownAddress } from './links';
import { NO_ATTRIBUTES, type Attributes } from './attributeCollector';
import { TagReader, type TagListener } from './tagReader';
import { DEEPEST_NESTING, TagTable, type Tag } from './tagTable';
import { TextLines } from './textLines';
import { tokenize } from './tokenize';
import { HIDDEN, isShown, VISIBLE, visibilityOf } from './visibility';
import type { Visibility } from './visibility';

const DEEPEST_INDENT = 5;

const FILE_NAME = /^\S+\.(?:bmp|gif|jpe?g|png|svg|webp)$/i;

const WHITE_SPACE = /(?:^|;)\s*white-space\s*:\s*([\w-]+)/i;

const PREFORMATTED = /^(?:break-spaces|pre)/i;

/** Word writes each line of a message as a paragraph that has no space around it. */
const LINE_OF_WORD = /^Mso/;

interface Element {
	tag: Tag;
	visibility: Visibility;
	breaks: 0 | 1 | 2;
	preformatted: boolean;
	/** Of a list with numbers: the one of its next entry. */
	number: number | undefined;
	/** Of a list: whether it has an entry already. */
	hasEntries: boolean;
}

/**
 * What an HTML body says, as text: paragraphs, lists and links as in a plain email, without what the email does not
 * show. The time it takes is linear in the length, whatever the HTML is like, with pauses.
 */
export async function htmlToText(html: string, pace: Pace): Promise<string> {
	const reader = new HtmlReader();
	const afterPiece = () => {
		reader.writePending();
		return true;
	};
	await tokenize(html, new TagReader(html, reader), afterPiece, pace);
	return reader.text();
}

/** Follows the tags. An element that was never closed ends with the one around it, as in browsers. */
class HtmlReader implements TagListener {
	private readonly lines = new TextLines();

	private readonly tags = new TagTable();

	private readonly open: Element[] = [];

	/** The lists around the current place, the innermost last. */
	private readonly lists: Element[] = [];

	/** Where the link leads in which the current place is. */
	private address: string | undefined;

	/** Since the last tag. */
	private pending = '';

	private readonly paragraph: Tag = this.tags.named('p');

	text(): string {
		this.closeTo(0);
		return this.lines.text();
	}

	openTag(name: string, attributes: Attributes): void {
		this.openElement(this.tags.named(name), attributes);
	}

	closeTag(name: string): void {
		const tag = this.tags.named(name);
		// As in browsers, these two count without a start tag.
		const isStray = tag.open === 0 && (tag.role === 'line break' || tag.role === 'paragraph');
		if (isStray) this.openElement(tag, NO_ATTRIBUTES);
		if (tag.open === 0) return;
		let index = this.open.length - 1;
		while (this.open[index]?.tag !== tag) index--;
		this.closeTo(index);
	}

	addText(text: string): void {
		this.pending += text;
	}

	/** Writes what was read since the last tag. */
	writePending(): void {
		if (this.pending === '') return;
		const element = this.open.at(-1);
		if (element === undefined || isShown(element.visibility)) {
			if (element?.preformatted) this.lines.writePreformatted(this.pending);
			else this.lines.write(this.pending);
		}
		this.pending = '';
	}

	private openElement(tag: Tag, attributes: Attributes): void {
		this.writePending();
		while (tag.ends?.has(this.open.at(-1)?.tag.name ?? '')) this.closeTo(this.open.length - 1);
		if (tag.breaks > 0 && this.paragraph.open > 0) this.endParagraph();
		const outer = this.open.at(-1);
		const visibility = outer?.visibility ?? VISIBLE;
		const element: Element = {
			tag,
			visibility: tag.isNeverShown ? HIDDEN : visibilityOf(tag.name, attributes, visibility),
			breaks: this.breaksAround(tag, attributes),
			preformatted: isPreformatted(tag, attributes, outer?.preformatted ?? false),
			number: tag.name === 'ol' ? (numberOf(attributes.get('start')) ?? 1) : undefined,
			hasEntries: false,
		};
		const isTooDeep = this.open.length >= DEEPEST_NESTING && !tag.isVoid;
		if (isShown(element.visibility) && !isTooDeep) this.startElement(element, attributes);
		if (tag.isVoid || isTooDeep) return;
		this.open.push(element);
		tag.open++;
	}

	/** A paragraph ends where something begins that is not part of a line, also with elements open within it. */
	private endParagraph(): void {
		let index = this.open.length - 1;
		while (index >= 0) {
			const { tag } = this.open[index] as Element;
			if (tag.role === 'cell') return;
			if (tag.role === 'paragraph') return this.closeTo(index);
			index--;
		}
	}

	private startElement(element: Element, attributes: Attributes): void {
		const { tag, breaks } = element;
		this.lines.separate(breaks);
		switch (tag.role) {
			case 'line break':
				return this.lines.breakLine();
			case 'image':
				return this.lines.write(descriptionOf(attributes));
			case 'link':
				return this.startLink(attributes);
			case 'row':
				return this.lines.startRow();
			case 'cell':
				return this.lines.startCell();
			case 'entry':
				return this.startEntry(attributes);
			case 'quote':
				return this.lines.startQuote();
			case 'rule':
				return this.lines.writeRule();
			case 'list':
				this.lists.push(element);
		}
	}

	private closeTo(length: number): void {
		this.writePending();
		while (this.open.length > length) {
			const element = this.open.pop() as Element;
			element.tag.open--;
			if (isShown(element.visibility)) this.endElement(element);
		}
	}

	private endElement({ tag, breaks }: Element): void {
		if (tag.role === 'link') this.endLink();
		else if (tag.role === 'row') this.lines.endRow();
		else if (tag.role === 'cell') this.lines.endCell();
		else if (tag.role === 'quote') this.lines.endQuote();
		else if (tag.role === 'list') {
			this.lists.pop();
			this.lines.endItems();
		}
		this.lines.separate(breaks);
	}

	private breaksAround({ breaks, role }: Tag, attributes: Attributes): 0 | 1 | 2 {
		const isInnerList = role === 'list' && this.lists.length > 0;
		const className = role === 'paragraph' ? attributes.get('class') : undefined;
		const isOfWord = className !== undefined && LINE_OF_WORD.test(className);
		return isInnerList || isOfWord ? 1 : breaks;
	}

	private startEntry(attributes: Attributes): void {
		const list = this.lists.at(-1);
		const indent = '  '.repeat(Math.min(Math.max(this.lists.length - 1, 0), DEEPEST_INDENT));
		const number = numberOf(attributes.get('value')) ?? list?.number;
		if (list?.hasEntries) this.lines.joinItems();
		if (list) list.hasEntries = true;
		if (list?.number === undefined || number === undefined) {
			this.lines.startItem(`${indent}- `);
		} else {
			this.lines.startItem(`${indent}${number}. `);
			list.number = number + 1;
		}
	}

	/** Links within links are none: the second one ends the first. */
	private startLink(attributes: Attributes): void {
		this.endLink();
		this.address = addressOf(attributes.get('href'));
		this.lines.startLabel();
	}

	private endLink(): void {
		const { address } = this;
		this.address = undefined;
		const label = this.lines.endLabel();
		if (address === undefined || label === '') return;
		if (!saysAddress(label, address)) this.lines.addBehind(` (${shownAddress(address)})`);
	}
}

function isPreformatted({ role }: Tag, attributes: Attributes, outer: boolean): boolean {
	if (role === 'preformatted') return true;
	const style = attributes.get('style');
	const whiteSpace = style === undefined ? undefined : WHITE_SPACE.exec(style)?.[1];
	return whiteSpace === undefined ? outer : PREFORMATTED.test(whiteSpace);
}

function numberOf(value: string | undefined): number | undefined {
	return value !== undefined && /^ *-?\d{1,9} *$/.test(value) ? Number(value) : undefined;
}

/** What an image says to those who do not see it; not its file's name, nor what a picture of one pixel is called. */
function descriptionOf(attributes: Attributes): string {
	const isPixel = ['width', 'height'].some((size) =>
		/^ *[01](?:px)? *$/.test(attributes.get(size) ?? ''),
	);
	const description = attributes.get('alt') ?? '';
	return isPixel || FILE_NAME.test(description.trim()) ? '' : description;
}

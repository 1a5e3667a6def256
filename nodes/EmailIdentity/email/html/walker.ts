import type { Pace } from '../../lib/pause';
import { TagTable, type Tag } from './elements';
import { NO_ATTRIBUTES, readTokens, type Attributes, type TokenListener } from './tokens';
import { HIDDEN, isShown, VISIBLE, visibilityOf, type Visibility } from './visibility';

// Where browsers stop to nest elements, too.
const MAX_NESTING = 512;

const WHITE_SPACE = /(?:^|;)\s*white-space\s*:\s*([\w-]+)/i;

const PREFORMATTED = /^(?:break-spaces|pre)/i;

/** An element with its state at the current place. */
export interface Element {
	tag: Tag;
	attributes: Attributes;
	visibility: Visibility;
	isPreformatted: boolean;
}

/** Is told the elements of HTML that people see, and the text in them. */
export interface ElementVisitor {
	startElement(element: Element): void;
	/** Never called for void elements. */
	endElement(element: Element): void;
	addText(text: string, isPreformatted: boolean): void;
}

/** Follows the tags. An element that was never closed ends with the one around it, as in browsers. */
export async function walkHtml(html: string, visitor: ElementVisitor, pace: Pace): Promise<void> {
	const walker = new Walker(visitor);
	await readTokens(html, walker, pace);
	walker.closeTo(0);
}

class Walker implements TokenListener {
	private readonly tags = new TagTable();

	private readonly open: Element[] = [];

	/** The text since the last tag. */
	private pending = '';

	private readonly paragraph: Tag = this.tags.named('p');

	constructor(private readonly visitor: ElementVisitor) {}

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

	endPiece(): void {
		if (this.pending === '') return;
		const element = this.open.at(-1);
		if (element === undefined || isShown(element.visibility)) {
			this.visitor.addText(this.pending, element?.isPreformatted ?? false);
		}
		this.pending = '';
	}

	closeTo(length: number): void {
		this.endPiece();
		while (this.open.length > length) {
			const element = this.open.pop() as Element;
			element.tag.open--;
			if (isShown(element.visibility)) this.visitor.endElement(element);
		}
	}

	private openElement(tag: Tag, attributes: Attributes): void {
		this.endPiece();
		while (tag.ends?.has(this.open.at(-1)?.tag.name ?? '')) this.closeTo(this.open.length - 1);
		if (tag.breaks > 0 && this.paragraph.open > 0) this.endParagraph();
		const outer = this.open.at(-1);
		const visibility = outer?.visibility ?? VISIBLE;
		const element: Element = {
			tag,
			attributes,
			visibility: tag.isNeverShown ? HIDDEN : visibilityOf(tag.name, attributes, visibility),
			isPreformatted: isPreformatted(tag, attributes, outer?.isPreformatted ?? false),
		};
		const isTooDeep = this.open.length >= MAX_NESTING && !tag.isVoid;
		if (isTooDeep) return;
		if (isShown(element.visibility)) this.visitor.startElement(element);
		if (tag.isVoid) return;
		this.open.push(element);
		tag.open++;
	}

	/** A paragraph ends where an element begins that is no part of a line, also with elements open within it. */
	private endParagraph(): void {
		let index = this.open.length - 1;
		while (index >= 0) {
			const { tag } = this.open[index] as Element;
			if (tag.role === 'cell') return;
			if (tag.role === 'paragraph') return this.closeTo(index);
			index--;
		}
	}
}

function isPreformatted({ role }: Tag, attributes: Attributes, outer: boolean): boolean {
	if (role === 'preformatted') return true;
	const style = attributes.get('style');
	const whiteSpace = style === undefined ? undefined : WHITE_SPACE.exec(style)?.[1];
	return whiteSpace === undefined ? outer : PREFORMATTED.test(whiteSpace);
}

import type { TokenizerCallbacks } from 'htmlparser2';

import type { Pace } from '../../basics';
import { isCell, newTag, type Attributes, type Tag } from './elements';
import { StyleSheet } from './styles';
import { NEVER_SHOWN, VISIBLE, visibilityOf, type Visibility } from './visibility';

// Reading this much takes a few milliseconds.
const CHARACTERS_BETWEEN_PAUSES = 50_000;

// HTML knows about 150.
const MAX_NAMES = 1000;

// Where browsers stop to nest elements, too.
const MAX_NESTING = 512;

const READ_ATTRIBUTES: ReadonlySet<string> = new Set(
	(
		'alt background bgcolor class color colspan height hidden href id name role start style text ' +
		'value width'
	).split(' '),
);

const NO_ATTRIBUTES: Attributes = new Map();

const PREFORMATTED = /^(?:break-spaces|pre)/;

/** An element with its state at the current place. */
export interface Element {
	name: string;
	tag: Tag;
	attributes: Attributes;
	visibility: Visibility;
	isPreformatted: boolean;
}

/** Renders the elements of HTML that are displayed, and the text in them. */
export interface ElementVisitor {
	startElement(element: Element): void;
	/** Never called for void elements. */
	endElement(element: Element): void;
	/** A text comes in any number of pieces. */
	addText(text: string, isPreformatted: boolean): void;
	/** Text that nobody sees. */
	addHiddenText(text: string): void;
}

/**
 * Follows the tags, in time that is linear in the length. An element that was never closed ends with the one around it, as
 * in browsers. Of the library only the tokenizer is used: its parser keeps open elements in an array from which it takes the
 * first, which is quadratic in how deep they are nested.
 */
export async function walkHtml(html: string, visitor: ElementVisitor, pace: Pace): Promise<void> {
	const { Tokenizer } = await import('htmlparser2');
	const walker = new Walker(html, visitor);
	const tokenizer = new Tokenizer({}, walker);
	for (let start = 0; start < html.length; start += CHARACTERS_BETWEEN_PAUSES) {
		const piece = html.slice(start, start + CHARACTERS_BETWEEN_PAUSES);
		if (pace.isDue(piece.length / CHARACTERS_BETWEEN_PAUSES)) await pace.pause();
		tokenizer.write(piece);
		walker.endText();
	}
	tokenizer.end();
	walker.closeTo(0);
}

/** The tokenizer reports positions in the HTML, and attributes in pieces. */
class Walker implements TokenizerCallbacks {
	private readonly open: Element[] = [];

	/** By names as they are written, and in lower case. */
	private readonly tags = new Map<string, Tag>();

	private readonly paragraph = this.tagOf('p');

	private readonly styleSheet: StyleSheet;

	/** Around all elements, as browsers read also HTML without a `body`. */
	private readonly page: Pick<Element, 'visibility' | 'isPreformatted'>;

	/** The text since the last tag. */
	private text = '';

	/** The start tag that is being read. */
	private tag = this.paragraph;

	private attributes: Map<string, string> | undefined;

	/** The name of the current attribute; empty for one that is not read. */
	private attribute = '';

	private value = '';

	constructor(
		private readonly html: string,
		private readonly visitor: ElementVisitor,
	) {
		this.styleSheet = new StyleSheet(html);
		const styles = this.styleSheet.stylesOf('body', NO_ATTRIBUTES);
		this.page = { visibility: visibilityOf('body', styles, VISIBLE), isPreformatted: false };
	}

	onopentagname(start: number, end: number): void {
		this.tag = this.tagOf(this.html.slice(start, end));
		this.attributes = undefined;
	}

	onattribname(start: number, end: number): void {
		const name = this.html.slice(start, end).toLowerCase();
		this.attribute = READ_ATTRIBUTES.has(name) ? name : '';
		this.value = '';
	}

	onattribdata(start: number, end: number): void {
		if (this.attribute !== '') this.value += this.html.slice(start, end);
	}

	onattribentity(codePoint: number): void {
		if (this.attribute !== '') this.value += String.fromCodePoint(codePoint);
	}

	/** The first of several attributes with the same name counts. */
	onattribend(): void {
		if (this.attribute === '') return;
		this.attributes ??= new Map();
		if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
	}

	onopentagend(): void {
		this.openElement(this.tag, this.attributes ?? NO_ATTRIBUTES);
	}

	onselfclosingtag(): void {
		this.onopentagend();
	}

	onclosetag(start: number, end: number): void {
		const tag = this.tagOf(this.html.slice(start, end));
		// As in browsers, these two count without a start tag.
		const countsAlone = tag.name === 'br' || tag.name === 'p';
		if (countsAlone && tag.open === 0) this.openElement(tag, NO_ATTRIBUTES);
		if (tag.open > 0) this.closeTo(this.open.findLastIndex((element) => element.tag === tag));
	}

	ontext(start: number, end: number): void {
		this.text += this.html.slice(start, end);
	}

	ontextentity(codePoint: number): void {
		this.text += String.fromCodePoint(codePoint);
	}

	oncdata(): void {}

	oncomment(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	onend(): void {}

	endText(): void {
		if (this.text === '') return;
		const { visibility, isPreformatted } = this.open.at(-1) ?? this.page;
		if (visibility.showsText) this.visitor.addText(this.text, isPreformatted);
		else if (visibility.display !== 'elsewhere') this.visitor.addHiddenText(this.text);
		this.text = '';
	}

	closeTo(length: number): void {
		this.endText();
		while (this.open.length > length) {
			const element = this.open.pop() as Element;
			element.tag.open--;
			this.styleSheet.count(element.name, element.attributes, -1);
			if (element.visibility.display === 'shown') this.visitor.endElement(element);
		}
	}

	private tagOf(written: string): Tag {
		const known = this.tags.get(written);
		if (known) return known;
		const name = written.toLowerCase();
		const tag = this.tags.get(name) ?? newTag(name);
		if (this.tags.size < MAX_NAMES) this.tags.set(written, tag).set(name, tag);
		return tag;
	}

	private openElement(tag: Tag, attributes: Attributes): void {
		this.endText();
		const { name } = tag;
		while (tag.ends?.has(this.open.at(-1)?.name ?? '')) this.closeTo(this.open.length - 1);
		if (tag.breaks > 0 && this.paragraph.open > 0) this.endParagraph();
		const outer = this.open.at(-1) ?? this.page;
		const styles = this.styleSheet.stylesOf(name, attributes);
		const whiteSpace = name === 'pre' || name === 'xmp' ? 'pre' : styles.get('white-space');
		const element: Element = {
			name,
			tag,
			attributes,
			visibility: tag.isNeverShown ? NEVER_SHOWN : visibilityOf(name, styles, outer.visibility),
			isPreformatted: whiteSpace ? PREFORMATTED.test(whiteSpace) : outer.isPreformatted,
		};
		const isTooDeep = this.open.length >= MAX_NESTING && !tag.isVoid;
		if (isTooDeep) {
			const { showsText } = element.visibility;
			if (!showsText) outer.visibility = { ...outer.visibility, isInvisible: true, showsText };
			return;
		}
		if (element.visibility.display === 'shown') this.visitor.startElement(element);
		if (tag.isVoid) return;
		this.open.push(element);
		tag.open++;
		this.styleSheet.count(name, attributes, 1);
	}

	/** A paragraph ends where an element begins that is no part of a line, also with elements open within it. */
	private endParagraph(): void {
		const index = this.open.findLastIndex(({ name }) => name === 'p' || isCell(name));
		if (this.open[index]?.name === 'p') this.closeTo(index);
	}
}

import type { TokenizerCallbacks } from 'htmlparser2';

import type { Pace } from '../../lib/pause';
import { AttributeCollector, type Attributes } from '../html/attributeCollector';
import { DEEPEST_NESTING, TagTable, type Tag } from '../html/tagTable';
import { tokenize } from '../html/tokenize';
import { HIDDEN, isShown, VISIBLE, visibilityOf, type Visibility } from '../html/visibility';
import { MOST_LINES, toLineText, type Line, type Mark, type Quoting } from './lines';
import { meaningOf, TELLING_ATTRIBUTES } from './quoteElements';

/** A line that people see of an HTML email, and where its text is in the source. */
export interface HtmlLine extends Line {
	/** Of the first character. */
	start: number;
	/** Behind the last character. */
	end: number;
}

/** An HTML email as lines. */
export interface HtmlLines {
	lines: HtmlLine[];
	/** Where its body begins, behind head and styles. */
	bodyStart: number;
}

// What is longer is cut where lines are compared.
const LONGEST_LINE = 1000;

const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
	...TELLING_ATTRIBUTES,
	'hidden',
	'width',
	'height',
]);

/** A picture is something that somebody sent, too. */
const PICTURE = '\ufffc';
const NO_BREAK_SPACE = '\u00a0';
const RULE = '-'.repeat(20);

interface Element {
	tag: Tag;
	visibility: Visibility;
	quoting: Quoting;
	mark: Mark | undefined;
}

const OUTSIDE = { visibility: VISIBLE, quoting: 'none' as Quoting, mark: undefined };

/**
 * Reads the lines that people see of an HTML email, with what its elements say about quotations, in time
 * that is linear in its length.
 *
 * @returns undefined for one that has more lines than any answer
 */
export async function readHtmlLines(html: string, pace: Pace): Promise<HtmlLines | undefined> {
	const reader = new LineReader(html);
	let isTooLong = false;
	const afterPiece = () => {
		isTooLong = reader.lines.length > MOST_LINES;
		return !isTooLong;
	};
	await tokenize(html, reader, afterPiece, pace);
	if (isTooLong) return undefined;
	reader.endLine();
	return reader;
}

/** Follows the tags. An element that was never closed ends with the one around it, as in browsers. */
class LineReader extends AttributeCollector implements TokenizerCallbacks, HtmlLines {
	readonly lines: HtmlLine[] = [];

	bodyStart = 0;

	private readonly tags = new TagTable();

	private readonly open: Element[] = [];

	private tag: Tag = this.tags.named('p');

	/** Where the last token ended. */
	private position = 0;

	private text = '';

	private lineStart: number | undefined;

	private lineEnd = 0;

	private lineQuoting: Quoting = 'none';

	private lineMark: Mark | undefined;

	constructor(html: string) {
		super(html, READ_ATTRIBUTES);
	}

	onopentagname(start: number, end: number): void {
		this.tag = this.tags.named(this.beginTag(start, end));
	}

	/** Within a quotation nothing matters but where it ends. */
	protected override wantsAttributes(): boolean {
		return !this.isQuoted();
	}

	private isQuoted(): boolean {
		return this.open.at(-1)?.quoting === 'certain';
	}

	onopentagend(end: number): void {
		const { tag, attributes } = this;
		const start = this.position;
		this.position = end + 1;
		if (tag.name === 'body') this.startBody(this.position);
		while (tag.ends?.has(this.open.at(-1)?.tag.name ?? '')) this.closeTo(this.open.length - 1);
		const outer = this.open.at(-1) ?? OUTSIDE;
		const visibility = this.visibilityWithin(outer, attributes);
		if (isShown(visibility)) this.showElement(tag, attributes, start);
		if (tag.isVoid || this.open.length >= DEEPEST_NESTING) return;
		if (outer.quoting === 'certain') {
			this.open.push({ ...outer, tag });
			tag.open++;
			return;
		}
		const { quoting, mark } = meaningOf(tag.name, attributes);
		this.open.push({
			tag,
			visibility,
			quoting: quoting === 'none' ? outer.quoting : quoting,
			mark: mark ?? outer.mark,
		});
		tag.open++;
	}

	private visibilityWithin(outer: Pick<Element, 'visibility'>, attributes: Attributes): Visibility {
		if (this.tag.isNeverShown) return HIDDEN;
		return this.isQuoted()
			? outer.visibility
			: visibilityOf(this.tag.name, attributes, outer.visibility);
	}

	onselfclosingtag(end: number): void {
		this.onopentagend(end);
	}

	onclosetag(start: number, end: number): void {
		const tag = this.tags.named(this.html.slice(start, end));
		this.position = end;
		if (tag.name === 'head') this.startBody(this.html.indexOf('>', end) + 1);
		if (tag.open === 0) return this.separate(tag, end);
		let index = this.open.length - 1;
		while (this.open[index]?.tag !== tag) index--;
		this.closeTo(index);
	}

	ontext(start: number, end: number): void {
		this.add(this.html.slice(start, end), start, end);
	}

	ontextentity(codePoint: number, end: number): void {
		this.add(String.fromCodePoint(codePoint), this.position, end);
	}

	oncomment(_start: number, end: number, offset: number): void {
		this.position = end + offset;
	}

	oncdata(_start: number, end: number, offset: number): void {
		this.position = end + offset;
	}

	ondeclaration(_start: number, end: number): void {
		this.position = end + 1;
	}

	onprocessinginstruction(_start: number, end: number): void {
		this.position = end + 1;
	}

	onend(): void {}

	/** Ends the current line, if it has begun. */
	endLine(): void {
		const { lineStart: start, lineEnd: end, lineQuoting: quoting, lineMark: mark } = this;
		const last = this.lines.at(-1);
		if (start !== undefined && quoting === 'certain' && last?.quoting === 'certain') {
			last.end = end;
		} else if (start !== undefined) {
			const text = quoting === 'certain' ? '' : toLineText(this.text);
			this.lines.push({ text, quoting, ...(mark && { mark }), start, end });
		}
		this.text = '';
		this.lineStart = undefined;
	}

	/** Paragraphs have an empty line around them. */
	private separate({ breaks, role }: Tag, position: number): void {
		if (breaks === 0 && role !== 'preformatted') return;
		this.endLine();
		if (breaks < 2 || (this.lines.at(-1)?.text ?? '') === '') return;
		this.begin(this.open.at(-1) ?? OUTSIDE, position);
		this.lineEnd = position;
		this.endLine();
	}

	private startBody(position: number): void {
		if (this.lines.length === 0) this.bodyStart = position;
	}

	private add(text: string, start: number, end: number): void {
		this.position = end;
		const element = this.open.at(-1) ?? OUTSIDE;
		if (!isShown(element.visibility)) return;
		if (text.trim() === '') {
			if (this.lineStart !== undefined) this.append(' ');
			else if (text.includes(NO_BREAK_SPACE)) this.begin(element, start);
			return;
		}
		this.begin(element, start + text.length - text.trimStart().length);
		this.append(text);
		this.lineEnd = end;
	}

	private begin({ quoting, mark }: Pick<Element, 'quoting' | 'mark'>, start: number): void {
		if (this.lineStart !== undefined && this.text.trim() !== '') return;
		this.lineStart = start;
		this.lineQuoting = quoting;
		this.lineMark = mark;
	}

	private append(text: string): void {
		if (this.text.length <= LONGEST_LINE && this.lineQuoting !== 'certain')
			this.text += text.slice(0, LONGEST_LINE + 1);
	}

	private showElement(tag: Tag, attributes: Attributes, start: number): void {
		const element = this.open.at(-1) ?? OUTSIDE;
		if (tag.role === 'line break') {
			this.begin(element, start);
			this.lineEnd = Math.max(this.lineEnd, start);
			this.endLine();
		} else if (tag.role === 'rule') {
			this.endLine();
			const { mark } = meaningOf(tag.name, attributes);
			this.begin({ quoting: element.quoting, mark: mark ?? element.mark }, start);
			this.text = RULE;
			this.lineEnd = this.position;
			this.endLine();
		} else if (tag.role === 'image') {
			if (isPixel(attributes)) return;
			this.begin(element, start);
			this.append(PICTURE);
			this.lineEnd = this.position;
		} else if (tag.role === 'cell') {
			this.append(' ');
		} else {
			this.separate(tag, start);
		}
	}

	private closeTo(length: number): void {
		while (this.open.length > length) {
			const { tag, visibility } = this.open.pop() as Element;
			tag.open--;
			if (isShown(visibility)) this.separate(tag, this.position);
		}
	}
}

function isPixel(attributes: Attributes): boolean {
	return ['width', 'height'].some((size) => /^ *[01](?:px)? *$/.test(attributes.get(size) ?? ''));
}

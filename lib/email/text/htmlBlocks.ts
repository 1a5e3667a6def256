import { withoutInvisible } from '../mime/invisible';
import type { TextFormat } from '../types';
import { OUTSIDE, type Block, type Emphasis } from './blocks';
import { isCell, isQuotation, type Attributes } from './elements';
import type { HtmlReading } from './limits';
import { LineBuilder, type OpenItem, type OpenLink, type TextPlace } from './lineBuilder';
import { addressOf, saysAddress, shownAddress } from './links';
import { writePlain } from './plainText';
import { endTable, newRow, newTable, startCell } from './tables';
import { isInvisible } from './visibility';
import { walkHtml, type Element, type ElementVisitor } from './walker';

// Deeper than people follow.
const MAX_QUOTATIONS = 8;
const MAX_ITEMS = 8;

const FILE_NAME = /^\S+\.(?:bmp|gif|jpe?g|png|svg|webp)$/i;

/** Word writes each line of a message as a paragraph that has no space around it. */
const LINE_OF_WORD = /^Mso/;

const SEVERAL_BLANKS = /\s{2,}/g;

const BLANKS_ONLY = /^[ \t\r\n\f]*$/;

const EMPHASES: ReadonlyMap<string, Emphasis['kind']> = new Map([
	['b', 'bold'],
	['strong', 'bold'],
	['em', 'italic'],
	['i', 'italic'],
	['code', 'code'],
	['kbd', 'code'],
	['samp', 'code'],
	['tt', 'code'],
]);

/** The text of an HTML body. */
export interface HtmlText {
	/** Plain. */
	text: string;
	/** Undefined if there are too many. */
	blocks: readonly Block[] | undefined;
}

interface List {
	/** The number of the next entry, in a list with numbers. */
	number: number | undefined;
	hasEntries: boolean;
	/** How many lists it stands in. */
	level: number;
}

/** What is around a place, with what only elements ask for. */
interface HtmlPlace extends TextPlace {
	list: List | undefined;
	/** How many entries of lists are around it. */
	items: number;
}

const START: HtmlPlace = {
	...OUTSIDE,
	marks: [],
	link: undefined,
	list: undefined,
	item: undefined,
	items: 0,
	table: undefined,
	row: undefined,
	cell: undefined,
};

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
	const result = lines.result();
	if (typeof result === 'string') return { text: result.trim(), blocks: undefined };
	return { text: writePlain(result).trim(), blocks: result };
}

/** Makes blocks of the elements that are shown. */
class BlockVisitor implements ElementVisitor {
	private place = START;

	/** The places around each open element. */
	private readonly outer: HtmlPlace[] = [];

	/** Of a picture, if no other text follows it. */
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
		if (isQuote(element)) this.startQuotation();
		switch (name) {
			case 'br':
				return this.lines.breakLine(this.place);
			case 'hr':
				return this.lines.writeRule(this.place);
			case 'img':
				return this.addDescription(element);
			case 'a':
				return this.startLink(attributes);
			case 'h1':
			case 'h2':
			case 'h3':
			case 'h4':
			case 'h5':
			case 'h6':
				return this.startHeading(Number(name.charAt(1)));
			case 'pre':
				return this.startCode();
			case 'ol':
			case 'ul':
				return this.startList(name, attributes);
			case 'li':
				return this.startItem(attributes);
			case 'table':
				return this.startTable(attributes);
			case 'tr':
				return this.startRow();
			case 'td':
			case 'th':
				return this.startCell(attributes);
			default:
				return this.startEmphasis(name);
		}
	}

	endElement(element: Element): void {
		const { name } = element;
		const inner = this.place;
		this.endLineAround(name);
		this.place = this.outer.pop() ?? START;
		if (name === 'a' && inner.link) this.endLink(inner.link);
		else if (name === 'tr') this.lines.startOrEndRow(this.place);
		else if (isCell(name) && inner.cell) this.lines.endCell(inner.cell);
		else if (name === 'table' && inner.table) endTable(inner.table);
		this.lines.separate(this.breaksAround(element), this.place);
	}

	private enter(change: Partial<HtmlPlace>): void {
		// Much faster than two spreads.
		this.place = Object.assign({ ...this.place }, change);
	}

	private breaksAround({ name, tag, attributes }: Element): 0 | 1 | 2 {
		const isInnerList = isList(name) && this.place.list !== undefined;
		const isLineOfWord =
			name === 'p' && attributes.size > 0 && LINE_OF_WORD.test(attributes.get('class') ?? '');
		return isInnerList || isLineOfWord ? 1 : tag.breaks;
	}

	/** Markdown has a table and code on lines of their own. */
	private endLineAround(name: string): void {
		if (this.format === 'markdown' && (name === 'table' || name === 'pre')) this.lines.endLine();
	}

	private startQuotation(): void {
		const { container } = this.place;
		const depth = (container?.depth ?? 0) + 1;
		if (depth > MAX_QUOTATIONS) return;
		this.enter({
			container: { kind: 'quotation', outer: container, depth, marks: undefined },
		});
	}

	private startHeading(heading: number): void {
		const { table, code } = this.place;
		if (table === undefined && code === undefined) this.enter({ heading });
	}

	private startCode(): void {
		const { container, table, code } = this.place;
		if (table) table.isLayout = true;
		this.enter({ code: code ?? { container }, heading: 0 });
	}

	private startEmphasis(name: string): void {
		const kind = EMPHASES.get(name);
		if (kind === undefined) return;
		const { marks } = this.place;
		if (marks.every((mark) => mark.kind !== kind)) this.enter({ marks: [...marks, { kind }] });
	}

	private startList(name: string, attributes: Attributes): void {
		const { list: outer } = this.place;
		const level = outer === undefined ? 0 : outer.level + 1;
		const number = name === 'ol' ? (numberOf(attributes.get('start')) ?? 1) : undefined;
		this.enter({ list: { number, hasEntries: false, level } });
	}

	private startItem(attributes: Attributes): void {
		const { list, container, item: outerItem, items } = this.place;
		this.lines.startItem(list?.hasEntries ?? false, this.place);
		const number = numberOf(attributes.get('value')) ?? list?.number;
		const isNumbered = list?.number !== undefined && number !== undefined;
		if (list) list.hasEntries = true;
		if (list && isNumbered) list.number = number + 1;
		if (items >= MAX_ITEMS) return;
		const item: OpenItem = {
			kind: 'item',
			outer: container,
			outerItem,
			depth: container?.depth ?? 0,
			marker: isNumbered ? `${number}. ` : '- ',
			level: list?.level ?? 0,
			isEmpty: true,
			isStarted: false,
		};
		this.enter({ container: item, item, items: items + 1 });
	}

	private startTable(attributes: Attributes): void {
		const { table: outer } = this.place;
		if (outer) outer.isLayout = true;
		this.enter({ table: newTable(attributes), row: undefined, heading: 0 });
	}

	private startRow(): void {
		const { table } = this.place;
		this.lines.startOrEndRow(this.place);
		if (table) this.enter({ row: newRow(table) });
	}

	private startCell(attributes: Attributes): void {
		const { row, cell: outer } = this.place;
		this.lines.startCell(this.place);
		if (row) startCell(row, attributes.get('colspan'));
		this.enter({ cell: { outer, line: undefined } });
	}

	/** Links within links are none: the second one ends the first. */
	private startLink(attributes: Attributes): void {
		const { link: outer, marks } = this.place;
		if (outer) this.endLink(outer);
		const address = addressOf(attributes.get('href'));
		if (address === undefined) return;
		const { linkBefore } = this.lines;
		if (linkBefore && linkBefore.address !== address) this.lines.standApart();
		const mark = { kind: 'link', address } as const;
		const others = marks.filter(({ kind }) => kind !== 'link');
		this.enter({ link: { mark, label: '', isOver: false }, marks: [...others, mark] });
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

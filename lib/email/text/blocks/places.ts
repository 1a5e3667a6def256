import {
	OUTSIDE,
	type Block,
	type Emphasis,
	type Link,
	type ListItem,
	type Mark,
	type Surroundings,
} from './blocks';
import { isCell, type Attributes } from '../html/elements';
import { newRow, newTable, startCell, type OpenRow, type OpenTable } from './dataTables';

// Deeper than people follow.
const MAX_QUOTATIONS = 8;
const MAX_ITEMS = 8;

const NUMBER = /^ *-?\d{1,9} *$/;

const EMPHASES: ReadonlyMap<string, Emphasis['kind']> = new Map([
	['b', 'bold'],
	['strong', 'bold'],
	['del', 'struck'],
	['s', 'struck'],
	['strike', 'struck'],
	['em', 'italic'],
	['i', 'italic'],
	['code', 'code'],
	['kbd', 'code'],
	['samp', 'code'],
	['tt', 'code'],
]);

/** What is around a place in the HTML. */
export interface HtmlPlace extends Surroundings {
	/** How words are shown. */
	marks: readonly Mark[];
	link: OpenLink | undefined;
	/** The innermost list. */
	list: OpenList | undefined;
	/** The innermost entry of a list. */
	item: OpenItem | undefined;
	/** How many entries of lists are around it. */
	items: number;
	/** The innermost table. */
	table: OpenTable | undefined;
	row: OpenRow | undefined;
	cell: OpenCell | undefined;
}

/** A link that ends with its element, or before that where another one begins within it. */
export interface OpenLink {
	mark: Link;
	label: string;
	isOver: boolean;
}

export interface OpenList {
	/** The number of the next entry; undefined in a list without numbers. */
	number: number | undefined;
	hasEntries: boolean;
	/** How many lists it stands in. */
	level: number;
}

export interface OpenItem extends ListItem {
	outerItem: OpenItem | undefined;
	/** As long as no text was read in it, be it blank. */
	isEmpty: boolean;
	/** A line of it has words. */
	isStarted: boolean;
}

export interface OpenCell {
	outer: OpenCell | undefined;
	/** The line on which its text begins; undefined as long as it has none. */
	line: Block | undefined;
}

/** Nothing is around the HTML. */
export const OUTERMOST: HtmlPlace = {
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
 * The place within an element that is no link and no quotation.
 *
 * @param place around it
 * @returns the same one for an element that changes nothing
 */
export function placeWithin(place: HtmlPlace, name: string, attributes: Attributes): HtmlPlace {
	if (isCell(name)) return withinCell(place, attributes);
	switch (name) {
		case 'h1':
		case 'h2':
		case 'h3':
		case 'h4':
		case 'h5':
		case 'h6':
			return withinHeading(place, Number(name.charAt(1)));
		case 'pre':
			return withinCode(place);
		case 'ol':
		case 'ul':
			return withinList(place, name, attributes);
		case 'li':
			return withinItem(place, attributes);
		case 'table':
			return withinTable(place, attributes);
		case 'tr':
			return withinRow(place);
		default:
			return withinEmphasis(place, name);
	}
}

export function withinQuotation(place: HtmlPlace): HtmlPlace {
	const { container } = place;
	const depth = (container?.depth ?? 0) + 1;
	if (depth > MAX_QUOTATIONS) return place;
	return changed(place, {
		container: { kind: 'quotation', outer: container, depth, quoteMarks: undefined },
	});
}

/** The place within a link, of which none is within another one. */
export function withinLink(place: HtmlPlace, address: string): HtmlPlace {
	const mark: Link = { kind: 'link', address };
	const others = place.marks.filter(({ kind }) => kind !== 'link');
	return changed(place, {
		link: { mark, label: '', isOver: false },
		marks: [...others, mark],
	});
}

function withinHeading(place: HtmlPlace, heading: number): HtmlPlace {
	const { table, code } = place;
	if (table !== undefined || code !== undefined) return place;
	return changed(place, { heading });
}

function withinCode(place: HtmlPlace): HtmlPlace {
	const { container, table, code } = place;
	if (table !== undefined) table.isLayout = true;
	return changed(place, { code: code ?? { container }, heading: 0 });
}

function withinEmphasis(place: HtmlPlace, name: string): HtmlPlace {
	const kind = EMPHASES.get(name);
	if (kind === undefined) return place;
	if (place.marks.some((mark) => mark.kind === kind)) return place;
	return changed(place, { marks: [...place.marks, { kind }] });
}

function withinList(place: HtmlPlace, name: string, attributes: Attributes): HtmlPlace {
	const { list: outer } = place;
	const level = outer === undefined ? 0 : outer.level + 1;
	const number = name === 'ol' ? (numberOf(attributes.start) ?? 1) : undefined;
	return changed(place, { list: { number, hasEntries: false, level } });
}

function withinItem(place: HtmlPlace, attributes: Attributes): HtmlPlace {
	const { list, container, item: outerItem, items } = place;
	const marker = list === undefined ? '- ' : startEntry(list, attributes.value);
	if (items >= MAX_ITEMS) return place;
	const item: OpenItem = {
		kind: 'item',
		outer: container,
		outerItem,
		depth: container?.depth ?? 0,
		marker,
		level: list?.level ?? 0,
		isEmpty: true,
		isStarted: false,
	};
	return changed(place, { container: item, item, items: items + 1 });
}

/** @returns what stands before the entry */
function startEntry(list: OpenList, ownNumber: string | undefined): string {
	list.hasEntries = true;
	if (list.number === undefined) return '- ';
	const number = numberOf(ownNumber) ?? list.number;
	list.number = number + 1;
	return `${number}. `;
}

function withinTable(place: HtmlPlace, attributes: Attributes): HtmlPlace {
	const { table: outer } = place;
	if (outer !== undefined) outer.isLayout = true;
	return changed(place, { table: newTable(attributes), row: undefined, heading: 0 });
}

function withinRow(place: HtmlPlace): HtmlPlace {
	const { table } = place;
	return table === undefined ? place : changed(place, { row: newRow(table) });
}

function withinCell(place: HtmlPlace, attributes: Attributes): HtmlPlace {
	const { row, cell: outer } = place;
	if (row !== undefined) startCell(row, attributes.colspan);
	return changed(place, { cell: { outer, line: undefined } });
}

function changed(place: HtmlPlace, change: Partial<HtmlPlace>): HtmlPlace {
	// Much faster than two spreads.
	return Object.assign({ ...place }, change);
}

function numberOf(value: string | undefined): number | undefined {
	return value !== undefined && NUMBER.test(value) ? Number(value) : undefined;
}

import { readColor } from './colors';
import { readGround } from './declarations';
import { isPartOfTable, type Attributes } from '../html/elements';
import { UNKNOWN, type Values } from './visibility';

/** What an element says about its style without CSS. */
export interface Hints {
	/** What its name and attributes such as `bgcolor` declare. They count as long as no style says otherwise. */
	values: Values;
	/** Tables are as high as what stands in them, whatever they say. */
	isPartOfTable: boolean;
}

const NO_VALUES: Values = new Map();

const NO_HINTS: Hints = { values: NO_VALUES, isPartOfTable: false };
const PART_OF_TABLE: Hints = { values: NO_VALUES, isPartOfTable: true };
const LINK: Hints = { values: new Map([['color', '0000ff']]), isPartOfTable: false };
const PREFORMATTED: Hints = { values: new Map([['white-space', 'pre']]), isPartOfTable: false };

/** Different hints that are remembered; more than genuine emails have. */
const MAX_HINTS = 1000;

/** Reads hints; elements with the same ones get the same object. */
export class HintReader {
	/** Those that are not usual, by what they say. */
	private readonly others = new Map<string, Hints>();

	read(type: string, attributes: Attributes): Hints {
		const usual = usualHints(type, attributes);
		const { bgcolor: ground } = attributes;
		const color = colorOf(type, attributes);
		const isHidden = attributes.hidden !== undefined;
		if (ground === undefined && color === undefined && !isHidden) return usual;
		const values = new Map(usual.values);
		if (isHidden) values.set('display', 'none');
		if (ground !== undefined) values.set('background', readGround(plainColor(ground)));
		if (color !== undefined) values.set('color', readColor(plainColor(color)) ?? UNKNOWN);
		return this.sameAs({ values, isPartOfTable: usual.isPartOfTable });
	}

	private sameAs(hints: Hints): Hints {
		const key = `${hints.isPartOfTable} ${[...hints.values].join()}`;
		const known = this.others.get(key);
		if (known !== undefined) return known;
		if (this.others.size < MAX_HINTS) this.others.set(key, hints);
		return hints;
	}
}

/** Those that an element has by its name. */
function usualHints(type: string, attributes: Attributes): Hints {
	if (type === 'a' && attributes.href !== undefined) return LINK;
	if (type === 'pre' || type === 'xmp') return PREFORMATTED;
	return isPartOfTable(type) ? PART_OF_TABLE : NO_HINTS;
}

function colorOf(type: string, attributes: Attributes): string | undefined {
	if (type === 'body') return attributes.text;
	return type === 'font' ? attributes.color : undefined;
}

/** In attributes, the mark of a number can be missing. */
function plainColor(color: string): string {
	return color
		.trim()
		.toLowerCase()
		.replace(/^(?=[\da-f]{6}$)/, '#');
}

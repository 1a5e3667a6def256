import { CssReader, type CssTokenizer } from './css';
import {
	ANYTHING,
	couldCover,
	isBackground,
	NOTHING,
	readDeclarations,
	readGround,
	WANTED,
	type Declared,
} from './declarations';
import { readColor } from './colors';
import { isPartOfTable, type Attributes } from './elements';
import type { Limits } from './limits';
import { Sheets } from './sheets';
import { computeStyle, UNKNOWN, VISIBLE, type ComputedStyle, type Values } from './visibility';

/** Elements that differ in their attributes; more than genuine emails have. */
const MAX_KINDS = 5000;

/** Elements that declare the same. */
interface Kind {
	values: Values;
	/** The last style that was computed for one, and the style around it. */
	computed: ComputedStyle | undefined;
	outer: ComputedStyle | undefined;
}

/** The styles of an email: its style sheets, wherever they stand, and its `style` attributes. */
export class Styles {
	/** Something in the email could put another ground below any text. */
	private isCovered = false;

	private readonly sheets = new Sheets();

	/** By the values of `style` attributes. */
	private readonly attributes = new Map<string, Declared>();

	/** By what an element itself declares, and by the rest that tells them apart. */
	private readonly kinds = new Map<Declared, Map<string, Kind>>();

	/** What attributes declare, by its content. */
	private readonly contents = new Map<string, Declared>();

	/** Elements that declare nothing. */
	private readonly plain = newKind(new Map(), '');

	private kindCount = 0;

	private readonly css: CssReader | undefined;

	/** Characters of sheets and attributes that may still be read. */
	private sheetRoom: number;

	private attributeRoom: number;

	/** @param tokenizer for an email with styles */
	constructor(
		private readonly limits: Limits,
		tokenizer?: CssTokenizer,
	) {
		this.css = tokenizer && new CssReader(tokenizer, WANTED);
		this.sheetRoom = limits.styleSheets;
		this.attributeRoom = limits.styleAttributes;
	}

	/** @param media for which the whole sheet is */
	addSheet(css: string, media: string): void {
		this.sheetRoom -= css.length;
		if (!this.css || this.sheetRoom < 0) {
			this.isCovered = true;
			this.sheets.addUnread();
			return;
		}
		for (const rule of this.css.readSheet(css)) {
			this.isCovered ||= rule.declarations.some((one) => isBackground(one) || couldCover(one));
			this.sheets.addRule(rule, media);
		}
	}

	/**
	 * To be called if elements are judged before the whole email is read.
	 *
	 * @param rest the HTML that is not read yet
	 * @param isInSheet it begins within a style sheet
	 */
	startBefore(rest: string, isInSheet: boolean): void {
		this.isCovered = true;
		this.sheets.startEarly();
		if (isInSheet || /<style/i.test(rest)) this.sheets.addUnread();
	}

	/** To be called for the name of each attribute. */
	addAttribute(name: string): void {
		this.sheets.addAttribute(name);
	}

	/** Reads the attributes of an element. To be called for all elements before the first one is judged. */
	readAttributes(attributes: Attributes): Declared | undefined {
		this.isCovered ||= attributes.has('background');
		this.sheets.addElement(attributes);
		const style = attributes.get('style');
		return style === undefined ? undefined : this.readAttribute(style);
	}

	/** The style outside of all elements. Browsers read HTML without a `body` as if it had one. */
	page(): ComputedStyle {
		return { ...VISIBLE, isCovered: this.isCovered };
	}

	/**
	 * The style of an element.
	 *
	 * @param own what `readAttributes` gave for it
	 */
	styleOf(
		type: string,
		attributes: Attributes,
		own: Declared | undefined,
		outer: ComputedStyle,
	): ComputedStyle {
		if (outer.isHidden) return outer;
		const kind = this.kindOf(type, attributes, own ?? NOTHING);
		if (kind.outer !== outer || kind.computed === undefined) {
			kind.computed = computeStyle(kind.values, outer);
			kind.outer = outer;
		}
		return kind.computed;
	}

	private kindOf(type: string, attributes: Attributes, own: Declared): Kind {
		const id = attributes.get('id') ?? '';
		const classes = attributes.get('class') ?? '';
		const hints = readHints(type, attributes);
		let key = type;
		// The length is there because an ID can contain anything.
		if (id !== '' || classes !== '') key += ` ${id.length} ${id} ${classes}`;
		if (hints !== NO_HINTS) key = `${hints.key} ${key}`;
		const kinds = this.kindsOf(own);
		const known = kinds.get(key);
		if (known) return known;
		const sheets = this.sheets.blockOf(type, id, classes);
		const isPlain = hints === NO_HINTS && sheets === NOTHING && own === NOTHING;
		const kind = isPlain ? this.plain : newKind(combine(hints.values, sheets, own), type);
		kinds.set(key, kind);
		this.kindCount++;
		return kind;
	}

	private kindsOf(own: Declared): Map<string, Kind> {
		if (this.kindCount >= MAX_KINDS) {
			this.kinds.clear();
			this.kindCount = 0;
		}
		let kinds = this.kinds.get(own);
		if (kinds === undefined) {
			kinds = new Map();
			this.kinds.set(own, kinds);
		}
		return kinds;
	}

	/** One object for all declarations with the same content. */
	private sameAs(declared: Declared): Declared {
		const content = JSON.stringify([[...declared.usual], [...declared.important]]);
		const known = this.contents.get(content) ?? declared;
		this.contents.set(content, known);
		return known;
	}

	private readAttribute(style: string): Declared {
		const known = this.attributes.get(style);
		if (known) return known;
		this.attributeRoom -= style.length;
		if (!this.css || style.length > this.limits.attribute || this.attributeRoom < 0) {
			this.isCovered = true;
			return ANYTHING;
		}
		const declarations = this.css.readAttribute(style);
		this.isCovered ||= declarations.some(couldCover);
		const declared = this.sameAs(readDeclarations(declarations));
		this.attributes.set(style, declared);
		return declared;
	}
}

function newKind(values: Map<string, string>, type: string): Kind {
	// Tables are as high as what stands in them, whatever they say.
	if (isPartOfTable(type)) {
		values.delete('height');
		values.delete('max-height');
	}
	return { values, computed: undefined, outer: undefined };
}

interface Hints {
	/** Differs where the values do. */
	key: string;
	values: Values;
}

const NO_HINTS: Hints = { key: '', values: new Map() };
const LINK: Hints = { key: 'a', values: new Map([['color', '0000ff']]) };
const PREFORMATTED: Hints = { key: 'pre', values: new Map([['white-space', 'pre']]) };

/** Attributes count as long as no style says otherwise. */
function readHints(type: string, attributes: Attributes): Hints {
	const isPreformatted = type === 'pre' || type === 'xmp';
	const ground = attributes.get('bgcolor');
	const color = colorOf(type, attributes);
	const isHidden = attributes.has('hidden');
	if (ground === undefined && color === undefined && !isHidden)
		return isPreformatted ? PREFORMATTED : NO_HINTS;
	if (ground === undefined && !isHidden && color === 'blue') return LINK;
	const values = new Map<string, string>();
	if (isPreformatted) values.set('white-space', 'pre');
	if (isHidden) values.set('display', 'none');
	if (ground !== undefined) values.set('background', readGround(plainColor(ground)));
	if (color !== undefined) values.set('color', readColor(plainColor(color)) ?? UNKNOWN);
	return { key: [...values].join(), values };
}

function colorOf(type: string, attributes: Attributes): string | undefined {
	if (type === 'a' && attributes.has('href')) return 'blue';
	if (type === 'body') return attributes.get('text');
	return type === 'font' ? attributes.get('color') : undefined;
}

/** In attributes, the mark of a number can be missing. */
function plainColor(color: string): string {
	return color
		.trim()
		.toLowerCase()
		.replace(/^(?=[\da-f]{6}$)/, '#');
}

/** What counts in the end: a sheet outweighs hints, an attribute outweighs a sheet, and what is `!important` the others. */
function combine(hints: Values, sheets: Declared, own: Declared): Map<string, string> {
	const values = new Map([...hints, ...sheets.usual, ...own.usual]);
	for (const [property, value] of sheets.important) {
		const other = own.usual.get(property) ?? sheets.usual.get(property) ?? value;
		values.set(property, other === value ? value : UNKNOWN);
	}
	for (const [property, value] of own.important) values.set(property, value);
	return values;
}

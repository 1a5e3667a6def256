import { CssReader, type CssTokenizer } from './css';
import {
	ANYTHING,
	couldCover,
	DeclarationReader,
	isBackground,
	NOTHING,
	WANTED,
	type Declared,
} from './declarations';
import type { Attributes } from '../html/elements';
import { HintReader, type Hints } from './hints';
import type { Limits } from '../htmlLimits';
import { PairMemory } from './pairMemory';
import { Sheets } from './sheets';
import { computeStyle, UNKNOWN, VISIBLE, type ComputedStyle, type Values } from './visibility';

/** How many combinations each memory below keeps; more than genuine emails have. */
const MAX_KINDS = 5000;

/** Elements that declare the same. */
interface Kind {
	values: Values;
	/** The last style that was computed for one; undefined before the first. */
	computed: ComputedStyle | undefined;
	/** Around the element for which it was computed. */
	outer: ComputedStyle | undefined;
}

/** The styles of an email: its style sheets, wherever they stand, and its `style` attributes. */
export class Styles {
	/** Whether something in the email could put another background below any text. */
	private isCovered = false;

	private readonly declarations = new DeclarationReader();

	private readonly sheets = new Sheets(this.declarations);

	/** By the text of `style` attributes. */
	private readonly byStyleText = new Map<string, Declared>();

	/** Results of `combine`, by what the rules for an element declare and what its own attribute declares. */
	private readonly combined = new PairMemory<Values>(MAX_KINDS);

	/** By hints, and by what outweighs them. */
	private readonly kinds = new PairMemory<Kind>(MAX_KINDS);

	private readonly hints = new HintReader();

	private readonly css: CssReader | undefined;

	/** How many characters of style sheets may still be read. */
	private sheetRoom: number;

	/** How many characters of different `style` attributes may still be read. */
	private attributeRoom: number;

	/** @param tokenizer for an email with styles */
	constructor(
		private readonly limits: Limits,
		tokenizer?: CssTokenizer,
	) {
		this.css = tokenizer && new CssReader(tokenizer, WANTED, limits.nesting);
		this.sheetRoom = limits.styleSheets;
		this.attributeRoom = limits.styleAttributes;
	}

	/** @param media the attribute of its element; `''` without one */
	addSheet(css: string, media: string): void {
		this.sheetRoom -= css.length;
		if (!this.css || this.sheetRoom < 0) {
			this.addUnread();
			return;
		}
		const { rules, isWhole } = this.css.readSheet(css, media);
		for (const rule of rules) {
			// Any element may have this background.
			this.isCovered ||= rule.declarations.some((one) => isBackground(one) || couldCover(one));
			this.sheets.addRule(rule);
		}
		if (!isWhole) this.addUnread();
	}

	/** Rules that are not read hide nothing: they could show any element again, and put a background below any text. */
	private addUnread(): void {
		this.isCovered = true;
		this.sheets.addUnread();
	}

	/**
	 * To be called if elements are judged before the whole email is read.
	 *
	 * @param rest the HTML that is not read yet
	 * @param isInSheet it begins within a style sheet
	 */
	startEarly(rest: string, isInSheet: boolean): void {
		this.isCovered = true;
		this.sheets.startEarly();
		if (isInSheet || /<style/i.test(rest)) this.sheets.addUnread();
	}

	/** To be called for the name of each attribute. */
	addAttributeName(name: string): void {
		this.sheets.addAttributeName(name);
	}

	/** Reads the attributes of an element. To be called for all elements before the first one is judged. */
	readAttributes(attributes: Attributes): Declared | undefined {
		this.isCovered ||= attributes.background !== undefined;
		this.sheets.addElement(attributes);
		const { style } = attributes;
		return style === undefined ? undefined : this.readStyleAttribute(style);
	}

	/** The style outside of all elements. */
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
		const hints = this.hints.read(type, attributes);
		const values = this.declaredFor(type, attributes, own ?? NOTHING);
		if (hints.values.size === 0 && values.size === 0) return outer;
		const kind = this.kindOf(hints, values);
		if (kind.outer !== outer || kind.computed === undefined) {
			kind.computed = computeStyle(kind.values, outer);
			kind.outer = outer;
		}
		return kind.computed;
	}

	/** What the rules for an element and its own attribute declare; the same object for elements that declare the same. */
	private declaredFor(type: string, attributes: Attributes, own: Declared): Values {
		const { id = '', class: classes = '' } = attributes;
		const rules = this.sheets.declaredFor(type, id, classes);
		if (rules === NOTHING && own.important.size === 0) return own.usual;
		const known = this.combined.get(rules, own);
		if (known !== undefined) return known;
		const values = combine(rules, own);
		this.combined.set(rules, own, values);
		return values;
	}

	private kindOf(hints: Hints, combined: Values): Kind {
		const known = this.kinds.get(hints, combined);
		if (known !== undefined) return known;
		const values = new Map([...hints.values, ...combined]);
		if (hints.isPartOfTable) {
			values.delete('height');
			values.delete('max-height');
		}
		const kind: Kind = { values, computed: undefined, outer: undefined };
		this.kinds.set(hints, combined, kind);
		return kind;
	}

	private readStyleAttribute(style: string): Declared {
		const known = this.byStyleText.get(style);
		if (known) return known;
		this.attributeRoom -= style.length;
		if (!this.css || style.length > this.limits.attribute || this.attributeRoom < 0) {
			this.isCovered = true;
			return ANYTHING;
		}
		const declarations = this.css.readAttribute(style);
		this.isCovered ||= declarations.some(couldCover);
		const declared = this.declarations.read(declarations);
		this.byStyleText.set(style, declared);
		return declared;
	}
}

/**
 * What counts in the end: an attribute outweighs a sheet, and its `!important` outweighs all. If the `!important` of a sheet differs from
 * the rest, neither is certain.
 */
function combine(rules: Declared, own: Declared): Values {
	const values = new Map([...rules.usual, ...own.usual]);
	for (const [property, value] of rules.important) {
		// Other rules may outweigh this one, so neither value is certain.
		const other = values.get(property) ?? value;
		values.set(property, other === value ? value : UNKNOWN);
	}
	for (const [property, value] of own.important) values.set(property, value);
	return values;
}

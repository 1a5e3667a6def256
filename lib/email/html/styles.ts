import type { CssReader, Declaration, Rule } from './css';
import type { Attributes } from './elements';
import type { Limits, HtmlReading } from './limits';
import { DESKTOP, matchMedia, PHONE } from './media';
import { MAYBE, NO, YES, type Place, type ReadSelector, type Selectors } from './selectors';
import { expand, isRead, readValue, UNREADABLE } from './values';

/** The properties that decide whether an element is seen, and how its blanks count, by name. */
export type Values = ReadonlyMap<string, string>;

export interface Styles {
	values: Values;
	/** The values that it has as well if what could not be read in full is taken for something that hides. */
	alternatives: readonly Values[];
	/** It has more of these than is looked at, or something that is not read. */
	isUnknown: boolean;
	/** Something that could not be read sets a background. */
	isGroundUnknown: boolean;
}

/** Set for an element that phones show though others hide it. */
export const SHOWN_ELSEWHERE = 'shown-elsewhere';

interface Declared {
	value: string;
	/** The heaviest counts, and of equals the last (CSS Cascade 4, 6.1). */
	weight: number;
}

/** The declarations of a rule or attribute, by property. */
interface Block {
	sure: Map<string, Declared>;
	/** Values that it could have instead. */
	alternatives: Array<Map<string, Declared>>;
}

const NO_STYLES: Styles = {
	values: new Map(),
	alternatives: [],
	isUnknown: false,
	isGroundUnknown: false,
};

const NO_HINTS: ReadonlyArray<[string, string]> = [];

const ONE_OF = /^(?:min|max|clamp)\(([^()]{1,100})\)$/;

/** Rules that set nothing that is read, or that browsers leave out. */
const WITHOUT_STYLES =
	/^(?:-|charset|counter-style|font-|import|keyframes|namespace|page|property|viewport)/;

// The order of rules, their specificity, styles of the element itself, and what is important have their own digits.
const [ORDER, SPECIFICITY, INLINE, IMPORTANT] = [2 ** 12, 2 ** 30, 2 ** 48, 2 ** 50];

/** So many comparisons take as long. */
const WORK_OF_ALTERNATIVE = 20;

/** Styles that are kept for elements that have the same; more than genuine emails have. */
const MAX_KNOWN = 5000;

// Reading this many takes a few milliseconds.
const RULES_BETWEEN_PAUSES = 1000;

interface StyleRule {
	declarations: readonly Declaration[];
	weight: number;
	match: number;
	/** See `ReadSelector`. */
	isOfBox: boolean;
	/** Only phones apply it. */
	isOfPhones: boolean;
	block: Block | undefined;
}

/** What is around a rule. */
interface Scope {
	match: number;
	isOfPhones: boolean;
	selectors: ReadSelector[] | undefined;
}

/** The rules of all style sheets of an email, wherever they stand, and of its `style` attributes. */
export class StyleSheet {
	/** Styles were not read because of a limit. */
	isCut = false;

	/** By the last part of their selector. */
	private readonly rules = new Map<number, StyleRule[]>();

	private count = 0;

	/** By the rules and attributes they come from: most elements have the styles of others. */
	private readonly known = new Map<string, Styles>();

	private inlineLength = 0;

	/** Of elements whose attribute is not read. */
	private readonly unknown: Styles = { ...NO_STYLES, isUnknown: true };

	private readonly limits: Limits;

	constructor(
		private readonly css: CssReader | undefined,
		private readonly selectors: Selectors | undefined,
		private readonly reading: HtmlReading,
	) {
		this.limits = reading.limits;
	}

	/** The styles of an element: of the rules that match it, and of its own attributes. */
	stylesOf(name: string, attributes: Attributes, place: Place | undefined): Styles {
		const style = attributes.get('style');
		const hints = hintsOf(name, attributes);
		const isPlain = hints.length === 0 && !place?.matches.size;
		if (isPlain && style === undefined) return NO_STYLES;
		const matches = [...(place?.matches ?? [])];
		const key = isPlain ? `style:${style}` : JSON.stringify([matches, hints, style]);
		const known = this.known.get(key);
		if (known) return known;
		const { length } = style ?? '';
		this.inlineLength += length;
		const isTooLong =
			length > this.limits.attribute || this.inlineLength > this.limits.styleAttributes;
		if (length > 0 && isTooLong) return this.unknown;
		const cascade = new Cascade();
		for (const [property, value] of hints) put(cascade.sure, property, { value, weight: -1 });
		for (const [part, match] of matches) {
			const rules = this.rules.get(part) ?? [];
			this.selectors?.spend(rules.length);
			for (const rule of rules) this.apply(rule, match, cascade);
		}
		if (style !== undefined) {
			const { declarations } = this.css?.read(style, false) ?? { declarations: [] };
			cascade.add(this.readBlock(declarations), INLINE);
		}
		const styles = cascade.result(this.limits.alternatives);
		this.selectors?.spend(styles.alternatives.length * WORK_OF_ALTERNATIVE);
		if (this.known.size >= MAX_KNOWN) this.known.clear();
		this.known.set(key, styles);
		return styles;
	}

	/** @param match whether the whole sheet applies */
	async addSheet(css: string, media: string, match: number): Promise<void> {
		const rules = this.css?.read(css, true).rules ?? [];
		const whole = { name: 'media', prelude: media, declarations: [], rules };
		await this.addRules([whole], { match, isOfPhones: false, selectors: undefined });
	}

	private async addRules(rules: readonly Rule[], scope: Scope): Promise<void> {
		const { pace } = this.reading;
		for (const rule of rules) {
			if (pace.isDue(1 / RULES_BETWEEN_PAUSES)) await pace.pause();
			const { name, prelude, declarations } = rule;
			if (name === '') await this.addRule(rule, scope);
			else if (!WITHOUT_STYLES.test(name)) {
				const media = name === 'media' ? matchMedia(prelude, DESKTOP) : MAYBE;
				const isOfPhones = media === NO && matchMedia(prelude, PHONE) > NO;
				const inner = {
					match: isOfPhones ? scope.match : Math.min(media, scope.match),
					isOfPhones: isOfPhones || scope.isOfPhones,
					selectors: scope.selectors,
				};
				if (inner.match === NO) continue;
				this.addDeclarations(declarations, inner);
				await this.addRules(rule.rules, inner);
			}
		}
	}

	private async addRule({ prelude, declarations, rules }: Rule, scope: Scope): Promise<void> {
		if (rules.length === 0 && !hasRead(declarations)) return;
		const selectors = this.selectors?.read(prelude, scope.selectors !== undefined);
		this.isCut ||= selectors === undefined;
		if (!selectors) return;
		const inner = { ...scope, selectors };
		this.addDeclarations(declarations, inner);
		await this.addRules(rules, inner);
	}

	private addDeclarations(
		declarations: readonly Declaration[],
		{ selectors, match, isOfPhones }: Scope,
	): void {
		if (!hasRead(declarations)) return;
		this.count++;
		for (const { part, isOfBox, weight: specificity } of selectors ?? []) {
			const weight = specificity * SPECIFICITY + this.count * ORDER;
			const rule = { declarations, weight, match, isOfBox, isOfPhones, block: undefined };
			const others = this.rules.get(part);
			if (others) others.push(rule);
			else this.rules.set(part, [rule]);
		}
	}

	private apply(rule: StyleRule, match: number, cascade: Cascade): void {
		const block = (rule.block ??= this.readBlock(rule.declarations));
		if (rule.isOfPhones) {
			const display = block.sure.get('display');
			if (display && display.value !== 'none') cascade.sure.set(SHOWN_ELSEWHERE, display);
		} else if (rule.isOfBox) cascade.isGroundUnknown ||= isPainted(block.sure);
		else if (Math.min(rule.match, match) === YES) cascade.add(block, rule.weight);
		else for (const doubt of [block.sure, ...block.alternatives]) cascade.doubt(doubt, rule.weight);
	}

	private readBlock(declarations: readonly Declaration[]): Block {
		const block: Block = { sure: new Map(), alternatives: [] };
		for (const [index, { property, value, isImportant }] of declarations.entries()) {
			const weight = Math.min(index, ORDER - 1) + (isImportant ? IMPORTANT : 0);
			const isLong = value.length > this.limits.selectors;
			// One of several lengths.
			const values = ONE_OF.exec(value)?.[1]?.split(',') ?? [isLong ? UNREADABLE : value];
			for (const [number, one] of values.entries()) {
				for (const [name, longhand, isSure] of expand(property, one.trim())) {
					const read = readValue(name, longhand);
					if (read === undefined) continue;
					const declared = { value: read.value, weight };
					// What some programs read does not take the place of what cannot be read.
					const place = values.length > 1 ? number + 2 : read.value === longhand ? 0 : 1;
					if (isSure && read.isSure && values.length === 1) put(block.sure, name, declared);
					else put((block.alternatives[place] ??= new Map()), name, declared);
				}
			}
		}
		// Values that browsers leave out have left gaps.
		return { ...block, alternatives: block.alternatives.filter(Boolean) };
	}
}

/** The declarations that apply to an element, in the order of the cascade. */
class Cascade {
	readonly sure = new Map<string, Declared>();

	isGroundUnknown = false;

	private readonly doubts: Array<{ declared: Map<string, Declared>; weight: number }> = [];

	add({ sure, alternatives }: Block, weight: number): void {
		for (const [property, { value, weight: own }] of sure) {
			put(this.sure, property, { value, weight: own + weight });
		}
		for (const one of alternatives) this.doubt(one, weight);
	}

	doubt(declared: Map<string, Declared>, weight: number): void {
		if (declared.size > 0) this.doubts.push({ declared, weight });
	}

	result(limit: number): Styles {
		const values = valuesOf(this.sure);
		const isUnknown = this.doubts.length > limit;
		const all = new Map(this.sure);
		const alternatives: Values[] = [];
		for (const { declared, weight } of isUnknown ? [] : this.doubts) {
			const alternative = new Map(this.sure);
			const isGround = declared.has('background-color') || declared.has('background-image');
			this.isGroundUnknown ||= isGround;
			for (const [property, { value, weight: own }] of declared) {
				put(alternative, property, { value, weight: own + weight });
				put(all, property, { value, weight: own + weight });
			}
			alternatives.push(valuesOf(alternative));
		}
		if (alternatives.length > 1) alternatives.push(valuesOf(all));
		return { values, alternatives, isUnknown, isGroundUnknown: this.isGroundUnknown };
	}
}

/** What attributes say about styles counts as long as no rule says otherwise. */
function hintsOf(name: string, attributes: Attributes): ReadonlyArray<[string, string]> {
	if (attributes.size === 0 && name !== 'dialog') return NO_HINTS;
	const hints: Array<[string, string]> = [];
	const hint = (property: string, value: string | undefined) => {
		if (value !== undefined) hints.push([property, value.trim().toLowerCase()]);
	};
	if (name === 'a' && attributes.has('href')) hint('color', 'linktext');
	if (name === 'img') for (const side of ['height', 'width']) hint(side, attributes.get(side));
	hint('color', attributes.get(name === 'body' ? 'text' : 'color'));
	hint('background-color', attributes.get('bgcolor'));
	if (attributes.has('background')) hint('background-image', 'image');
	const isClosed = name === 'dialog' && !attributes.has('open');
	if (isClosed || attributes.has('hidden') || attributes.has('popover')) hint('display', 'none');
	return hints;
}

function hasRead(declarations: readonly Declaration[]): boolean {
	return declarations.some(({ property }) => isRead(property));
}

function put(into: Map<string, Declared>, property: string, declared: Declared): void {
	if (declared.weight >= (into.get(property)?.weight ?? -1)) into.set(property, declared);
}

function valuesOf(declared: ReadonlyMap<string, Declared>): Values {
	return new Map([...declared].map(([property, { value }]) => [property, value]));
}

function isPainted(declared: ReadonlyMap<string, Declared>): boolean {
	const color = declared.get('background-color')?.value ?? 'transparent';
	return (
		!/^(?:transparent|initial)$/.test(color) || declared.get('background-image')?.value === 'image'
	);
}

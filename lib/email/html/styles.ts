import type { CssReader, Declaration, Rule } from './css';
import type { Attributes } from './elements';
import type { HtmlReading, Limits } from './limits';
import type { Place } from './matching';
import { DESKTOP, matchMedia, PHONE } from './media';
import { MAYBE, NO, YES, type Part, type ReadSelector, type Selectors } from './selectors';
import { isRead, readDeclaration, UNREADABLE } from './values';

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

type Declarations = ReadonlyMap<string, Declared>;

/** The declarations of a rule or attribute, by property: those that count for sure, and those that could count instead. */
type Block = readonly [sure: Declarations, ...alternatives: Declarations[]];

const NO_STYLES: Styles = {
	values: new Map(),
	alternatives: [],
	isUnknown: false,
	isGroundUnknown: false,
};

const NO_HINTS: ReadonlyMap<string, string> = new Map();

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

/** What is around a rule. */
interface Scope {
	match: number;
	/** Only phones apply it. */
	isOfPhones: boolean;
	selectors: ReadSelector[] | undefined;
}

interface StyleRule extends Scope, Pick<ReadSelector, 'isOfBox'> {
	declarations: readonly Declaration[];
	weight: number;
	block: Block | undefined;
}

/** The rules of all style sheets of an email, wherever they stand, and of its `style` attributes. */
export class StyleSheet {
	/** Styles were not read because of a limit. */
	isCut = false;

	/** By the last part of their selector. */
	private readonly rules = new Map<Part, StyleRule[]>();

	private count = 0;

	/** By the rules and attributes they come from: most elements have the styles of others. */
	private readonly known = new Map<string, Styles>();

	private inlineLength = 0;

	/** Of elements whose attribute is not read. */
	private readonly unknown: Styles = { ...NO_STYLES, isUnknown: true };

	private readonly limits: Limits;

	constructor(
		private readonly reading: HtmlReading,
		private readonly css?: CssReader,
		private readonly selectors?: Selectors,
	) {
		this.limits = reading.limits;
	}

	/** The styles of an element: of the rules that match it, and of its own attributes. */
	stylesOf(name: string, attributes: Attributes, place: Place | undefined): Styles {
		const style = attributes.get('style');
		const hints = hintsOf(name, attributes);
		const isPlain = hints.size === 0 && !place?.matches.size;
		if (isPlain && style === undefined) return NO_STYLES;
		const matches = [...(place?.matches ?? [])];
		const numbers = matches.map(([{ number }, match]) => [number, match]);
		const key = isPlain ? `style:${style}` : JSON.stringify([numbers, [...hints], style]);
		const known = this.known.get(key);
		if (known) return known;
		const { length } = style ?? '';
		this.inlineLength += length;
		const isTooLong =
			length > this.limits.attribute || this.inlineLength > this.limits.styleAttributes;
		if (length > 0 && isTooLong) return this.unknown;
		const cascade = new Cascade(this.limits.alternatives);
		for (const [property, value] of hints) put(cascade.sure, property, { value, weight: -1 });
		for (const [part, match] of matches) {
			const rules = this.rules.get(part) ?? [];
			this.selectors?.spend(rules.length);
			for (const rule of rules) this.apply(rule, match, cascade);
		}
		if (style !== undefined && this.css)
			cascade.add(this.readBlock(this.css.read(style, false).declarations), INLINE);
		const styles = cascade.result();
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
			const inner = rule.name === '' ? this.ofSelectors(rule, scope) : ofCondition(rule, scope);
			if (!inner) continue;
			this.addDeclarations(rule.declarations, inner);
			await this.addRules(rule.rules, inner);
		}
	}

	private ofSelectors({ prelude, declarations, rules }: Rule, scope: Scope): Scope | undefined {
		if (rules.length === 0 && !hasRead(declarations)) return undefined;
		const selectors = this.selectors?.read(prelude, scope.selectors !== undefined);
		this.isCut ||= selectors === undefined;
		return selectors && { ...scope, selectors };
	}

	private addDeclarations(declarations: readonly Declaration[], scope: Scope): void {
		if (!hasRead(declarations)) return;
		this.count++;
		for (const { part, isOfBox, weight: specificity } of scope.selectors ?? []) {
			const weight = specificity * SPECIFICITY + this.count * ORDER;
			const rule = { ...scope, declarations, weight, isOfBox, block: undefined };
			const others = this.rules.get(part);
			if (others) others.push(rule);
			else this.rules.set(part, [rule]);
		}
	}

	private apply(rule: StyleRule, match: number, cascade: Cascade): void {
		const block = (rule.block ??= this.readBlock(rule.declarations));
		const [sure] = block;
		if (rule.isOfPhones) {
			const display = sure.get('display');
			if (display && display.value !== 'none') cascade.sure.set(SHOWN_ELSEWHERE, display);
		} else if (rule.isOfBox) cascade.isGroundUnknown ||= isPainted(sure);
		else if (Math.min(rule.match, match) === YES) cascade.add(block, rule.weight);
		else cascade.doubt(block, rule.weight);
	}

	private readBlock(declarations: readonly Declaration[]): Block {
		const sure = new Map<string, Declared>();
		const alternatives: Array<Map<string, Declared>> = [];
		for (const [index, { property, value, isImportant }] of declarations.entries()) {
			const weight = Math.min(index, ORDER - 1) + (isImportant ? IMPORTANT : 0);
			const written = value.length > this.limits.selectors ? UNREADABLE : value;
			for (const { name, value: read, alternative } of readDeclaration(property, written)) {
				const into = alternative === undefined ? sure : (alternatives[alternative] ??= new Map());
				put(into, name, { value: read, weight });
			}
		}
		// Values that browsers leave out have left gaps.
		return [sure, ...alternatives.filter(Boolean)];
	}
}

/** @returns undefined if nobody applies the rules within */
function ofCondition({ name, prelude }: Rule, scope: Scope): Scope | undefined {
	if (WITHOUT_STYLES.test(name)) return undefined;
	const media = name === 'media' ? matchMedia(prelude, DESKTOP) : MAYBE;
	const isOfPhones = media === NO && matchMedia(prelude, PHONE) > NO;
	const match = isOfPhones ? scope.match : Math.min(media, scope.match);
	return match === NO ? undefined : { ...scope, match, isOfPhones: isOfPhones || scope.isOfPhones };
}

/** The declarations that apply to an element, in the order of the cascade. */
class Cascade {
	readonly sure = new Map<string, Declared>();

	isGroundUnknown = false;

	private readonly doubts: Declarations[] = [];

	/** @param limit of doubts */
	constructor(private readonly limit: number) {}

	add([sure, ...alternatives]: Block, weight: number): void {
		merge(this.sure, sure, weight);
		this.doubt(alternatives, weight);
	}

	doubt(declared: readonly Declarations[], weight: number): void {
		for (const one of declared) {
			if (one.size > 0 && this.doubts.length <= this.limit)
				this.doubts.push(merge(new Map(), one, weight));
		}
	}

	result(): Styles {
		const isUnknown = this.doubts.length > this.limit;
		const doubts = isUnknown ? [] : this.doubts;
		const alternatives = doubts.map((one) => this.valuesWith([one]));
		if (doubts.length > 1) alternatives.push(this.valuesWith(doubts));
		const isGroundUnknown =
			this.isGroundUnknown ||
			doubts.some((one) => one.has('background-color') || one.has('background-image'));
		return { values: this.valuesWith([]), alternatives, isUnknown, isGroundUnknown };
	}

	private valuesWith(others: readonly Declarations[]): Values {
		const declared = new Map(this.sure);
		for (const one of others) merge(declared, one);
		return new Map([...declared].map(([property, { value }]) => [property, value]));
	}
}

/** What attributes say about styles counts as long as no rule says otherwise. */
function hintsOf(name: string, attributes: Attributes): ReadonlyMap<string, string> {
	const hasOnlyStyle = attributes.size === (attributes.has('style') ? 1 : 0);
	if (hasOnlyStyle && name !== 'dialog') return NO_HINTS;
	const hints = new Map<string, string>();
	const hint = (property: string, value: string | undefined) => {
		if (value !== undefined) hints.set(property, value.trim().toLowerCase());
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

function merge(into: Map<string, Declared>, declarations: Declarations, weight = 0): Declarations {
	for (const [property, { value, weight: own }] of declarations)
		put(into, property, { value, weight: own + weight });
	return into;
}

function isPainted(declared: Declarations): boolean {
	const color = declared.get('background-color')?.value ?? 'transparent';
	return (
		!/^(?:transparent|initial)$/.test(color) || declared.get('background-image')?.value === 'image'
	);
}

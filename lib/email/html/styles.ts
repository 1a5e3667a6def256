import { readColor } from './colors';
import type { Attributes } from './elements';

/** The properties that decide whether an element is seen, and how its blanks count, by name, in lower case. */
export type Styles = ReadonlyMap<string, string>;

/** Set for an element that phones, for example, show though others hide it. */
export const SHOWN_ELSEWHERE = 'shown-elsewhere';

interface Declared {
	value: string;
	/** The heaviest counts, and of equals the last (CSS Cascade 4, 6.1). */
	weight: number;
}

type Declarations = Map<string, Declared>;

const PROPERTIES: ReadonlySet<string> = new Set(
	(
		'background background-color background-image clip clip-path color content-visibility display filter font font-size ' +
		'height left max-height max-width margin-left margin-top opacity overflow overflow-x overflow-y position right ' +
		'scale text-indent top transform visibility white-space width'
	).split(' '),
);

const NO_STYLES: Styles = new Map();

/** Comments, which can be for Outlook, and elements whose content is no HTML. */
const ELEMENT =
	/<!(?=--)[^]*?(?:-->|$)|<(script|style|textarea|title|xmp)(?=[\s/>])([^>]*)>?([^]*?)(?:<\/\1|$)/gi;

const NO_CSS = /\/\*[^]*?(?:\*\/|$)|<!--|-->|\\(?:([\da-f]{1,6})\s?|(.))/gi;

interface Rule {
	/** Applies within elements of all these selectors only; their order is not looked at. */
	ancestors: string[];
	within: string;
	declarations: Declarations;
}

/** What stands between braces. */
interface Block {
	/** Empty for a rule within a rule, which is not read. */
	prelude: string;
	/** What `@media` holds under a condition is for some readers only. */
	isForAll: boolean;
	isForAllWithin: boolean;
}

/** `*`, `p`, `.class`, `p.class` and `#id`. Rules with anything else, such as `:hover` and `+`, are ignored. */
const SELECTOR = /^(?:\*|(?:[a-z][\w-]*)?(?:\.[\w-]+)?|#[\w-]+)$/i;

// More than any email has.
const MAX_SELECTORS = 20_000;
const MAX_RULES = 16;
const MAX_ANCESTORS = 4;

const IMPORTANT = 1e9;
const INLINE = 1e8;
const OF_ID = 1e7;
const OF_CLASS = 1e6;
const OF_ELEMENT = 1e5;

/** The rules of all `style` elements of an email, wherever they stand, and of its `style` attributes. */
export class StyleSheet {
	/** By the selector of the element itself. */
	private readonly rules = new Map<string, Rule[]>();

	/** How many elements are open of each selector that rules name around others. */
	private readonly open = new Map<string, number>();

	private selectors = 0;

	constructor(html: string) {
		for (const [, name, attributes = '', css = ''] of html.matchAll(ELEMENT)) {
			const query = /\smedia\s*=\s*["']?([^"'>]*)/i.exec(attributes)?.[1];
			const isStyle = name?.toLowerCase() === 'style';
			if (isStyle && isMediaOfAll(query ?? '')) this.addRules(withoutComments(css));
		}
	}

	/** The styles of an element: of the rules for its name, classes and ID, and of its own attribute. */
	stylesOf(name: string, attributes: Attributes): Styles {
		const style = attributes.get('style');
		const declared = stylesOfAttributes(name, attributes);
		for (const key of this.rules.size === 0 ? [] : keysOf(name, attributes)) {
			for (const { ancestors, declarations } of this.rules.get(key) ?? []) {
				if (ancestors.every((one) => this.open.get(one))) merge(declared, declarations, 0);
			}
		}
		if (style !== undefined) merge(declared, readDeclarations(withoutComments(style)), INLINE);
		if (declared.size === 0) return NO_STYLES;
		return new Map([...declared].map(([property, { value }]) => [property, value]));
	}

	/** Called where an element begins (1), and where it ends (-1). */
	count(name: string, attributes: Attributes, change: 1 | -1): void {
		if (this.open.size === 0) return;
		for (const key of keysOf(name, attributes)) {
			const count = this.open.get(key);
			if (count !== undefined) this.open.set(key, count + change);
		}
	}

	private addRules(css: string): void {
		const blocks: Block[] = [];
		let start = 0;
		for (const { 0: brace, index } of css.matchAll(/[{}]|$/g)) {
			const text = css.slice(start, index);
			const end = brace === '{' ? text.lastIndexOf(';') + 1 : text.length;
			const block = blocks.at(-1);
			if (block) this.addRule(block, text.slice(0, end));
			if (brace === '{') blocks.push(newBlock(text.slice(end).trim(), block));
			else blocks.pop();
			start = index + 1;
		}
	}

	private addRule({ prelude, isForAll }: Block, body: string): void {
		const declared = readDeclarations(body);
		const display = declared.get('display');
		if (!isForAll) {
			declared.clear();
			if (display && display.value !== 'none') declared.set(SHOWN_ELSEWHERE, display);
		}
		if (declared.size === 0 || /^(?:@|$)/.test(prelude)) return;
		for (const written of prelude.split(',')) {
			const parts = written
				.replace(/>/g, ' ')
				.trim()
				.split(/\s+/, MAX_ANCESTORS + 2);
			const isRead =
				parts.length <= MAX_ANCESTORS + 1 && parts.every((part) => SELECTOR.test(part));
			if (isRead && ++this.selectors <= MAX_SELECTORS) this.addSelector(parts.map(toKey), declared);
		}
	}

	private addSelector(keys: string[], declared: Declarations): void {
		const key = keys.at(-1) ?? '';
		const ancestors = keys.slice(0, -1);
		const within = ancestors.join(' ');
		const rules = this.rules.get(key) ?? [];
		let rule = rules.find((one) => one.within === within);
		if (!rule) {
			if (rules.length >= MAX_RULES && within !== '') return;
			rule = { ancestors, within, declarations: new Map() };
			this.rules.set(key, [...rules, rule]);
			for (const one of ancestors) this.open.set(one, 0);
		}
		const weight = keys.reduce((sum, one) => sum + weightOf(one), this.selectors);
		merge(rule.declarations, declared, weight);
	}
}

function newBlock(written: string, outer: Block | undefined): Block {
	const prelude = outer && !outer.prelude.startsWith('@') ? '' : written;
	const query = /^@media\b(.*)$/is.exec(prelude)?.[1];
	const isForAll = outer?.isForAllWithin ?? true;
	const isForAllWithin = isForAll && query !== undefined && isMediaOfAll(query);
	return { prelude, isForAll, isForAllWithin };
}

/** Names of elements are the same in any case, those of classes are not. */
function toKey(selector: string): string {
	return selector.replace(/^[a-z][\w-]*/i, (name) => name.toLowerCase());
}

function weightOf(key: string): number {
	if (key === '*') return 0;
	if (key.startsWith('#')) return OF_ID;
	return (key.startsWith('.') ? 0 : OF_ELEMENT) + (key.includes('.') ? OF_CLASS : 0);
}

/** What attributes say about styles counts as long as no rule says otherwise. */
function stylesOfAttributes(name: string, attributes: Attributes): Declarations {
	const declarations: Declarations = new Map();
	if (attributes.size === 0) return declarations;
	const declare = (property: string, value: string | undefined) => {
		if (value !== undefined) declarations.set(property, { value, weight: 0 });
	};
	if (name === 'a' && attributes.has('href')) declare('color', 'linktext');
	if (name === 'img') for (const side of ['height', 'width']) declare(side, attributes.get(side));
	declare('color', attributes.get(name === 'body' ? 'text' : 'color'));
	declare('background-color', attributes.get('bgcolor'));
	if (attributes.has('background')) declare('background-image', 'image');
	if (attributes.has('hidden')) declare('display', 'none');
	return declarations;
}

function keysOf(name: string, attributes: Attributes): string[] {
	const keys = ['*', name, `#${attributes.get('id')?.trim()}`];
	const classes = attributes.get('class');
	if (classes === undefined) return keys;
	for (const one of new Set(classes.split(/\s+/))) keys.push(`.${one}`, `${name}.${one}`);
	return keys;
}

function merge(into: Declarations, declarations: Declarations, weight: number): void {
	for (const [property, declared] of declarations) {
		const heavier = declared.weight + weight;
		if (heavier < (into.get(property)?.weight ?? 0)) continue;
		into.set(property, { value: declared.value, weight: heavier });
	}
}

function readDeclarations(written: string): Declarations {
	const declarations: Declarations = new Map();
	for (const part of written.split(';')) {
		const colon = part.indexOf(':');
		const property = part.slice(0, Math.max(colon, 0)).trim().toLowerCase();
		if (!PROPERTIES.has(property)) continue;
		const [value = '', important] = part
			.slice(colon + 1)
			.toLowerCase()
			.split('!', 2);
		const weight = important === undefined ? 0 : IMPORTANT;
		const expanded = expand(property, value.trim());
		merge(declarations, new Map(expanded.map(([name, one]) => [name, { value: one, weight }])), 0);
	}
	return declarations;
}

/** Shorthands as the properties that are read. */
function expand(property: string, value: string): Array<[string, string]> {
	if (property === 'font') {
		const size = /(?:^|\s)((?:\d*\.)?\d+(?:%|[a-z]+)|0)(?=[\s/]|$)/.exec(value)?.[1];
		return size === undefined ? [] : [['font-size', size]];
	}
	if (property !== 'background') return [[property, value]];
	const isImage = /url\(|gradient\(|image/.test(value);
	const parts = value.match(/[a-z]+\([^()]*\)|\S+/g) ?? [];
	const color = parts.find((part) => readColor(part) !== undefined);
	const isNone = /^(?:none|0|initial|unset)?$/.test(value);
	return [
		['background-image', isImage ? 'image' : 'none'],
		['background-color', color ?? (isNone ? 'transparent' : value)],
	];
}

/** Without a condition, or with one that holds on every screen. */
function isMediaOfAll(query: string): boolean {
	const lists = query.toLowerCase().split(',');
	return lists.some((list) => list.split(' and ').every((part) => holdsEverywhere(part.trim())));
}

function holdsEverywhere(condition: string): boolean {
	if (/^(?:only )?(?:all|screen)?$/.test(condition)) return true;
	const [, bound, pixels] =
		/^\((min|max)-(?:device-)?width\s*:\s*(\d{1,6})px\)$/.exec(condition) ?? [];
	return bound === 'min' ? Number(pixels) <= 320 : bound === 'max' && Number(pixels) >= 2000;
}

/** Also without `<!--`, with which old style sheets begin, and with characters in the place of escapes. */
function withoutComments(css: string): string {
	return css.replace(NO_CSS, (_, code: string | undefined, other = '') =>
		code === undefined ? String(other) : readEscape(parseInt(code, 16)),
	);
}

/** `\9` is no character, but a trick that hides a declaration from all but old browsers. */
function readEscape(code: number): string {
	return code < 0x20 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

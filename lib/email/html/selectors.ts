import type parseSelectors from 'css-tree/selector-parser';
import type { Attribute, Nth, PseudoClass, Selector, Simple } from 'css-tree/selector-parser';

import { isCell, type Attributes } from './elements';
import type { Limits } from './limits';

/** Whether a selector matches an element; maybe, if it could not be read in full. */
export const [NO, MAYBE, YES] = [0, 1, 2];

type Test = (place: Place) => number;

/** One part of a selector, between two combinators. */
interface Part {
	tests: Test[];
	/** Between it and the part before it; empty for the first. */
	combinator: string;
	before: number;
	/** How many open elements match it for sure, and maybe, if another part asks. */
	around?: number[];
	/** Another part asks for earlier siblings. */
	isWantedBeside?: boolean;
}

/** The parts that match, by their numbers. */
type Matches = ReadonlyMap<number, number>;

const NO_MATCHES: Matches = new Map();

/** An element that is open, or implied. */
export interface Place {
	name: string;
	attributes: Attributes;
	classes: ReadonlySet<string>;
	matches: Matches;
	isImplied: boolean;
	/** Its number among its siblings, and among those with its name. */
	index: number;
	indexOfType: number;
	/** Of its children until now. */
	children: number;
	types: Map<string, number> | undefined;
	last: Matches;
	earlier: Map<number, number> | undefined;
}

export interface ReadSelector {
	/** Its last part. */
	part: number;
	/** Of the element itself, or of a box that `::before` or `::after` adds. */
	isOfBox: boolean;
	weight: number;
}

/** Weights of an ID, a class and an element (Selectors 4, 17). */
const [OF_ID, OF_CLASS, OF_ELEMENT] = [4096, 64, 1];

/** Elements that browsers add between a table and what needs them. */
const IMPLIED: Readonly<Record<string, string>> = {
	...{ 'table tr': 'tbody', 'table td': 'tbody', 'table th': 'tbody' },
	...{ 'tbody td': 'tr', 'tbody th': 'tr', 'thead td': 'tr', 'thead th': 'tr' },
	...{ 'tfoot td': 'tr', 'tfoot th': 'tr' },
};

/** The parser writes a message. */
const WORK_OF_MISTAKE = 200;

/** Its rules are applied, and it is noted for elements that follow. */
const WORK_OF_MATCH = 20;

/** So many characters of an attribute take as long as another comparison. */
const CHARACTERS_OF_COMPARISON = 50;

const OF_HEAD = /^(?:base|head|link|meta|script|style|title)$/;

/** States that nobody sees before a click, and elements without words. */
const NOT_MET =
	/^(?:active|autofill|checked|empty|focus.*|fullscreen|hover|indeterminate|modal|open|popover-open|target.*|visited)$/;

/** What cannot be told before the next element, or at all. */
const NOT_KNOWN =
	/^(?:(?:first|last|only|nth|nth-last)-.*|default|dir|disabled|enabled|has|lang|optional|read-only|read-write|required|scope|valid)$/;

const BOX = /^(?:before|after)$/;
const PART_OF_TEXT = /^first-(?:letter|line)$/;
const OTHER_BOX = /^(?:-webkit-.*|backdrop|marker|placeholder|selection)$/;

const LISTS = /^(?:is|matches|not|where|-moz-any|-webkit-any)$/;

/** An empty value is found nowhere. */
const COMPARISONS: Readonly<Record<string, (written: string, wanted: string) => boolean>> = {
	'': () => true,
	'=': (written, wanted) => written === wanted,
	'~=': (written, wanted) => written.split(/\s+/).includes(wanted) && wanted !== '',
	'|=': (written, wanted) => written === wanted || written.startsWith(`${wanted}-`),
	'^=': (written, wanted) => written.startsWith(wanted) && wanted !== '',
	'$=': (written, wanted) => written.endsWith(wanted) && wanted !== '',
	'*=': (written, wanted) => written.includes(wanted) && wanted !== '',
};

interface ReadSimple {
	weight: number;
	/** Missing for `*`. */
	test?: Test;
	/** Only elements with this name, class or ID can match. */
	key?: string;
	isOfBox?: boolean;
}

const NO_ATTRIBUTES: Attributes = new Map();
const NO_CLASSES: ReadonlySet<string> = new Set();

export class Selectors {
	/** More elements were compared than the limit allows; none is compared any more. */
	isExhausted = false;

	/** Of the attributes that selectors name. */
	readonly attributeNames = new Set<string>();

	private readonly parts: Part[] = [];

	/** The parts that can match an element, by its ID, class or name. */
	private readonly partsOf = new Map<string, number[]>();

	private readonly open: Place[] = [];

	private hasBody = false;

	/** A selector such as `:first-of-type` asks for it. */
	private countsTypes = false;

	private comparisons = 0;

	constructor(
		private readonly parse: typeof parseSelectors,
		private readonly decode: (written: string) => string,
		private readonly limits: Limits,
	) {}

	/**
	 * Reads a list of selectors. A mistake makes browsers leave out all of them, and so does one that only newer ones know:
	 * then each matches maybe, by the names of its last part.
	 *
	 * @param outer of the rule around it
	 * @returns undefined if they are not read, because there are too many
	 */
	read(written: string, outer: readonly ReadSelector[] | undefined): ReadSelector[] | undefined {
		if (written.length > this.limits.selectors) return undefined;
		const known = this.parts.length;
		if (known > this.limits.selectorParts || this.isExhausted) return undefined;
		try {
			return [...this.parse(written).children].flatMap((selector) => this.compile(selector, outer));
		} catch {
			this.parts.length = known;
			this.spend(WORK_OF_MISTAKE);
			return written.split(',').map((one) => this.readRoughly(one));
		}
	}

	/** The elements around all others, which browsers add where an email has not. */
	openPage(): Place[] {
		return ['html', 'body'].map((name) => this.push(name, NO_ATTRIBUTES, false));
	}

	/** What comes before the body is not among its elements. */
	startBody(): void {
		this.hasBody = true;
	}

	/**
	 * Called where an element begins.
	 *
	 * @returns undefined if no more elements are compared
	 */
	start(name: string, attributes: Attributes): Place | undefined {
		if (this.isExhausted) return undefined;
		if (!this.hasBody && OF_HEAD.test(name)) return newPlace(name, attributes);
		const index = ['html', 'body'].indexOf(name);
		if (index !== 0) this.startBody();
		const place = this.open[index];
		if (place) {
			this.count(place, -1);
			place.attributes = attributes;
			place.classes = classesOf(attributes);
			place.matches = this.matchesOf(place, this.open[index - 1]);
			this.count(place, 1);
			return place;
		}
		for (;;) {
			const { name: around = '', isImplied } = this.open.at(-1) ?? {};
			const implied = IMPLIED[`${around} ${name}`];
			if (implied !== undefined) this.push(implied, NO_ATTRIBUTES, true);
			else if (isImplied && !(around === 'tr' ? isCell(name) : name === 'tr')) this.pop();
			else return this.push(name, attributes, false);
		}
	}

	/** Called where it ends, also for an element without content. */
	end(place: Place): void {
		const index = this.open.lastIndexOf(place);
		while (index > 1 && this.open.length > index) this.pop();
	}

	/** @param comparisons or work that takes as long */
	spend(comparisons: number): void {
		this.comparisons += comparisons;
		this.isExhausted = this.comparisons > this.limits.comparisons;
	}

	private push(name: string, attributes: Attributes, isImplied: boolean): Place {
		const parent = this.open.at(-1);
		const place = newPlace(name, attributes, isImplied);
		if (parent) {
			place.index = ++parent.children;
			if (this.countsTypes) {
				const types = (parent.types ??= new Map<string, number>());
				place.indexOfType = (types.get(name) ?? 0) + 1;
				types.set(name, place.indexOfType);
			}
		}
		place.matches = this.matchesOf(place, parent);
		if (parent) parent.last = place.matches;
		for (const [part, match] of place.matches) {
			if (!parent || !this.parts[part]?.isWantedBeside) continue;
			const earlier = (parent.earlier ??= new Map<number, number>());
			earlier.set(part, Math.max(match, earlier.get(part) ?? NO));
		}
		this.open.push(place);
		this.count(place, 1);
		return place;
	}

	private pop(): void {
		const place = this.open.pop();
		if (place) this.count(place, -1);
	}

	/** Counts it among the elements around others. */
	private count({ matches }: Place, change: 1 | -1): void {
		for (const [part, match] of matches) {
			const counts = this.parts[part]?.around;
			if (counts) counts[match] = (counts[match] ?? 0) + change;
		}
	}

	private matchesOf(place: Place, parent: Place | undefined): Matches {
		if (this.isExhausted) return NO_MATCHES;
		const { name, attributes, classes } = place;
		const candidates = [...(this.partsOf.get('*') ?? []), ...(this.partsOf.get(name) ?? [])];
		const id = attributes.get('id');
		if (id !== undefined) candidates.push(...(this.partsOf.get(`#${id}`) ?? []));
		for (const one of classes) candidates.push(...(this.partsOf.get(`.${one}`) ?? []));
		if (candidates.length === 0) return NO_MATCHES;
		const matches = new Map<number, number>();
		place.matches = matches;
		// In their order, because a part can contain earlier ones, as in `:not(.a)`.
		for (const index of candidates.sort((left, right) => left - right)) {
			const part = this.parts[index];
			let match = part ? this.relatedMatch(part, parent) : NO;
			const tests = part && match > NO ? part.tests : [];
			for (const test of tests) match = match && Math.min(match, test(place));
			if (match > NO) matches.set(index, match);
			this.spend(1 + tests.length);
		}
		this.spend(matches.size * WORK_OF_MATCH);
		return matches;
	}

	/** Whether another element matches the part before the combinator. */
	private relatedMatch({ combinator, before }: Part, parent: Place | undefined): number {
		if (combinator === '') return YES;
		if (combinator === '>') return parent?.matches.get(before) ?? NO;
		if (combinator === '+') return parent?.last.get(before) ?? NO;
		if (combinator === '~') return parent?.earlier?.get(before) ?? NO;
		const around = this.parts[before]?.around;
		return around?.[YES] ? YES : around?.[MAYBE] ? MAYBE : NO;
	}

	/** @throws if browsers leave out the rule, or this cannot read it */
	private compile(selector: Selector, outer?: readonly ReadSelector[]): ReadSelector[] {
		let [before, combinator, key, weight, isOfBox] = [-1, '', '*', 0, false];
		let tests: Test[] | undefined;
		const simples = [...selector.children];
		if (simples.length > this.limits.simpleSelectors) throw new Error('Too long');
		if (outer && !simples.some(({ type }) => type === 'NestingSelector')) {
			if (simples[0]?.type !== 'Combinator') simples.unshift({ type: 'Combinator', name: ' ' });
			simples.unshift({ type: 'NestingSelector' });
		}
		for (const simple of [...simples, undefined]) {
			if (simple === undefined || simple.type === 'Combinator') {
				if (!tests) throw new Error('No selector');
				before = this.addPart({ tests, combinator, before }, key);
				if (!simple) break;
				if (!/^[ >+~]$/.test(simple.name)) throw new Error('Unknown combinator');
				[tests, combinator, key] = [undefined, simple.name, '*'];
				continue;
			}
			if (isOfBox || (simple.type === 'TypeSelector' && tests)) throw new Error('Wrong order');
			const read = this.readSimple(simple, outer);
			tests = [...(tests ?? []), ...(read.test ? [read.test] : [])];
			weight += read.weight;
			isOfBox = read.isOfBox ?? false;
			if (read.key !== undefined && !key.startsWith('#')) key = read.key;
		}
		return [{ part: before, isOfBox, weight }];
	}

	private addPart(part: Part, key: string): number {
		const index = this.parts.push(part) - 1;
		const others = this.partsOf.get(key);
		if (others) others.push(index);
		else this.partsOf.set(key, [index]);
		const before = this.parts[part.before];
		if (before && part.combinator === ' ') before.around ??= [];
		if (before && part.combinator === '~') before.isWantedBeside = true;
		return index;
	}

	private readSimple(
		simple: Exclude<Simple, { type: 'Combinator' }>,
		outer?: readonly ReadSelector[],
	): ReadSimple {
		const name =
			'name' in simple && typeof simple.name === 'string' ? this.decode(simple.name) : '';
		switch (simple.type) {
			case 'TypeSelector': {
				if (name === '*') return { weight: 0 };
				const key = name.toLowerCase();
				return { key, weight: OF_ELEMENT, test: (place) => (place.name === key ? YES : NO) };
			}
			case 'ClassSelector': {
				const test: Test = ({ classes }) => (classes.has(name) ? YES : NO);
				return { key: `.${name}`, weight: OF_CLASS, test };
			}
			case 'IdSelector': {
				const test: Test = ({ attributes }) => (attributes.get('id') === name ? YES : NO);
				return { key: `#${name}`, weight: OF_ID, test };
			}
			case 'AttributeSelector':
				return { weight: OF_CLASS, test: this.attributeTest(simple) };
			case 'NestingSelector':
				if (!outer) throw new Error('Nothing around');
				return { weight: maxWeight(outer), test: this.testOfList(outer) };
			case 'PseudoClassSelector':
				return this.readPseudoClass(simple, name.toLowerCase(), outer);
			case 'PseudoElementSelector':
				return readPseudoElement(name.toLowerCase());
			default:
				throw new Error('Not in a selector');
		}
	}

	private readPseudoClass(
		{ children }: PseudoClass,
		name: string,
		outer?: readonly ReadSelector[],
	): ReadSimple {
		const [inner] = children ?? [];
		if (LISTS.test(name)) {
			if (inner?.type !== 'SelectorList') throw new Error('No list');
			const list = [...inner.children].flatMap((one) => {
				const hasNest = [...one.children].some(({ type }) => type === 'NestingSelector');
				return this.compile(one, hasNest ? outer : undefined);
			});
			const weight = name === 'where' ? 0 : maxWeight(list);
			const isOne = this.testOfList(list);
			return { weight, test: name === 'not' ? (place) => YES - isOne(place) : isOne };
		}
		if (/^(?:before|after|first-)(?!child|of-)/.test(name)) return readPseudoElement(name);
		return { weight: OF_CLASS, test: this.stateTest(name, inner) };
	}

	private stateTest(name: string, inner: unknown): Test {
		const [, isLast, kind] = /^(?:nth-|first-)(last-)?(child|of-type)$/.exec(name) ?? [];
		if (NOT_MET.test(name)) return () => NO;
		if (name === 'root') return (place) => (place.name === 'html' ? YES : NO);
		if (/^(?:any-)?link$/.test(name)) {
			return (place) => (/^a(?:rea)?$/.test(place.name) && place.attributes.has('href') ? YES : NO);
		}
		const includes = name.startsWith('nth-')
			? readNth(inner as Nth)
			: (index: number) => index === 1;
		// Later siblings are not known yet.
		if (kind === undefined || isLast !== undefined || !includes) {
			if (!NOT_KNOWN.test(name)) throw new Error('Unknown state');
			return () => MAYBE;
		}
		this.countsTypes ||= kind === 'of-type';
		return (place) => (includes(kind === 'child' ? place.index : place.indexOfType) ? YES : NO);
	}

	private testOfList(list: readonly ReadSelector[]): Test {
		return ({ matches }) => {
			this.spend(list.length);
			return Math.max(NO, ...list.map(({ part }) => matches.get(part) ?? NO));
		};
	}

	private attributeTest({ name, matcher, value, flags }: Attribute): Test {
		const attribute = this.decode(name.name).toLowerCase();
		this.attributeNames.add(attribute);
		const wanted = value?.type === 'String' ? value.value : this.decode(value?.name ?? '');
		const compare = COMPARISONS[matcher ?? ''];
		if (!compare) throw new Error('Unknown comparison');
		return ({ attributes }) => {
			const written = attributes.get(attribute);
			if (written === undefined) return NO;
			this.spend(written.length / CHARACTERS_OF_COMPARISON);
			if (compare(written, wanted)) return YES;
			// Of some attributes the case does not count.
			const isAlike = compare(written.toLowerCase(), wanted.toLowerCase());
			return !isAlike || flags?.toLowerCase() === 's' ? NO : flags ? YES : MAYBE;
		};
	}

	/** By the names in the last part only. */
	private readRoughly(written: string): ReadSelector {
		const last = written
			.replace(/\([^()]*\)|\[[^[\]]*\]/g, '')
			.trim()
			.split(/[\s>+~]+/)
			.at(-1);
		const tests: Test[] = [() => MAYBE];
		let key = '*';
		for (const [name] of (last ?? '').replace(/:.*/s, '').matchAll(/[.#]?[\w\u0080-\uffff-]+/g)) {
			const [start, rest] = [name.charAt(0), name.slice(1)];
			key = start === '.' || start === '#' ? name : name.toLowerCase();
			if (start === '.') tests.push(({ classes }) => (classes.has(rest) ? YES : NO));
			else if (start === '#')
				tests.push(({ attributes }) => (attributes.get('id') === rest ? YES : NO));
			else tests.push((place) => (place.name === name.toLowerCase() ? YES : NO));
		}
		const part = this.addPart({ tests, combinator: '', before: -1 }, key);
		return {
			part,
			isOfBox: /:(?:before|after)\s*$/.test(written),
			weight: OF_ID * this.limits.simpleSelectors,
		};
	}
}

function newPlace(name: string, attributes: Attributes, isImplied = false): Place {
	return {
		name,
		attributes,
		classes: classesOf(attributes),
		matches: NO_MATCHES,
		isImplied,
		index: 1,
		indexOfType: 1,
		children: 0,
		types: undefined,
		last: NO_MATCHES,
		earlier: undefined,
	};
}

function classesOf(attributes: Attributes): ReadonlySet<string> {
	const written = attributes.get('class');
	return written === undefined ? NO_CLASSES : new Set(written.split(/\s+/));
}

function maxWeight(list: readonly ReadSelector[]): number {
	return list.reduce((most, { weight }) => Math.max(most, weight), 0);
}

/** The first line or letter is a part of what an element shows. */
function readPseudoElement(name: string): ReadSimple {
	const isOfText = PART_OF_TEXT.test(name);
	const isOfBox = BOX.test(name);
	if (!isOfText && !isOfBox && !OTHER_BOX.test(name)) throw new Error('Unknown box');
	return { weight: OF_ELEMENT, isOfBox, test: () => (isOfText ? MAYBE : isOfBox ? YES : NO) };
}

/** @returns undefined if only some siblings count */
function readNth({ nth, selector }: Nth): ((index: number) => boolean) | undefined {
	if (selector) return undefined;
	if (nth.type === 'Identifier')
		return (index) => index % 2 === (nth.name.toLowerCase() === 'odd' ? 1 : 0);
	const [step, first] = [Number(nth.a ?? 0), Number(nth.b ?? 0)];
	return (index) =>
		step === 0 ? index === first : (index - first) % step === 0 && (index - first) / step >= 0;
}

import type parseSelectors from 'css-tree/selector-parser';
import type { Attribute, Selector, Simple } from 'css-tree/selector-parser';

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
	/** An element until now matches it. */
	isMet?: boolean;
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
	/** Of its last child until now. */
	last: Matches;
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
	'table tr': 'tbody',
	'table td': 'tbody',
	'table th': 'tbody',
	'tbody td': 'tr',
	'tbody th': 'tr',
	'thead td': 'tr',
	'thead th': 'tr',
	'tfoot td': 'tr',
	'tfoot th': 'tr',
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

/** States that are rare, or cannot be told before the next element. */
const NOT_KNOWN =
	/^(?:(?:first|last|only)-.*|default|disabled|enabled|optional|read-only|read-write|required|scope|valid)$/;

const BOX = /^(?:before|after)$/;
const PART_OF_TEXT = /^first-(?:letter|line)$/;
const OTHER_BOX = /^(?:-webkit-.*|backdrop|marker|placeholder|selection)$/;

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

	private comparisons = 0;

	constructor(
		private readonly parse: typeof parseSelectors,
		private readonly decode: (written: string) => string,
		private readonly limits: Limits,
	) {}

	/**
	 * Reads a list of selectors. A mistake makes browsers leave out all of them, and so does one that only newer ones know:
	 * then each matches maybe, by the names of its last part. So do those that emails hardly have, such as `:nth-child(2)`.
	 *
	 * @param isNested of a rule within another one
	 * @returns undefined if they are not read, because there are too many
	 */
	read(written: string, isNested: boolean): ReadSelector[] | undefined {
		if (written.length > this.limits.selectors) return undefined;
		const known = this.parts.length;
		if (known > this.limits.selectorParts || this.isExhausted) return undefined;
		try {
			if (!isNested) return [...this.parse(written).children].map((one) => this.compile(one));
		} catch {
			this.parts.length = known;
			this.spend(WORK_OF_MISTAKE);
		}
		const isStrange = /["'\\]|\/\*/.test(written);
		const names = isStrange ? '*' : withoutArguments(written);
		return names.split(',').map((one) => this.readRoughly(one));
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
		place.matches = this.matchesOf(place, parent);
		if (parent) parent.last = place.matches;
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
			const { around } = this.parts[part] ?? {};
			if (around) around[match] = (around[match] ?? 0) + change;
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
		for (const index of candidates) {
			const part = this.parts[index];
			let match = part ? this.relatedMatch(part, parent) : NO;
			const tests = part && match > NO ? part.tests : [];
			for (const test of tests) match = match && Math.min(match, test(place));
			if (part && match > NO) {
				matches.set(index, match);
				part.isMet = true;
			}
			this.spend(1 + tests.length);
		}
		this.spend(matches.size * WORK_OF_MATCH);
		return matches;
	}

	/** Whether another element matches the part before the combinator. For `~`, any earlier element may. */
	private relatedMatch({ combinator, before }: Part, parent: Place | undefined): number {
		if (combinator === '') return YES;
		if (combinator === '>') return parent?.matches.get(before) ?? NO;
		if (combinator === '+') return parent?.last.get(before) ?? NO;
		const { around, isMet } = this.parts[before] ?? {};
		if (combinator === '~') return isMet ? MAYBE : NO;
		return around?.[YES] ? YES : around?.[MAYBE] ? MAYBE : NO;
	}

	/** @throws if browsers leave out the rule, or this cannot read it */
	private compile(selector: Selector): ReadSelector {
		let [before, combinator, key, weight, isOfBox] = [-1, '', '*', 0, false];
		let tests: Test[] | undefined;
		const simples = [...selector.children];
		if (simples.length > this.limits.simpleSelectors) throw new Error('Too long');
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
			const read = this.readSimple(simple);
			tests = [...(tests ?? []), ...(read.test ? [read.test] : [])];
			weight += read.weight;
			isOfBox = read.isOfBox ?? false;
			if (read.key !== undefined && !key.startsWith('#')) key = read.key;
		}
		return { part: before, isOfBox, weight };
	}

	private addPart(part: Part, key: string): number {
		const index = this.parts.push(part) - 1;
		const others = this.partsOf.get(key);
		if (others) others.push(index);
		else this.partsOf.set(key, [index]);
		const before = this.parts[part.before];
		if (before && part.combinator === ' ') before.around ??= [];
		return index;
	}

	private readSimple(simple: Exclude<Simple, { type: 'Combinator' }>): ReadSimple {
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
			case 'PseudoClassSelector':
				if (simple.children) throw new Error('Not read');
				return readPseudoClass(name.toLowerCase());
			case 'PseudoElementSelector':
				return readPseudoElement(name.toLowerCase());
			default:
				throw new Error('Not read');
		}
	}

	private attributeTest({ name, matcher, value }: Attribute): Test {
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
			// The case does not count for some attributes, or on request.
			return compare(written.toLowerCase(), wanted.toLowerCase()) ? MAYBE : NO;
		};
	}

	/** By the names in the last part only. */
	private readRoughly(written: string): ReadSelector {
		const last = written
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

/** Without what is in parentheses and brackets. */
function withoutArguments(written: string): string {
	let depth = 0;
	return [...written]
		.filter((character) => {
			if (character === '(' || character === '[') depth++;
			const isOutside = depth === 0;
			if (character === ')' || character === ']') depth = Math.max(depth - 1, 0);
			return isOutside;
		})
		.join('');
}

function newPlace(name: string, attributes: Attributes, isImplied = false): Place {
	const [matches, last, classes] = [NO_MATCHES, NO_MATCHES, classesOf(attributes)];
	return { name, attributes, classes, matches, isImplied, last };
}

function classesOf(attributes: Attributes): ReadonlySet<string> {
	const written = attributes.get('class');
	return written === undefined ? NO_CLASSES : new Set(written.split(/\s+/));
}

function readPseudoClass(name: string): ReadSimple {
	return /^(?:before|after|first-l.*)$/.test(name)
		? readPseudoElement(name)
		: { weight: OF_CLASS, test: stateTest(name) };
}

function stateTest(name: string): Test {
	if (NOT_MET.test(name)) return () => NO;
	if (name === 'root') return (place) => (place.name === 'html' ? YES : NO);
	if (/^(?:any-)?link$/.test(name)) {
		return (place) => (/^a(?:rea)?$/.test(place.name) && place.attributes.has('href') ? YES : NO);
	}
	if (!NOT_KNOWN.test(name)) throw new Error('Unknown state');
	return () => MAYBE;
}

/** The first line or letter is a part of what an element shows. */
function readPseudoElement(name: string): ReadSimple {
	const isOfText = PART_OF_TEXT.test(name);
	const isOfBox = BOX.test(name);
	if (!isOfText && !isOfBox && !OTHER_BOX.test(name)) throw new Error('Unknown box');
	return { weight: OF_ELEMENT, isOfBox, test: () => (isOfText ? MAYBE : isOfBox ? YES : NO) };
}

import type parseSelectors from 'css-tree/selector-parser';
import type { Attribute, Simple } from 'css-tree/selector-parser';

import type { Attributes } from './elements';
import type { Limits } from './limits';

/** Whether a selector matches an element; maybe, if it could not be read in full. */
export const [NO, MAYBE, YES] = [0, 1, 2];

/** What selectors ask about an element. */
export interface Described {
	name: string;
	attributes: Attributes;
	classes: ReadonlySet<string>;
}

type Test = (element: Described) => number;

/** One part of a selector, between two combinators. */
export interface Part {
	number: number;
	tests: Test[];
	/** Only elements with this name, class or ID can match; `*` for any. */
	key: string;
	/** Between it and the part before it. */
	combinator: string;
	before: Part | undefined;
	/** How many open elements match it for sure, and maybe, if another part asks. */
	around?: number[];
	/** An element until now matches it. */
	isMet?: boolean;
}

export interface ReadSelector {
	/** Its last part. */
	part: Part;
	/** Of the element itself, or of a box that `::before` or `::after` adds. */
	isOfBox: boolean;
	weight: number;
}

/** Weights of an ID, a class and an element (Selectors 4, 17). */
const [OF_ID, OF_CLASS, OF_ELEMENT] = [4096, 64, 1];

/** The parser writes a message. */
const WORK_OF_MISTAKE = 200;

/** So many characters of an attribute take as long as another comparison. */
const CHARACTERS_OF_COMPARISON = 50;

/** States, and whether elements are in them. */
const STATES: ReadonlyArray<readonly [RegExp, Test]> = [
	// Nobody sees these before a click, or they are of elements without words.
	[
		/^(?:active|autofill|checked|empty|focus.*|fullscreen|hover|indeterminate|modal|open|popover-open|target.*|visited)$/,
		() => NO,
	],
	[/^root$/, ({ name }) => (name === 'html' ? YES : NO)],
	[
		/^(?:any-)?link$/,
		({ name, attributes }) => (/^a(?:rea)?$/.test(name) && attributes.has('href') ? YES : NO),
	],
	// These are rare, or cannot be told before the next element.
	[
		/^(?:(?:first|last|only)-.*|default|disabled|enabled|optional|read-only|read-write|required|scope|valid)$/,
		() => MAYBE,
	],
];

const BOX = /^(?:before|after)$/;

/** Boxes, and whether they have what an element shows. */
const BOXES: ReadonlyArray<readonly [RegExp, Test]> = [
	[BOX, () => YES],
	// A part of it.
	[/^first-(?:letter|line)$/, () => MAYBE],
	[/^(?:-webkit-.*|backdrop|marker|placeholder|selection)$/, () => NO],
];

/** As old style sheets write boxes: with one colon. */
const BOX_LIKE_STATE = /^(?:before|after|first-l.*)$/;

const TYPES = { '': 'TypeSelector', '.': 'ClassSelector', '#': 'IdSelector' } as const;

const COMPARISONS: Readonly<Record<string, (written: string, wanted: string) => boolean>> = {
	'': () => true,
	'=': (written, wanted) => written === wanted,
	'~=': (written, wanted) => written.split(/\s+/).includes(wanted),
	'|=': (written, wanted) => written === wanted || written.startsWith(`${wanted}-`),
	'^=': (written, wanted) => written.startsWith(wanted),
	'$=': (written, wanted) => written.endsWith(wanted),
	'*=': (written, wanted) => written.includes(wanted),
};

interface ReadSimple {
	weight: number;
	/** Missing for `*`. */
	test?: Test;
	/** See `Part`. */
	key?: string;
	isOfBox?: boolean;
}

/** Reads the selectors of all style sheets of an email. */
export class Selectors {
	/** More elements were compared than the limit allows; none is compared any more. */
	isExhausted = false;

	/** Of the attributes that selectors name. */
	readonly attributeNames = new Set<string>();

	/** By their keys. */
	private readonly parts = new Map<string, Part[]>();

	private count = 0;

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
		if (this.count > this.limits.selectorParts || this.isExhausted) return undefined;
		const selectors = isNested ? undefined : this.readExactly(written);
		return selectors ?? this.readRoughly(written);
	}

	/** The parts that can match an element. */
	partsFor({ name, attributes, classes }: Described): Part[] {
		const keys = ['*', name];
		const id = attributes.get('id');
		if (id !== undefined) keys.push(`#${id}`);
		for (const one of classes) keys.push(`.${one}`);
		return keys.flatMap((key) => this.parts.get(key) ?? []);
	}

	/** @param comparisons or work that takes as long */
	spend(comparisons: number): void {
		this.comparisons += comparisons;
		this.isExhausted = this.comparisons > this.limits.comparisons;
	}

	/** @returns undefined if browsers leave out the rule, or this cannot read it */
	private readExactly(written: string): ReadSelector[] | undefined {
		const { count } = this;
		try {
			const selectors = [...this.parse(written).children].map(({ children }) =>
				this.compile([...children]),
			);
			for (const { part } of selectors) this.add(part);
			return selectors;
		} catch {
			this.count = count;
			this.spend(WORK_OF_MISTAKE);
			return undefined;
		}
	}

	/** @throws for a mistake, or what is not read */
	private compile(simples: readonly Simple[]): ReadSelector {
		if (simples.length > this.limits.simpleSelectors) throw new Error('Too long');
		let part = this.newPart();
		let [weight, isOfBox, isEmpty] = [0, false, true];
		for (const simple of simples) {
			if (simple.type === 'Combinator') {
				if (isEmpty || !/^[ >+~]$/.test(simple.name)) throw new Error('Unknown combinator');
				if (simple.name === ' ') part.around = [];
				part = this.newPart(simple.name, part);
				isEmpty = true;
			} else {
				const isLate = simple.type === 'TypeSelector' && !isEmpty;
				if (isOfBox || isLate) throw new Error('Wrong order');
				const read = this.readSimple(simple);
				extend(part, read);
				weight += read.weight;
				isOfBox = read.isOfBox ?? false;
				isEmpty = false;
			}
		}
		if (isEmpty) throw new Error('No selector');
		return { part, isOfBox, weight };
	}

	private newPart(combinator = '', before?: Part): Part {
		return { number: this.count++, tests: [], key: '*', combinator, before };
	}

	private add(part: Part): void {
		if (part.before) this.add(part.before);
		const others = this.parts.get(part.key);
		if (others) others.push(part);
		else this.parts.set(part.key, [part]);
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
				return readPseudo(name.toLowerCase(), false);
			case 'PseudoElementSelector':
				return readPseudo(name.toLowerCase(), true);
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
		// An empty part is found nowhere.
		if (wanted === '' && /[~^$*]/.test(matcher ?? '')) return () => NO;
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
	private readRoughly(written: string): ReadSelector[] {
		const isStrange = /["'\\]|\/\*/.test(written);
		const names = isStrange ? '*' : withoutArguments(written);
		return names.split(',').map((selector) => {
			const part = this.newPart();
			part.tests.push(() => MAYBE);
			const last = selector
				.trim()
				.split(/[\s>+~]+/)
				.at(-1);
			const simples = (last ?? '').replace(/:.*/s, '').matchAll(/([.#]?)([\w\u0080-\uffff-]+)/g);
			for (const [, mark = '', name = ''] of simples)
				extend(part, this.readSimple({ type: TYPES[mark as keyof typeof TYPES], name }));
			this.add(part);
			const isOfBox = /:(?:before|after)\s*$/.test(selector);
			return { part, isOfBox, weight: OF_ID * this.limits.simpleSelectors };
		});
	}
}

function extend(part: Part, { test, key }: ReadSimple): void {
	if (test) part.tests.push(test);
	if (key !== undefined && !part.key.startsWith('#')) part.key = key;
}

/** @throws for an unknown one */
function readPseudo(name: string, isElement: boolean): ReadSimple {
	const isBox = isElement || BOX_LIKE_STATE.test(name);
	const [, test] = (isBox ? BOXES : STATES).find(([names]) => names.test(name)) ?? [];
	if (!test) throw new Error('Unknown state or box');
	return { weight: isBox ? OF_ELEMENT : OF_CLASS, test, isOfBox: isBox && BOX.test(name) };
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

import type { Attributes } from './elements';
import type { Limits } from './limits';
import type { DeclarationBlock } from './visibility';

/** What an element has to be, such as `td.a`. Classes and IDs are written with their marks. */
interface Compound {
	type: string;
	names: readonly string[];
}

interface WrittenSelector {
	/** For elements within each other, the last one for the element itself. */
	words: readonly string[];
	block: DeclarationBlock;
	order: number;
}

interface Selector {
	compounds: readonly Compound[];
	/** Numbers of IDs, classes and types, and the order (CSS Cascade 4, 6.1). */
	weight: readonly number[];
	block: DeclarationBlock;
}

/** What selectors ask about an element. */
export interface Selected {
	type: string;
	names: ReadonlySet<string>;
	/** Those whose last compound it matches, the heaviest last. */
	selectors: readonly Selector[];
}

const NAME = '[.#](?!-?\\d)[\\w\\u0080-\\uffff-]+';
const COMPOUND = new RegExp(`^(?:[a-z][a-z\\d-]*(?:${NAME})*|(?:${NAME})+)$`, 'i');
const MARKED_NAMES = /[.#][^.#]+/g;

/** Elements that differ in type, ID or classes; more than genuine emails have. */
const MAX_KNOWN = 5000;

/** So many comparisons take as long as looking at an element of a new kind. */
const WORK_OF_LOOK = 10;

const UNSELECTED: Selected = { type: '', names: new Set(), selectors: [] };

const NO_BLOCKS: readonly DeclarationBlock[] = [];

/** Finds the rules of elements. */
export class Selectors {
	/** By a name or the type in the last compound. Most are never asked for, and not read further. */
	private readonly written = new Map<string, WrittenSelector[]>();

	private readonly read = new Map<string, Selector[]>();

	private readonly known = new Map<string, Selected>();

	/** How many open elements have a type or a name. */
	private readonly around = new Map<string, number>();

	private compounds = 0;

	/** A selector has several compounds. */
	private hasChains = false;

	private comparisons = 0;

	constructor(private readonly limits: Limits) {}

	/**
	 * Adds a selector of types, classes and IDs, for elements within each other.
	 *
	 * @returns false for any other one
	 */
	add(selector: string, block: DeclarationBlock): boolean {
		const words = selector.trim().split(/\s+/);
		const order = (this.compounds += words.length);
		if (order > this.limits.compounds || !words.every((word) => COMPOUND.test(word))) return false;
		this.hasChains ||= words.length > 1;
		const last = words.at(-1) ?? '';
		const key = last.match(MARKED_NAMES)?.[0] ?? last.toLowerCase();
		const written = { words, block, order };
		const others = this.written.get(key);
		if (others) others.push(written);
		else this.written.set(key, [written]);
		return true;
	}

	select(type: string, attributes: Attributes): Selected {
		if (this.written.size === 0 || this.isExhausted()) return UNSELECTED;
		const [id = '', classes = ''] = [attributes.get('id'), attributes.get('class')];
		const key = `${type}#${id}.${classes}`;
		const known = this.known.get(key);
		if (known) return known;
		const names = new Set(classes.split(/\s+/).map((name) => `.${name}`)).add(`#${id}`);
		const candidates = [type, ...names].flatMap((name) => this.selectorsOf(name));
		this.comparisons += WORK_OF_LOOK + candidates.length + names.size;
		const selectors = candidates
			.filter(({ compounds }) => matches({ type, names }, compounds.at(-1)))
			.sort(compareWeights);
		const selected = { type, names, selectors };
		if (this.known.size < MAX_KNOWN) this.known.set(key, selected);
		return selected;
	}

	/** The rules that match an element within the open ones, the heaviest last. */
	blocksOf(
		{ selectors }: Selected,
		open: ReadonlyArray<{ selected: Selected }>,
	): readonly DeclarationBlock[] {
		if (selectors.length === 0) return NO_BLOCKS;
		this.comparisons += selectors.length;
		return selectors
			.filter(({ compounds }) => compounds.length === 1 || this.isWithin(compounds, open))
			.map(({ block }) => block);
	}

	/** @param change 1 where an element begins, -1 where it ends */
	countAround({ type, names }: Selected, change: 1 | -1): void {
		if (!this.hasChains) return;
		for (const key of [type, ...names]) this.around.set(key, (this.around.get(key) ?? 0) + change);
	}

	/** Whether the open elements match all compounds but the last one. */
	private isWithin(
		compounds: readonly Compound[],
		open: ReadonlyArray<{ selected: Selected }>,
	): boolean {
		this.comparisons += compounds.length;
		const outer = compounds.slice(0, -1);
		const isAround = (key: string) => (this.around.get(key) ?? 0) > 0;
		if (!outer.every(({ type, names }) => names.every(isAround) && (!type || isAround(type))))
			return false;
		for (let index = open.length - 1; index >= 0 && outer.length > 0; index--) {
			if (matches(open[index]?.selected ?? UNSELECTED, outer.at(-1))) outer.pop();
			this.comparisons++;
		}
		return outer.length === 0 && !this.isExhausted();
	}

	private selectorsOf(key: string): readonly Selector[] {
		const known = this.read.get(key);
		if (known) return known;
		const read = (this.written.get(key) ?? []).map(({ words, block, order }): Selector => {
			const compounds = words.map(readCompound);
			const names = compounds.flatMap((one) => one.names);
			const ids = names.filter((name) => name.startsWith('#')).length;
			const types = compounds.filter(({ type }) => type !== '').length;
			const weight = [ids, names.length - ids, types, order];
			// All elements are within these, also where an email leaves them out.
			const isNeeded = (one: Compound, index: number) =>
				index === compounds.length - 1 || one.names.length > 0 || !/^(?:body|html)$/.test(one.type);
			return { compounds: compounds.filter(isNeeded), weight, block };
		});
		this.read.set(key, read);
		return read;
	}

	private isExhausted(): boolean {
		return this.comparisons > this.limits.comparisons;
	}
}

function readCompound(written: string): Compound {
	const type = /^[^.#]*/.exec(written)?.[0] ?? '';
	return { type: type.toLowerCase(), names: written.match(MARKED_NAMES) ?? [] };
}

function matches(
	element: Pick<Selected, 'type' | 'names'>,
	compound: Compound | undefined,
): boolean {
	const { type = '', names = [] } = compound ?? {};
	return (type === '' || type === element.type) && names.every((name) => element.names.has(name));
}

function compareWeights({ weight: one }: Selector, { weight: other }: Selector): number {
	const first = one.findIndex((number, index) => number !== other[index]);
	return first < 0 ? 0 : (one[first] ?? 0) - (other[first] ?? 0);
}

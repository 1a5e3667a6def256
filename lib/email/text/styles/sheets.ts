import type { Rule } from './css';
import {
	ANYTHING,
	bothDeclared,
	NOTHING,
	type DeclarationReader,
	type Declared,
} from './declarations';
import type { Attributes } from '../html/elements';
import { PairMemory } from './pairMemory';
import { ANY, readSelectors, type Selector } from './selectors';

/** Classes, IDs and attributes; more than genuine emails have. */
const MAX_NAMES = 10_000;

/** Blocks that elements have together; more than genuine emails have. */
const MAX_PAIRS = 5000;

interface SelectedBlock {
	selector: Selector;
	block: Declared;
}

/** What the rules for a name, or for none, declare, by the types that elements need; the type is empty for any. */
type RulesOfName = Map<string, Declared>;

/**
 * The rules of an email's style sheets. A rule is read if it has no condition, and each of its selectors is a type, a class or an ID, or
 * a type with one of these. Any other rule makes unknown what it might change; so do two rules that do not agree, because
 * weights are not compared.
 */
export class Sheets {
	private readonly entries: SelectedBlock[] = [];

	/** The classes, IDs and attributes of all elements; undefined if they are not known, or too many. */
	private names: Set<string> | undefined = new Set();

	/** The names in `class` attributes, by their values. */
	private readonly classes = new Map<string, readonly string[]>();

	/** By names, which are empty for none; made when the first element is judged. */
	private rules: Map<string, RulesOfName> | undefined;

	/** What two blocks declare together. */
	private readonly together = new PairMemory<Declared>(MAX_PAIRS);

	constructor(private readonly declarations: DeclarationReader) {}

	addRule(rule: Rule): void {
		if (rule.screens === 'other') return;
		const declared = this.declarations.read(rule.declarations);
		const selectors = rule.selectors === undefined ? [ANY] : readSelectors(rule.selectors);
		const isRead = rule.screens === 'every' && selectors.every(({ isSimple }) => isSimple);
		const block = isRead
			? declared
			: this.declarations.doubtOf(declared, rule.selectors === undefined);
		if (block === NOTHING) return;
		for (const selector of selectors) this.entries.push({ selector, block });
	}

	/** Makes unknown what rules could declare that are not read at all. */
	addUnread(): void {
		this.entries.push({ selector: ANY, block: ANYTHING });
	}

	/** The elements that follow are not known when the first one is judged. */
	startEarly(): void {
		this.names = undefined;
	}

	addAttributeName(name: string): void {
		this.addName(name);
	}

	addElement(attributes: Attributes): void {
		if (!this.names) return;
		const { id, class: classes } = attributes;
		if (id !== undefined) this.addName(`#${id}`);
		if (classes === undefined || this.classes.has(classes)) return;
		for (const name of this.classesOf(classes)) this.addName(name);
	}

	/** What the rules for an element declare; the same object for elements with the same rules. */
	declaredFor(type: string, id: string, classes: string): Declared {
		this.rules ??= this.mergeRules();
		if (this.rules.size === 0) return NOTHING;
		let declared = this.withRules(NOTHING, '', type);
		if (id !== '') declared = this.withRules(declared, `#${id}`, type);
		if (classes === '') return declared;
		for (const name of this.classesOf(classes)) declared = this.withRules(declared, name, type);
		return declared;
	}

	private withRules(declared: Declared, name: string, type: string): Declared {
		const rules = this.rules?.get(name);
		if (rules === undefined) return declared;
		const ofAnyType = rules.get('') ?? NOTHING;
		const ofType = rules.get(type) ?? NOTHING;
		return this.merge(this.merge(declared, ofAnyType), ofType);
	}

	private merge(one: Declared, other: Declared): Declared {
		if (one === NOTHING || one === other) return other;
		if (other === NOTHING) return one;
		const known = this.together.get(one, other);
		if (known !== undefined) return known;
		const merged = bothDeclared(one, other);
		this.together.set(one, other, merged);
		return merged;
	}

	private classesOf(value: string): readonly string[] {
		const known = this.classes.get(value);
		if (known) return known;
		const names = value.split(/\s+/).map((name) => `.${name}`);
		if (this.classes.size < MAX_NAMES) this.classes.set(value, names);
		return names;
	}

	private addName(name: string): void {
		if (this.names?.add(name).size === MAX_NAMES) this.names = undefined;
	}

	/** Leaves out rules for elements that the email does not have, such as those of mail programs. */
	private mergeRules(): Map<string, RulesOfName> {
		const rules = new Map<string, RulesOfName>();
		const { names } = this;
		for (const { selector, block } of this.entries) {
			if (names && !selector.names.every((name) => names.has(name))) continue;
			const ofName = rules.get(selector.name) ?? new Map<string, Declared>();
			const known = ofName.get(selector.type);
			ofName.set(selector.type, known === undefined ? block : bothDeclared(known, block));
			rules.set(selector.name, ofName);
		}
		return rules;
	}
}

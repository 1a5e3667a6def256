import type { Rule } from './css';
import { agree, ANYTHING, doubtOf, NOTHING, readDeclarations, type Declared } from './declarations';
import type { Attributes } from './elements';
import { ANY, readSelectors, type Selector } from './selectors';

/** The width of the screen on which people read email, in pixels. */
const SCREEN = 800;

/** A condition that every screen meets, without blanks around it. */
const EVERY_SCREEN = /^(?:(?:only\s+)?(?:all|screen))?$/i;

const MAX_WIDTH = /max-(?:device-)?width\s*:\s*([\d.]+)(px|r?em)/i;

/** Classes, IDs and attributes; more than genuine emails have. */
const MAX_NAMES = 10_000;

interface MergedBlock extends Declared {
	usual: Map<string, string>;
	important: Map<string, string>;
}

interface SelectedBlock {
	selector: Selector;
	block: Declared;
}

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

	/** By the keys of selectors; made when the first element is judged. */
	private blocks: Map<string, MergedBlock> | undefined;

	/** @param media of the whole sheet */
	addRule(rule: Rule, media: string): void {
		const conditions = [media, ...rule.media].filter((query) => !EVERY_SCREEN.test(query.trim()));
		if (conditions.some(isForOtherScreens)) return;
		const declared = readDeclarations(rule.declarations);
		const selectors = rule.selectors === undefined ? [ANY] : readSelectors(rule.selectors);
		const isRead = conditions.length === 0 && selectors.every(({ isSimple }) => isSimple);
		const block = isRead ? declared : doubtOf(declared, rule.selectors === undefined);
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

	addAttribute(name: string): void {
		this.addName(name);
	}

	addElement(attributes: Attributes): void {
		if (!this.names) return;
		const id = attributes.get('id');
		if (id !== undefined) this.addName(`#${id}`);
		const classes = attributes.get('class');
		if (classes === undefined || this.classes.has(classes)) return;
		for (const name of this.classesOf(classes)) this.addName(name);
	}

	/** What the rules for an element declare. */
	blockOf(type: string, id: string, classes: string): Declared {
		this.blocks ??= this.mergeRules();
		if (this.blocks.size === 0) return NOTHING;
		const found: Declared[] = [];
		const find = (key: string) => {
			const block = this.blocks?.get(key);
			if (block) found.push(block);
		};
		find('*');
		find(type);
		for (const name of [`#${id}`, ...this.classesOf(classes)]) {
			find(name);
			find(type + name);
		}
		if (found.length === 0) return NOTHING;
		const merged = newBlock();
		for (const block of found) addBlock(merged, block);
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
	private mergeRules(): Map<string, MergedBlock> {
		const blocks = new Map<string, MergedBlock>();
		const { names } = this;
		for (const { selector, block } of this.entries) {
			if (names && !selector.names.every((name) => names.has(name))) continue;
			const merged = blocks.get(selector.key) ?? newBlock();
			addBlock(merged, block);
			blocks.set(selector.key, merged);
		}
		return blocks;
	}
}

function newBlock(): MergedBlock {
	return { usual: new Map(), important: new Map() };
}

function addBlock(block: MergedBlock, { usual, important }: Declared): void {
	agree(block.usual, usual);
	agree(block.important, important);
}

/** Narrower ones, or paper. */
function isForOtherScreens(media: string): boolean {
	return media.split(',').every((query) => {
		if (/\b(?:not|or)\b/i.test(query)) return false;
		const [, width, unit = 'px'] = MAX_WIDTH.exec(query) ?? [];
		const pixels = Number(width) * (unit.toLowerCase() === 'px' ? 1 : 16);
		return pixels < SCREEN || /\bprint\b/i.test(query);
	});
}

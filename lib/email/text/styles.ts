import { readColor } from './colors';
import { CssReader, type CssTokenizer, type Declaration } from './css';
import type { Attributes } from './elements';
import type { Limits } from './limits';
import { Selectors } from './selectors';
import { HIDES, type DeclarationBlock, type Values } from './visibility';

const NO_VALUES: Values = new Map();

type Hint = readonly [property: string, value: string];

const NO_HINTS: readonly Hint[] = [];

const NO_BLOCK: DeclarationBlock = { usual: NO_VALUES, important: NO_VALUES };

const NO_GROUND = /^(?:none|transparent|inherit|initial|unset)?$/;
const PICTURE = /\burl\(|gradient\(|image-set\(/;

/** These can move an element over another one. */
const MOVES: ReadonlySet<string> = new Set(
	'margin margin-bottom margin-left margin-right margin-top position'.split(' '),
);

/** Properties whose values are kept as they are written, and all that are read. */
const KEPT: ReadonlySet<string> = new Set([...Object.keys(HIDES), 'overflow', 'white-space']);
const READ: ReadonlySet<string> = new Set([
	...KEPT,
	...MOVES,
	...'background background-color background-image font'.split(' '),
]);

const NEGATIVE = /(?:^|\s)-[\d.]*[1-9]/;

/** The size in `font: bold 12px/1.5 Arial` is the first one. */
const SIZE = /^(?:0|(?:\d+(?:\.\d*)?|\.\d+)(?:[a-z]+|%))$/;

/** The styles of an email: its style sheets, wherever they stand, and its `style` attributes. */
export class Styles {
	/** Something in the email could put another ground below any text. */
	isCovered = false;

	readonly selectors: Selectors;

	private readonly css: CssReader | undefined;

	private readonly attributes = new Map<string, DeclarationBlock>();

	/** Characters that may still be read. */
	private room: { sheets: number; attributes: number };

	/** @param tokenizer for an email with styles */
	constructor(
		private readonly limits: Limits,
		tokenizer?: CssTokenizer,
	) {
		this.selectors = new Selectors(limits);
		this.room = { sheets: limits.styleSheets, attributes: limits.styleAttributes };
		this.css = tokenizer && new CssReader(tokenizer, READ);
	}

	addSheet(css: string, media: string): void {
		this.room.sheets -= css.length;
		const rules = this.room.sheets < 0 ? undefined : this.css?.readSheet(css, media);
		this.isCovered ||= rules === undefined;
		for (const { prelude, declarations, isApplied } of rules ?? []) {
			if (isApplied === false) continue;
			const block = this.toBlock(declarations);
			if (block.usual.size + block.important.size === 0) continue;
			const areRead = prelude
				.split(',')
				.map((selector) => isApplied === true && this.selectors.add(selector, block));
			this.isCovered ||= areRead.includes(false) && hasGround(block);
		}
	}

	/** Reads the attributes of an element; to be called for all elements before the first one is judged. */
	readAttributes(attributes: Attributes): DeclarationBlock | undefined {
		this.isCovered ||= attributes.has('background');
		const style = attributes.get('style');
		return style === undefined ? undefined : this.readAttribute(style);
	}

	private readAttribute(style: string): DeclarationBlock {
		const known = this.attributes.get(style);
		if (known) return known;
		this.room.attributes -= style.length;
		const isTooLong = style.length > this.limits.attribute || this.room.attributes < 0;
		this.isCovered ||= isTooLong;
		if (!this.css || isTooLong) return NO_BLOCK;
		const block = this.toBlock(this.css.readAttribute(style));
		this.attributes.set(style, block);
		return block;
	}

	/** What an element declares by its rules, the heaviest last, and its attributes. */
	valuesOf(
		name: string,
		attributes: Attributes,
		rules: readonly DeclarationBlock[],
		own: DeclarationBlock | undefined,
	): Values {
		const hints = hintsOf(name, attributes);
		if (hints.length === 0 && rules.length === 0 && !own) return NO_VALUES;
		const blocks = own ? [...rules, own] : rules;
		const [first = NO_BLOCK] = blocks;
		if (hints.length === 0 && blocks.length < 2 && first.important.size === 0) return first.usual;
		const values = new Map(hints);
		for (const { usual } of blocks) for (const [key, value] of usual) values.set(key, value);
		for (const { important } of blocks)
			for (const [key, value] of important) values.set(key, value);
		return values;
	}

	private toBlock(declarations: readonly Declaration[]): DeclarationBlock {
		const [usual, important] = [new Map<string, string>(), new Map<string, string>()];
		for (const { property, value, isImportant } of declarations) {
			const isPicture = property.startsWith('background') && PICTURE.test(value);
			const isMoved = MOVES.has(property) && (property === 'position' || NEGATIVE.test(value));
			this.isCovered ||= isPicture || isMoved;
			const [name, read] = readValue(property, value);
			if (read !== undefined) (isImportant ? important : usual).set(name, read);
		}
		return { usual, important };
	}
}

/** What attributes say counts as long as no style says otherwise. */
function hintsOf(name: string, attributes: Attributes): readonly Hint[] {
	if (attributes.size === 0 && name !== 'pre' && name !== 'xmp') return NO_HINTS;
	const hints: Hint[] = [];
	const hint = (property: string, value: string | undefined) => {
		const color = value
			?.trim()
			.toLowerCase()
			.replace(/^(?=[\da-f]{6}$)/, '#');
		if (color !== undefined) hints.push([property, readValue(property, color)[1] ?? '']);
	};
	if (name === 'pre' || name === 'xmp') hints.push(['white-space', 'pre']);
	if (attributes.has('hidden')) hints.push(['display', 'none']);
	hint('background', attributes.get('bgcolor'));
	if (name === 'a' && attributes.has('href')) hint('color', 'blue');
	else if (name === 'body') hint('color', attributes.get('text'));
	else if (name === 'font') hint('color', attributes.get('color'));
	return hints;
}

/** @returns the property that it sets; without a value if that is not read */
function readValue(property: string, value: string): [property: string, value?: string] {
	switch (property) {
		case 'background':
		case 'background-color':
			return ['background', groundOf(value)];
		case 'color':
			return [property, value === 'inherit' ? value : (readColor(value) ?? '')];
		case 'font':
			return ['font-size', value.split(/[\s/]+/).find((word) => SIZE.test(word))];
		default:
			return KEPT.has(property) ? [property, value] : [property];
	}
}

/** @returns six digits; `inherit` for none; empty for any other */
function groundOf(value: string): string {
	if (NO_GROUND.test(value)) return 'inherit';
	const words = value.match(/#[\da-f]+|rgba?\([^()]*\)|[a-z-]+/g) ?? [];
	const color = words.map(readColor).find((one) => one !== undefined) ?? '';
	return color === 'transparent' ? 'inherit' : color;
}

function hasGround({ usual, important }: DeclarationBlock): boolean {
	return [usual, important].some((one) => (one.get('background') ?? 'inherit') !== 'inherit');
}

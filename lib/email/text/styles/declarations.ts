import { readColor } from './colors';
import type { Declaration } from './css';
import { HIDES, mightShow, UNKNOWN, type Values } from './visibility';

/** What a rule or an attribute declares. */
export interface Declared {
	usual: Values;
	/** These outweigh all others. */
	important: Values;
}

const NO_VALUES: Values = new Map();

export const NOTHING: Declared = { usual: NO_VALUES, important: NO_VALUES };

const NOT_KNOWN: Values = new Map(Object.keys(HIDES).map((property) => [property, UNKNOWN]));

/** What an attribute or a sheet could declare that is not read. */
export const ANYTHING: Declared = { usual: NOT_KNOWN, important: NOT_KNOWN };

/** These can move an element over another one. */
const MOVES: ReadonlySet<string> = new Set(
	'margin margin-bottom margin-left margin-right margin-top position'.split(' '),
);

/** Properties whose values are kept as they are written. */
const KEPT: ReadonlySet<string> = new Set([...Object.keys(HIDES), 'overflow', 'white-space']);

export const WANTED: ReadonlySet<string> = new Set([
	...KEPT,
	...MOVES,
	...'all background background-color background-image font'.split(' '),
]);

const NO_GROUND = /^(?:none|transparent|inherit|initial|unset)?$/;
const PICTURE = /\burl\(|gradient\(|image-set\(/;
const NEGATIVE = /(?:^|\s)-[\d.]*[1-9]/;

const SIZE = /^(?:0|(?:\d+(?:\.\d*)?|\.\d+)(?:[a-z]+|%))$/;

export function isBackground({ property }: Declaration): boolean {
	return property.startsWith('background');
}

/** Whether it could put a ground that is not known below the text of another element. */
export function couldCover(declaration: Declaration): boolean {
	const { property, value } = declaration;
	if (isBackground(declaration)) return PICTURE.test(value);
	return MOVES.has(property) && (property === 'position' || NEGATIVE.test(value));
}

/** Reads what rules and attributes declare. Those with the same content get the same object, for which styles are remembered. */
export class DeclarationReader {
	private readonly known = new Map<string, Declared>();

	/** @returns `NOTHING` if there is none that is needed */
	read(declarations: readonly Declaration[]): Declared {
		const usual = new Map<string, string>();
		const important = new Map<string, string>();
		for (const { property, value, isImportant } of declarations) {
			const values = isImportant ? important : usual;
			for (const [name, read] of valuesOf(property, value)) values.set(name, read);
		}
		return this.declaredBy(usual, important);
	}

	/**
	 * What is not known any more if nobody knows whether these declarations count.
	 *
	 * @param isStrong they outweigh an attribute in any case, as those of an animation do
	 */
	doubtOf({ usual, important }: Declared, isStrong: boolean): Declared {
		const doubt = valuesInDoubt(usual);
		const strong = valuesInDoubt(important);
		return isStrong
			? this.declaredBy(NO_VALUES, new Map([...doubt, ...strong]))
			: this.declaredBy(doubt, strong);
	}

	private declaredBy(usual: Values, important: Values): Declared {
		if (usual.size + important.size === 0) return NOTHING;
		const content = `${writtenValues(usual)}!${writtenValues(important)}`;
		const known = this.known.get(content);
		if (known !== undefined) return known;
		const declared: Declared = { usual, important };
		this.known.set(content, declared);
		return declared;
	}
}

/** Different for different values, whatever they contain. */
function writtenValues(values: Values): string {
	let content = '';
	for (const [property, value] of values) content += `${property} ${value.length} ${value} `;
	return content;
}

function valuesOf(property: string, value: string): Iterable<[property: string, value: string]> {
	switch (property) {
		case 'all':
			return NOT_KNOWN;
		case 'background':
		case 'background-color':
			return [['background', readGround(value)]];
		case 'color':
			return [['color', readTextColor(value)]];
		case 'font':
			return [['font-size', sizeOfFont(value)]];
		default:
			return KEPT.has(property) ? [[property, value]] : [];
	}
}

function readTextColor(value: string): string {
	if (value === 'inherit') return value;
	return readColor(value) ?? UNKNOWN;
}

/** The size in `font: bold 12px/1.5 Arial` is the first one. */
function sizeOfFont(font: string): string {
	const words = font.split(/[\s/]+/);
	return words.find((word) => SIZE.test(word)) ?? UNKNOWN;
}

/** @returns six digits; `inherit` for none; empty for any other */
export function readGround(value: string): string {
	if (NO_GROUND.test(value)) return 'inherit';
	const words = value.match(/#[\da-f]+|rgba?\([^()]*\)|[a-z-]+/g) ?? [];
	const color = words.map(readColor).find((one) => one !== undefined) ?? UNKNOWN;
	return color === 'transparent' ? 'inherit' : color;
}

/** What two rules declare whose order and weights are not known. */
export function bothDeclared(one: Declared, other: Declared): Declared {
	return {
		usual: agree(one.usual, other.usual),
		important: agree(one.important, other.important),
	};
}

/** A value on which two sources do not agree is not known. */
function agree(one: Values, other: Values): Values {
	let values: Map<string, string> | undefined;
	for (const [property, value] of other) {
		const known = one.get(property);
		if (known === value || known === UNKNOWN) continue;
		// Most rules of a property say the same, and there can be thousands.
		values ??= new Map(one);
		values.set(property, known === undefined ? value : UNKNOWN);
	}
	return values ?? one;
}

function valuesInDoubt(values: Values): Values {
	const doubt = new Map<string, string>();
	for (const [property, value] of values)
		if (mightShow(property, value)) doubt.set(property, UNKNOWN);
	return doubt;
}

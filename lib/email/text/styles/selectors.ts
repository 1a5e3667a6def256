/** One of the selectors of a rule. */
export interface Selector {
	/** The type that an element needs for it, in lower case; empty for any. */
	type: string;
	/** The class or the ID that an element needs for it, such as `.a` or `#a`; empty for none. */
	name: string;
	/** The classes, IDs and attributes that the email needs for it: `.a`, `#a`, `a`. */
	names: readonly string[];
	/** It asks for nothing but its type and its name. */
	isSimple: boolean;
}

/** A selector of any element, as far as we know. */
export const ANY: Selector = { type: '', name: '', names: [], isSimple: false };

const MAX_LIST = 5000;

const TYPE = '[a-z][a-z\\d-]*';
const NAME = '[.#](?!-?\\d)[\\w\\u0080-\\uffff-]+';
const ATTRIBUTE = '\\[[\\w-]+';
const PSEUDO = '::?[a-z-]+';

const SIMPLE = new RegExp(`^(?:${TYPE}(?:${NAME})?|${NAME})$`, 'i');
const COMPOUND = new RegExp(`^(${TYPE}|\\*)?((?:${NAME}|${ATTRIBUTE}|${PSEUDO})*)$`, 'i');
const NAMES = new RegExp(NAME, 'g');
const REQUIRED = new RegExp(`${NAME}|${ATTRIBUTE}`, 'g');
const COMBINATORS = /\s*[\s>+~]\s*/;

/** Some emails write `[class="a"]` for `.a`. */
const NAME_IN_BRACKETS = /\[(class|id)~?=["']?([a-z][\w-]*)["']?\]/gi;
const BRACKETS = /\[\s*([\w-]+)(?![\w-])[^[\]]*\]/g;
const PARENTHESES = /\([^()]*\)/g;

/** @param list the selectors of a rule, without comments */
export function readSelectors(list: string): Selector[] {
	if (list.length > MAX_LIST) return [ANY];
	const plain = list
		.replace(NAME_IN_BRACKETS, (_, kind: string, name: string) => {
			const mark = kind.toLowerCase() === 'id' ? '#' : '.';
			return `${mark}${name}[${kind}]`;
		})
		.replace(BRACKETS, (_, name: string) => `[${name.toLowerCase()}`)
		.replace(PARENTHESES, ':is');
	return plain.split(',').map((selector) => readSelector(selector.trim()));
}

/** @param selector with `[a` for a condition on the attribute `a`, and without parentheses */
function readSelector(selector: string): Selector {
	const compounds = selector.split(COMBINATORS);
	if (!compounds.every((compound) => COMPOUND.test(compound))) return ANY;
	const [, type = '', rest = ''] = COMPOUND.exec(compounds.at(-1) ?? '') ?? [];
	const names = (selector.match(REQUIRED) ?? []).map((one) => one.replace('[', ''));
	return {
		type: type === '*' ? '' : type.toLowerCase(),
		name: rest.match(NAMES)?.at(-1) ?? '',
		names,
		isSimple: SIMPLE.test(selector),
	};
}

/** The parts of css-tree that are bundled; its types are not published. */
declare module 'css-tree/tokenizer' {
	export const tokenTypes: Readonly<Record<string, number>>;
	export function tokenize(
		css: string,
		onToken: (type: number, start: number, end: number) => void,
	): void;
}

declare module 'css-tree/utils' {
	export const ident: { decode(written: string): string };
}

declare module 'css-tree/selector-parser' {
	interface Named<Type extends string> {
		type: Type;
		name: string;
	}

	export interface Attribute {
		type: 'AttributeSelector';
		name: Named<'Identifier'>;
		matcher: string | null;
		value: Named<'Identifier'> | { type: 'String'; value: string } | null;
		flags: string | null;
	}

	export interface PseudoClass extends Named<'PseudoClassSelector'> {
		children: Iterable<SelectorList | Nth | { type: 'Raw' }> | null;
	}

	export interface Nth {
		type: 'Nth';
		nth: Named<'Identifier'> | { type: 'AnPlusB'; a: string | null; b: string | null };
		selector: SelectorList | null;
	}

	export type Simple =
		| Attribute
		| PseudoClass
		| Named<
				'TypeSelector' | 'ClassSelector' | 'IdSelector' | 'Combinator' | 'PseudoElementSelector'
		  >
		| { type: 'NestingSelector' | 'Percentage' };

	export interface Selector {
		type: 'Selector';
		children: Iterable<Simple>;
	}

	export interface SelectorList {
		type: 'SelectorList';
		children: Iterable<Selector>;
	}

	/** @throws where a browser leaves out the rule */
	export default function parse(selectors: string): SelectorList;
}

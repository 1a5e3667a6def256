/** The parts of css-tree that are bundled; it has no types of its own. */
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
	type Named<Type extends string> = { type: Type; name: string };
	type ListOf<Type extends string, Child> = { type: Type; children: Iterable<Child> };

	export type Attribute = {
		type: 'AttributeSelector';
		name: Named<'Identifier'>;
		matcher: string | null;
		value: Named<'Identifier'> | { type: 'String'; value: string } | null;
		flags: string | null;
	};
	export type Simple =
		| Attribute
		| (Named<'PseudoClassSelector'> & { children: object | null })
		| Named<
				'TypeSelector' | 'ClassSelector' | 'IdSelector' | 'Combinator' | 'PseudoElementSelector'
		  >
		| { type: 'NestingSelector' | 'Percentage' };
	export type Selector = ListOf<'Selector', Simple>;
	export type SelectorList = ListOf<'SelectorList', Selector>;

	/** @throws for a mistake, for which browsers leave out the rule */
	export default function parse(selectors: string): SelectorList;
}

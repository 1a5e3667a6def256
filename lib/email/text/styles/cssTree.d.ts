/** The part of css-tree that is bundled; it has no types of its own. */
declare module 'css-tree/tokenizer' {
	export const tokenTypes: Readonly<Record<string, number>>;
	export function tokenize(
		css: string,
		onToken: (type: number, start: number, end: number) => void,
	): void;
}

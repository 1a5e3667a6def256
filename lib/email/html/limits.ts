/**
 * How much of the HTML that a stranger writes is read. Styles beyond a limit are not read, and the words that they could hide are
 * reported. The style sheets of large senders have less than 100,000 characters.
 */
export interface Limits {
	/** Characters of one attribute: also a picture in a `style` attribute is rarely longer, and an address never is. */
	attribute: number;
	/** Characters of all style sheets together: they are read in one piece, 300,000 in about 100 ms. */
	styleSheets: number;
	/** Characters of all different `style` attributes together: mail programs repeat a few. */
	styleAttributes: number;
	/** Rules within each other: each takes a call. */
	nestedRules: number;
	/** Characters of one list of selectors, or of one value: no email has longer ones. */
	selectors: number;
	/** Simple selectors of one selector, so that a weight has room for them. */
	simpleSelectors: number;
	/** Parts of selectors, such as `p` and `.a` of `p > .a`: each has a state for each open element. */
	selectorParts: number;
	/** Rules times elements: so many parts of selectors are compared with an element, half a second of work. */
	comparisons: number;
	/** Values of custom properties: no email has more. */
	variables: number;
	/** Values that one element could have, where some could not be read. */
	alternatives: number;
	/** Characters of words that are compared, because pairs of words take memory. */
	comparedWords: number;
	/** Elements within each other: where browsers stop, too. */
	nesting: number;
	/** Names of elements: HTML has about 150. */
	names: number;
	/** Lines with their own state in Markdown; a longer text stays plain. */
	markdownLines: number;
}

export const LIMITS: Limits = {
	attribute: 20_000,
	styleSheets: 300_000,
	styleAttributes: 500_000,
	nestedRules: 20,
	selectors: 2000,
	simpleSelectors: 60,
	selectorParts: 20_000,
	comparisons: 2_000_000,
	variables: 200,
	alternatives: 8,
	comparedWords: 200_000,
	nesting: 512,
	names: 1000,
	markdownLines: 50_000,
};

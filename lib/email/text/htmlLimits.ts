import type { Pace } from '../../basics';

/**
 * How much of the HTML that a stranger writes is read. Styles beyond a limit are not read, so they hide nothing. The style sheets of
 * large senders have less than 100,000 characters.
 */
export const HTML_LIMITS = {
	/** Characters of one attribute. Even a picture in a `style` attribute is rarely longer. */
	attribute: 20_000,
	/** Characters of all style sheets together. They are read in one piece, which takes about 50 ms. */
	styleSheets: 150_000,
	/** Characters of all different `style` attributes together. Mail programs repeat a few. */
	styleAttributes: 200_000,
	/** Tags and texts that are kept in memory until all style sheets are known. Sheets after them are not read. */
	tokens: 50_000,
	/** Elements within each other: where browsers stop, too. */
	nesting: 512,
	/** Names of elements, and of attributes, that are remembered: HTML has about 150 of each. */
	names: 1000,
	/** Lines and characters of a text in Markdown. A longer one stays plain. */
	markdownLines: 50_000,
	markdownCharacters: 1_000_000,
	/** Lines of HTML, and texts between tags, because each takes memory until all are written. A longer text is written as plain text at once. */
	pieces: 100_000,
};

export type Limits = Readonly<typeof HTML_LIMITS>;

/** What every reader of HTML gets. */
export interface HtmlReading {
	pace: Pace;
	limits: Limits;
}

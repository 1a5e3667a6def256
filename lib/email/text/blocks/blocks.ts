/**
 * A text as a list of blocks: HTML becomes blocks by one walk, a plain text becomes one block a line. A reply is cut in blocks;
 * plain text and Markdown are two ways to write them.
 */

/** How the text of an email is written. */
export type TextFormat = 'plain' | 'markdown';

/** One line of a text. The lines of a paragraph follow each other without an empty line between. */
export interface Block {
	/**
	 * - `paragraph`: words; any number of blanks counts as one
	 * - `preformatted`: blanks count
	 * - `rule`: a line that is drawn; without runs
	 * - `written`: a line of a plain text, as it was written; at most one run
	 */
	kind: 'paragraph' | 'preformatted' | 'rule' | 'written';
	/** The line breaks between it and the block above: one, or several where empty lines stand between, with their blanks. */
	breaks: string;
	/** Its words in reading order. An empty line within a quotation of a plain text has none. */
	runs: readonly Run[];
	/** The entries of lists that begin with this line, the outermost first. */
	items: readonly ListItem[];
	around: Surroundings;
}

/** Words of a line that look the same. */
export interface Run {
	/** Between these words and those before them on the line. A tab separates the cells of a row. */
	gap: '' | ' ' | '\t';
	text: string;
	/** The outermost first. */
	marks: readonly Mark[];
	/** The address of a link that ends here and whose label does not say it. Plain text has it after the words. */
	address: string | undefined;
}

/** How words are shown: a mark, as in rich-text editors. One element has one mark, also where it reaches over several runs or lines. */
export type Mark = Emphasis | Link;

export interface Emphasis {
	kind: 'bold' | 'italic' | 'code' | 'struck';
}

export interface Link {
	kind: 'link';
	/** Where it leads, such as `https://…`, `mailto:…` or `tel:…`. */
	address: string;
}

/** The elements around a line. */
export interface Surroundings {
	/** The innermost quotation or entry of a list; undefined outside of any. */
	container: TextContainer | undefined;
	/** The level of the heading, 1 to 6; 0 for none. */
	heading: number;
	/** The preformatted element, such as code, whose lines belong together; undefined outside of one. */
	code: Code | undefined;
	/** The row of the innermost table; undefined outside of any. */
	row: Row | undefined;
	/** The innermost cell; undefined outside of any. */
	cell: object | undefined;
}

/** A quotation or an entry of a list, which can stand within others. */
export type TextContainer = QuoteContainer | ListItem;

export interface QuoteContainer {
	kind: 'quotation';
	outer: TextContainer | undefined;
	/** How many quotations the text is in, at least 1. */
	depth: number;
	/** The marks of a plain text, such as `>> `, as they were written; undefined for a quotation of HTML. */
	quoteMarks: string | undefined;
}

export interface ListItem {
	kind: 'item';
	outer: TextContainer | undefined;
	/** How many quotations the text is in. */
	depth: number;
	/** Before its first line: `- `, or its number, such as `3. `. */
	marker: string;
	/** How many lists its own list stands in. */
	level: number;
}

export interface Code {
	/** Of the whole element, around its first line. */
	container: TextContainer | undefined;
}

export interface Row {
	table: Table;
	/** The columns whose cells have text, from 0, in the order of the cells on the line. */
	filled: readonly number[];
}

export interface Table {
	/** Whether it has rows and columns of data, and does not only put things beside each other. */
	isData: boolean;
	/** Of its longest row. */
	columns: number;
}

/** Nothing is around a line. */
export const OUTSIDE: Surroundings = {
	container: undefined,
	heading: 0,
	code: undefined,
	row: undefined,
	cell: undefined,
};

/** How many quotations a block is in. */
export function quotationDepth({ around }: Block): number {
	return around.container?.depth ?? 0;
}

/** Whether an empty line stands above it. */
export function isApart({ breaks }: Block): boolean {
	return breaks.length > 1;
}

/** Whether people see it. */
export function hasWords({ kind, runs }: Block): boolean {
	if (kind === 'rule') return true;
	for (const { text } of runs) if (text.trim() !== '') return true;
	return false;
}

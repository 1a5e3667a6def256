import { matchMedia } from './media';

export type CssTokenizer = typeof import('css-tree/tokenizer');

export interface Declaration {
	/** In lower case, as is the value. */
	property: string;
	/** Its beginning, without comments. */
	value: string;
	isImportant: boolean;
}

export interface Rule {
	/** Its selectors as written. */
	prelude: string;
	declarations: Declaration[];
	/** Undefined for one that is within something else than `@media`, or has a condition that is not read. */
	isApplied: boolean | undefined;
}

interface OpenBlock extends Rule {
	/** The same for rules within it. */
	appliesInner: boolean | undefined;
}

// Longer values are pictures and fonts. Longer lists of selectors are not read.
const MAX_VALUE = 200;
const MAX_PRELUDE = 5000;

const IMPORTANT = /!\s*important$/;

/**
 * Reads rules and declarations as browsers do (CSS Syntax 3, 5.4 and 5.5): a mistake ends with its rule or declaration. Of css-tree
 * only the tokenizer is used: its parser copies the whole style sheet for each mistake (20 s for 300 KB of `a{]}`).
 */
export class CssReader {
	private readonly type: CssTokenizer['tokenTypes'];

	/** The token that closes a bracket, by the one that opens it. */
	private readonly closers: ReadonlyMap<number | undefined, number | undefined>;

	private css = '';

	private isSheet = false;

	private rules: Rule[] = [];

	/** The blocks around the current place. */
	private blocks: OpenBlock[] = [];

	/** What closes the brackets that are open within the current statement. */
	private brackets: Array<number | undefined> = [];

	/** The rule or declaration that is being read: its start, the end of its name and of the colon; -1 as long as it has none. */
	private start = -1;

	private nameEnd = -1;

	private colonEnd = -1;

	/** Within it, by start and end. */
	private comments: Array<readonly [start: number, end: number]> = [];

	/** @param wanted properties */
	constructor(
		private readonly library: CssTokenizer,
		private readonly wanted: ReadonlySet<string>,
	) {
		const type = (this.type = library.tokenTypes);
		this.closers = new Map([
			[type.Function, type.RightParenthesis],
			[type.LeftParenthesis, type.RightParenthesis],
			[type.LeftSquareBracket, type.RightSquareBracket],
			[type.LeftCurlyBracket, type.RightCurlyBracket],
		]);
	}

	/**
	 * Reads a style sheet.
	 *
	 * @param media of the whole sheet
	 * @returns the rules that have wanted declarations, in the order of their ends
	 */
	readSheet(css: string, media: string): Rule[] {
		this.isSheet = true;
		return this.read(css, newBlock(`@media ${media}`, true));
	}

	/** Reads a `style` attribute. */
	readAttribute(css: string): Declaration[] {
		this.isSheet = false;
		return this.read(css, newBlock('', true)).at(-1)?.declarations ?? [];
	}

	private read(css: string, whole: OpenBlock): Rule[] {
		[this.css, this.rules, this.blocks, this.brackets] = [css, [], [whole], []];
		this.startStatement();
		this.library.tokenize(css, (token, start, end) => this.addToken(token, start, end));
		this.endDeclaration(css.length);
		while (this.blocks.length > 0) this.endBlock();
		return this.rules;
	}

	private addToken(token: number, start: number, end: number): void {
		const { type, brackets } = this;
		if (token === type.Comment) {
			this.comments.push([start, end]);
		} else if (brackets.length > 0) {
			if (token === brackets.at(-1)) brackets.pop();
			else if (this.closers.has(token)) brackets.push(this.closers.get(token));
		} else if (token === type.LeftCurlyBracket && !this.isCustomProperty()) {
			this.startBlock(start);
		} else if (token === type.RightCurlyBracket && this.blocks.length > 1) {
			this.endDeclaration(start);
			this.endBlock();
		} else if (token === type.Semicolon && this.canEndHere()) {
			this.endDeclaration(start);
			this.startStatement();
		} else {
			this.addToStatement(token, start, end);
		}
	}

	private addToStatement(token: number, start: number, end: number): void {
		const { type } = this;
		if (token === type.WhiteSpace) return;
		if (this.closers.has(token)) this.brackets.push(this.closers.get(token));
		if (this.start < 0) {
			if (token === type.CDO || token === type.CDC) return;
			[this.start, this.nameEnd] = [start, token === type.Ident ? end : -1];
		} else if (this.nameEnd > 0 && this.colonEnd < 0) {
			if (token === type.Colon) this.colonEnd = end;
			else this.nameEnd = -1;
		}
	}

	private startStatement(): void {
		[this.start, this.nameEnd, this.colonEnd, this.comments] = [-1, -1, -1, []];
	}

	/** The block of one is a part of its value. */
	private isCustomProperty(): boolean {
		return this.colonEnd > 0 && this.css.startsWith('--', this.start);
	}

	/** Outside of the blocks of a sheet, a semicolon ends nothing but at-rules. */
	private canEndHere(): boolean {
		return !this.isSheet || this.blocks.length > 1 || this.css[this.start] === '@';
	}

	private startBlock(end: number): void {
		const isRead = this.start >= 0 && end - this.start <= MAX_PRELUDE;
		const prelude = isRead ? this.textOf(this.start, end) : '';
		this.blocks.push(newBlock(prelude, this.blocks.at(-1)?.appliesInner));
		this.startStatement();
	}

	private endBlock(): void {
		const block = this.blocks.pop();
		if (block && block.declarations.length > 0) this.rules.push(block);
		this.startStatement();
	}

	private endDeclaration(end: number): void {
		const { start, nameEnd, colonEnd } = this;
		const declarations = this.blocks.at(-1)?.declarations;
		if (colonEnd < 0 || !declarations) return;
		const property = this.css.slice(start, nameEnd).toLowerCase();
		if (!this.wanted.has(property)) return;
		const ending = this.css.slice(Math.max(colonEnd, end - MAX_VALUE), end);
		const isImportant = IMPORTANT.test(ending.trimEnd().toLowerCase());
		const written = this.textOf(colonEnd, Math.min(end, colonEnd + MAX_VALUE)).toLowerCase();
		const value = written.replace(IMPORTANT, '').trimEnd();
		declarations.push({ property, value, isImportant });
	}

	private textOf(start: number, end: number): string {
		let [text, from] = ['', start];
		for (const [comment, behind] of this.comments) {
			if (comment < from || behind > end) continue;
			text += `${this.css.slice(from, comment)} `;
			from = behind;
		}
		return (text + this.css.slice(from, end)).trim();
	}
}

function newBlock(prelude: string, isApplied: boolean | undefined): OpenBlock {
	const [, media] = /^@media\b(.*)$/is.exec(prelude) ?? [];
	const appliesInner =
		media === undefined || isApplied === undefined ? undefined : isApplied && matchMedia(media);
	return { prelude, declarations: [], isApplied, appliesInner };
}

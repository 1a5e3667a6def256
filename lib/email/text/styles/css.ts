import { screensOf, screensWithin, type Screens } from './screens';

/** The part of css-tree that is used. Its parser copies the whole style sheet for each mistake (20 s for 300 KB of `a{]}`). */
export type CssTokenizer = typeof import('css-tree/tokenizer');

export interface Declaration {
	/** In lower case, as is the value. */
	property: string;
	/** Without comments and `!important`. */
	value: string;
	isImportant: boolean;
}

export interface Rule {
	/** As written, without comments. Undefined if the rule can be for any element, as within `@keyframes`. */
	selectors: string | undefined;
	/** The screens that all conditions around the rule allow. */
	screens: Screens;
	/** Declarations of wanted properties. */
	declarations: Declaration[];
}

export interface Sheet {
	/** The rules with wanted declarations, in the order in which they end. */
	rules: Rule[];
	/** False if blocks are nested deeper than is read. */
	isWhole: boolean;
}

interface OpenBlock extends Rule {
	/** Contains rules, as a whole sheet and `@media` do. */
	isGroup: boolean;
}

/** A rule or a declaration that is being read, by places in the text. */
interface Statement {
	start: number;
	/** The end of its first word; -1 if it does not begin with a word, or if no colon follows. */
	nameEnd: number;
	/** After the colon that follows the first word; -1 if it is not a declaration. */
	valueStart: number;
	/** The comments in it, by start and end. */
	comments: Array<readonly [start: number, end: number]>;
}

const MEDIA = /^@media\b(.*)$/is;

const IMPORTANT = /!\s*important$/;

/**
 * Reads style sheets and `style` attributes as browsers do (CSS Syntax 3, 5.4 and 5.5): a mistake spoils only the rule or
 * declaration that it is in. The time is linear in the length.
 */
export class CssReader {
	private readonly types: CssTokenizer['tokenTypes'];

	private css = '';

	/** The rules that have ended. */
	private rules: Rule[] = [];

	/** The open blocks that are read, the innermost last. */
	private blocks: OpenBlock[] = [];

	/** How many open blocks are too deep to be read. They are in the innermost of `blocks`. */
	private unreadDepth = 0;

	private isWhole = true;

	/** The tokens that close the brackets around the current place, the innermost last. */
	private brackets: number[] = [];

	/** Undefined before its first token. */
	private statement: Statement | undefined;

	/**
	 * @param wanted properties; others are not read
	 * @param maxDepth blocks within each other that are read
	 */
	constructor(
		private readonly library: CssTokenizer,
		private readonly wanted: ReadonlySet<string>,
		private readonly maxDepth: number,
	) {
		this.types = library.tokenTypes;
	}

	/** @param media the condition of the whole sheet */
	readSheet(css: string, media: string): Sheet {
		const screens = screensOf(media);
		this.read(css, { selectors: undefined, screens, isGroup: true, declarations: [] });
		return { rules: this.rules, isWhole: this.isWhole };
	}

	/** Reads a `style` attribute. */
	readAttribute(css: string): Declaration[] {
		const declarations: Declaration[] = [];
		this.read(css, { selectors: undefined, screens: 'every', isGroup: false, declarations });
		return declarations;
	}

	/** @param whole the block that the text stands for */
	private read(css: string, whole: OpenBlock): void {
		this.css = css;
		this.rules = [];
		this.blocks = [whole];
		this.unreadDepth = 0;
		this.isWhole = true;
		this.brackets = [];
		this.endStatement();
		this.library.tokenize(css, (token, start, end) => this.addToken(token, start, end));
		while (this.blocks.length > 0) this.endBlock(css.length);
	}

	private addToken(token: number, start: number, end: number): void {
		const { types, brackets } = this;
		if (token === types.WhiteSpace) return;
		if (token === types.Comment) {
			this.statement?.comments.push([start, end]);
			return;
		}
		const isInBrackets = brackets.length > 0;
		if (!isInBrackets && this.beginOrEnd(token, start)) return;
		const closer = this.closerOf(token);
		if (closer !== undefined) brackets.push(closer);
		else if (token === brackets.at(-1)) brackets.pop();
		this.addToStatement(token, start, end);
	}

	/** @returns false for a token that neither begins a block nor ends a block or a declaration */
	private beginOrEnd(token: number, start: number): boolean {
		const { types } = this;
		switch (token) {
			case types.LeftCurlyBracket:
				// It is a bracket in the value.
				if (this.isCustomProperty()) return false;
				this.startBlock(start);
				return true;
			case types.RightCurlyBracket:
				if (this.blocks.length === 1) return false;
				if (this.unreadDepth > 0) this.endUnreadBlock();
				else this.endBlock(start);
				return true;
			case types.Semicolon:
				if (!this.canEndHere()) return false;
				this.endDeclaration(start);
				return true;
			default:
				return false;
		}
	}

	private addToStatement(token: number, start: number, end: number): void {
		const { types, statement } = this;
		if (statement === undefined) {
			if (token === types.CDO || token === types.CDC) return;
			const nameEnd = token === types.Ident ? end : -1;
			this.statement = { start, nameEnd, valueStart: -1, comments: [] };
		} else if (statement.nameEnd >= 0 && statement.valueStart < 0) {
			if (token === types.Colon) statement.valueStart = end;
			else statement.nameEnd = -1;
		}
	}

	private closerOf(token: number): number | undefined {
		const { types } = this;
		switch (token) {
			case types.Function:
			case types.LeftParenthesis:
				return types.RightParenthesis;
			case types.LeftSquareBracket:
				return types.RightSquareBracket;
			case types.LeftCurlyBracket:
				return types.RightCurlyBracket;
			default:
				return undefined;
		}
	}

	/** Whether the statement is a custom property (`--x: { … }`), whose value can contain a block. */
	private isCustomProperty(): boolean {
		const { statement } = this;
		if (this.isAmongRules || statement === undefined || statement.valueStart < 0) return false;
		return this.css.startsWith('--', statement.start);
	}

	private get isAmongRules(): boolean {
		return this.blocks.at(-1)?.isGroup === true;
	}

	/** Whether a semicolon ends the statement. Among rules, it ends only at-rules. */
	private canEndHere(): boolean {
		if (!this.isAmongRules) return true;
		return this.statement !== undefined && this.css[this.statement.start] === '@';
	}

	private startBlock(start: number): void {
		if (this.blocks.length > this.maxDepth) {
			this.unreadDepth++;
			this.isWhole = false;
			this.endStatement();
			return;
		}
		const prelude = this.textOf(this.statement?.start ?? start, start);
		this.blocks.push(this.blockAfter(prelude));
		this.endStatement();
	}

	private blockAfter(prelude: string): OpenBlock {
		const screens = this.blocks.at(-1)?.screens ?? 'every';
		const declarations: Declaration[] = [];
		if (!this.isAmongRules) return { selectors: undefined, screens, isGroup: false, declarations };
		const condition = MEDIA.exec(prelude)?.[1];
		if (condition !== undefined) {
			const within = screensWithin(screens, screensOf(condition));
			return { selectors: undefined, screens: within, isGroup: true, declarations };
		}
		// Rules in other at-rules, such as `@supports`, are read as rules for any element.
		const selectors = prelude.startsWith('@') ? undefined : prelude;
		return { selectors, screens, isGroup: false, declarations };
	}

	private endUnreadBlock(): void {
		this.unreadDepth--;
		this.endStatement();
	}

	private endBlock(start: number): void {
		this.endDeclaration(start);
		const block = this.blocks.pop();
		if (block && block.declarations.length > 0) this.rules.push(block);
	}

	private endDeclaration(end: number): void {
		const declaration = this.readDeclaration(end);
		if (declaration !== undefined) this.blocks.at(-1)?.declarations.push(declaration);
		this.endStatement();
	}

	/** @returns undefined if the statement is not a declaration of a wanted property */
	private readDeclaration(end: number): Declaration | undefined {
		const { statement } = this;
		const isInRule = this.unreadDepth === 0 && !this.isAmongRules;
		if (!isInRule || statement === undefined || statement.valueStart < 0) return undefined;
		const property = this.css.slice(statement.start, statement.nameEnd).toLowerCase();
		if (!this.wanted.has(property)) return undefined;
		const written = this.textOf(statement.valueStart, end).toLowerCase();
		if (!IMPORTANT.test(written)) return { property, value: written, isImportant: false };
		const value = written.replace(IMPORTANT, '').trimEnd();
		return { property, value, isImportant: true };
	}

	private endStatement(): void {
		this.statement = undefined;
		this.brackets = [];
	}

	/** A part of the current statement, with a blank for each comment. */
	private textOf(start: number, end: number): string {
		let text = '';
		let from = start;
		for (const [commentStart, commentEnd] of this.statement?.comments ?? []) {
			if (commentStart < from) continue;
			text += `${this.css.slice(from, commentStart)} `;
			from = commentEnd;
		}
		return (text + this.css.slice(from, end)).trim();
	}
}

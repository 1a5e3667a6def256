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
	/** Of each `@media` around the rule. */
	media: readonly string[];
	/** Those of wanted properties. */
	declarations: Declaration[];
}

interface OpenBlock extends Rule {
	/** Contains rules, as a whole sheet and `@media` do. */
	isGroup: boolean;
}

/** A rule or a declaration that is being read, by places in the text. */
interface Statement {
	start: number;
	/** The end of its first word; -1 if it does not begin with one. */
	nameEnd: number;
	/** Behind the colon that follows the first word; -1 if it is no declaration. */
	valueStart: number;
	/** The comments in it, by start and end. */
	comments: Array<readonly [start: number, end: number]>;
}

const MEDIA = /^@media\b(.*)$/is;

const IMPORTANT = /!\s*important$/;

/**
 * Reads style sheets and `style` attributes as browsers do (CSS Syntax 3, 5.4 and 5.5): a mistake ends with its rule or
 * declaration. The time is linear in the length.
 */
export class CssReader {
	private readonly types: CssTokenizer['tokenTypes'];

	private css = '';

	/** The rules that have ended. */
	private rules: Rule[] = [];

	/** The blocks around the current place, the innermost last. */
	private blocks: OpenBlock[] = [];

	/** The tokens that close the brackets around the current place, the innermost last. */
	private brackets: Array<number | undefined> = [];

	/** Undefined before its first token. */
	private statement: Statement | undefined;

	/** @param wanted properties; others are not read */
	constructor(
		private readonly library: CssTokenizer,
		private readonly wanted: ReadonlySet<string>,
	) {
		this.types = library.tokenTypes;
	}

	/** @returns the rules with wanted declarations, in the order of their ends */
	readSheet(css: string): Rule[] {
		const sheet = { selectors: undefined, media: [], isGroup: true, declarations: [] };
		return this.read(css, sheet);
	}

	/** Reads a `style` attribute. */
	readAttribute(css: string): Declaration[] {
		const declarations: Declaration[] = [];
		this.read(css, { selectors: undefined, media: [], isGroup: false, declarations });
		return declarations;
	}

	private read(css: string, whole: OpenBlock): Rule[] {
		this.css = css;
		this.rules = [];
		this.blocks = [whole];
		this.brackets = [];
		this.endStatement();
		this.library.tokenize(css, (token, start, end) => this.addToken(token, start, end));
		while (this.blocks.length > 0) this.endBlock(css.length);
		return this.rules;
	}

	private addToken(token: number, start: number, end: number): void {
		const { types, brackets } = this;
		if (token === types.WhiteSpace) return;
		if (token === types.Comment) {
			this.statement?.comments.push([start, end]);
			return;
		}
		if (brackets.length === 0) {
			if (token === types.LeftCurlyBracket && !this.isCustomProperty()) {
				this.startBlock(start);
				return;
			}
			if (token === types.RightCurlyBracket && this.blocks.length > 1) {
				this.endBlock(start);
				return;
			}
			if (token === types.Semicolon && this.canEndHere()) {
				this.endDeclaration(start);
				return;
			}
		}
		const closer = this.closerOf(token);
		if (closer !== undefined) brackets.push(closer);
		else if (token === brackets.at(-1)) brackets.pop();
		this.addToStatement(token, start, end);
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

	/** The value of one can contain a block. */
	private isCustomProperty(): boolean {
		const { statement } = this;
		if (!statement || statement.valueStart < 0 || this.blocks.at(-1)?.isGroup) return false;
		return this.css.startsWith('--', statement.start);
	}

	/** Among rules, a semicolon ends nothing but at-rules. */
	private canEndHere(): boolean {
		if (!this.blocks.at(-1)?.isGroup) return true;
		return this.statement !== undefined && this.css[this.statement.start] === '@';
	}

	private startBlock(start: number): void {
		const outer = this.blocks.at(-1);
		const prelude = this.textOf(this.statement?.start ?? start, start);
		const isAmongRules = outer?.isGroup === true;
		const media = outer?.media ?? [];
		const [, condition] = (isAmongRules && MEDIA.exec(prelude)) || [];
		this.blocks.push({
			selectors: isAmongRules && !prelude.startsWith('@') ? prelude : undefined,
			media: condition === undefined ? media : [...media, condition],
			isGroup: condition !== undefined,
			declarations: [],
		});
		this.endStatement();
	}

	private endBlock(start: number): void {
		this.endDeclaration(start);
		const block = this.blocks.pop();
		if (block && block.declarations.length > 0) this.rules.push(block);
	}

	private endDeclaration(end: number): void {
		const { statement } = this;
		const block = this.blocks.at(-1);
		if (statement && statement.valueStart >= 0 && block?.isGroup === false) {
			const property = this.css.slice(statement.start, statement.nameEnd).toLowerCase();
			if (this.wanted.has(property)) {
				const written = this.textOf(statement.valueStart, end).toLowerCase();
				const isImportant = IMPORTANT.test(written);
				const value = isImportant ? written.replace(IMPORTANT, '').trimEnd() : written;
				block.declarations.push({ property, value, isImportant });
			}
		}
		this.endStatement();
	}

	private endStatement(): void {
		this.statement = undefined;
		this.brackets = [];
	}

	/** A part of the current statement, with a blank for each comment. */
	private textOf(start: number, end: number): string {
		let text = '';
		let from = start;
		for (const [comment, behind] of this.statement?.comments ?? []) {
			if (comment < from) continue;
			text += `${this.css.slice(from, comment)} `;
			from = behind;
		}
		return (text + this.css.slice(from, end)).trim();
	}
}

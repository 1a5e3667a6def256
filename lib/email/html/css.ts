import type { Limits } from './limits';

export interface Declaration {
	/** Lower case, without escapes, as is the value. */
	property: string;
	/** Without comments, and without the content of strings and addresses; one blank between words. */
	value: string;
	isImportant: boolean;
}

export interface Contents {
	declarations: Declaration[];
	rules: Rule[];
}

export interface Rule extends Contents {
	/** Of an at-rule, such as `media`; empty for others. */
	name: string;
	/** The selectors as written; conditions as values are. */
	prelude: string;
}

type Library = typeof import('css-tree/tokenizer') & typeof import('css-tree/utils');

/**
 * Reads rules and declarations as browsers do (CSS Syntax 3, 5.4 and 5.5): a mistake ends with its rule or declaration. Of css-tree
 * only the tokenizer is used: its parser takes a rule within a rule for a declaration, and copies the whole style sheet for each
 * mistake (20 s for 300 KB of `a{]}`).
 */
export class CssReader {
	/** Rules were nested deeper than is read. */
	isCut = false;

	private readonly type: Library['tokenTypes'];

	/** The token that closes a block, by the one that opens it. */
	private readonly closers: ReadonlyMap<number | undefined, number | undefined>;

	private css = '';

	/** Of each token: its type and end, and for one that opens a block, the token that closes it. */
	private types: number[] = [];

	private ends: number[] = [];

	private closing: number[] = [];

	constructor(
		private readonly library: Library,
		private readonly limits: Limits,
	) {
		const type = (this.type = library.tokenTypes);
		this.closers = new Map([
			[type.Function, type.RightParenthesis],
			[type.LeftParenthesis, type.RightParenthesis],
			[type.LeftSquareBracket, type.RightSquareBracket],
			[type.LeftCurlyBracket, type.RightCurlyBracket],
		]);
	}

	/** @param isSheet of a `style` element; otherwise the content of a `style` attribute */
	read(css: string, isSheet: boolean): Contents {
		this.css = css;
		[this.types, this.ends, this.closing] = [[], [], []];
		const open: number[] = [];
		this.library.tokenize(css, (token, _, end) => {
			const index = this.types.push(token) - 1;
			this.ends.push(end);
			this.closing.push(index);
			if (open.length > 0 && this.closers.get(this.types[open.at(-1) ?? 0]) === token) {
				this.closing[open.pop() ?? 0] = index;
			} else if (this.closers.has(token)) {
				this.closing[index] = Infinity;
				open.push(index);
			}
		});
		return this.readContents(0, this.types.length, isSheet ? 0 : 1);
	}

	/** @param depth 0 outside of all rules */
	private readContents(from: number, end: number, depth: number): Contents {
		const contents: Contents = { declarations: [], rules: [] };
		const { type } = this;
		const skipped = [type.WhiteSpace, type.Comment].concat(
			depth === 0 ? [type.CDO, type.CDC] : type.Semicolon,
		);
		for (let index = from; index < end;) {
			if (skipped.includes(this.types[index])) index++;
			else index = this.readStatement(contents, index, end, depth);
		}
		return contents;
	}

	/**
	 * Reads a declaration or a rule. At-rules without a block have no styles.
	 *
	 * @returns the token behind it
	 */
	private readStatement(contents: Contents, start: number, end: number, depth: number): number {
		const { type } = this;
		const isAtRule = this.types[start] === type.AtKeyword;
		const colon = this.types[start] === type.Ident ? this.skipBlanks(start + 1, end) : end;
		const isDeclaration = depth > 0 && this.types[colon] === type.Colon;
		const isCustom = isDeclaration && this.textOf(start, start + 1).startsWith('--');
		const isEnd = (token: number | undefined) =>
			token === type.LeftCurlyBracket
				? !isCustom
				: token === type.Semicolon && (isAtRule || depth > 0);
		let index = start;
		while (index < end && !isEnd(this.types[index])) index = this.after(index);
		if (index < end && this.types[index] === type.LeftCurlyBracket) {
			contents.rules.push(...this.readRule(start, index, end, depth));
		} else if (isDeclaration) {
			const written = this.textOf(colon + 1, Math.min(index, end));
			const value = written.replace(/ ?! ?important$/, '');
			const property = this.textOf(start, start + 1);
			contents.declarations.push({ property, value, isImportant: value !== written });
		}
		return Math.min(this.after(index), end);
	}

	/** @returns none for one that is nested too deep */
	private readRule(start: number, brace: number, end: number, depth: number): Rule[] {
		if (depth >= this.limits.nestedRules) {
			this.isCut = true;
			return [];
		}
		const isAtRule = this.types[start] === this.type.AtKeyword;
		const name = isAtRule ? this.textOf(start, start + 1).slice(1) : '';
		const prelude = isAtRule ? this.textOf(start + 1, brace) : this.sliceOf(start, brace);
		const inner = Math.min(this.closing[brace] ?? end, end);
		return [{ name, prelude: prelude.trim(), ...this.readContents(brace + 1, inner, depth + 1) }];
	}

	private textOf(start: number, end: number): string {
		const { type } = this;
		let text = '';
		for (let index = start; index < end; index++) {
			const token = this.types[index];
			if (token === type.WhiteSpace || token === type.Comment) {
				if (!text.endsWith(' ')) text += ' ';
			} else if (token === type.String) text += '""';
			else if (token === type.Url) text += 'url()';
			else text += withoutEscapes(this.sliceOf(index, index + 1), this.library.ident);
		}
		return text.trim().toLowerCase();
	}

	private sliceOf(start: number, end: number): string {
		return this.css.slice(this.ends[start - 1] ?? 0, this.ends[end - 1]);
	}

	private skipBlanks(from: number, end: number): number {
		let index = from;
		while (index < end && [this.type.WhiteSpace, this.type.Comment].includes(this.types[index]))
			index++;
		return index;
	}

	private after(index: number): number {
		return (this.closing[index] ?? index) + 1;
	}
}

/** An escaped character that is no part of a name does not end it, so it makes the name unknown. */
function withoutEscapes(token: string, { decode }: Library['ident']): string {
	if (!token.includes('\\')) return token;
	const [, name = '', end = ''] = /^([^]*?)([(]?)$/.exec(token) ?? [];
	return decode(name).replace(/[^\w\u0080-\uffff#@.%+-]/g, '\ufffd') + end;
}

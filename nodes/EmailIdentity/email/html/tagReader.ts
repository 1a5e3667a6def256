import type { TokenizerCallbacks } from 'htmlparser2';

/** The attributes of a start tag that say how its element looks, by their names in lower case. */
export type Attributes = ReadonlyMap<string, string>;

export const NO_ATTRIBUTES: Attributes = new Map();

/** Is told what HTML consists of, in its order. */
export interface TagListener {
	/** @param name as written */
	openTag(name: string, attributes: Attributes): void;
	/** @param name as written */
	closeTag(name: string): void;
	/** A text comes in any number of pieces. */
	addText(text: string): void;
}

/** What is looked at; all others are passed over. */
const ATTRIBUTES: ReadonlySet<string> = new Set(
	'alt class height hidden href start style value width'.split(' '),
);

// Longer than any address that programs accept. One that was cut would lead elsewhere, so it is left out as a whole.
const LONGEST_ATTRIBUTE = 10_000;

/** Puts together what the tokenizer finds: positions in the HTML become tags with their attributes, and text. */
export class TagReader implements TokenizerCallbacks {
	private tag = '';

	private attributes: Map<string, string> | undefined;

	private attribute = '';

	private value = '';

	constructor(
		private readonly html: string,
		private readonly listener: TagListener,
	) {}

	onopentagname(start: number, end: number): void {
		this.tag = this.html.slice(start, end);
		this.attributes = undefined;
	}

	onattribname(start: number, end: number): void {
		const name = this.html.slice(start, end).toLowerCase();
		this.attribute = ATTRIBUTES.has(name) ? name : '';
		this.value = '';
	}

	onattribdata(start: number, end: number): void {
		if (this.readsAttribute()) this.value += this.html.slice(start, end);
	}

	onattribentity(codePoint: number): void {
		if (this.readsAttribute()) this.value += String.fromCodePoint(codePoint);
	}

	/** The first of several attributes with the same name counts. */
	onattribend(): void {
		if (this.attribute === '' || this.value.length > LONGEST_ATTRIBUTE) return;
		this.attributes ??= new Map();
		if (!this.attributes.has(this.attribute)) this.attributes.set(this.attribute, this.value);
	}

	private readsAttribute(): boolean {
		return this.attribute !== '' && this.value.length <= LONGEST_ATTRIBUTE;
	}

	onopentagend(): void {
		this.listener.openTag(this.tag, this.attributes ?? NO_ATTRIBUTES);
	}

	onselfclosingtag(): void {
		this.onopentagend();
	}

	onclosetag(start: number, end: number): void {
		this.listener.closeTag(this.html.slice(start, end));
	}

	ontext(start: number, end: number): void {
		this.listener.addText(this.html.slice(start, end));
	}

	ontextentity(codePoint: number): void {
		this.listener.addText(String.fromCodePoint(codePoint));
	}

	oncdata(): void {}

	oncomment(): void {}

	ondeclaration(): void {}

	onprocessinginstruction(): void {}

	onend(): void {}
}

/** The attributes of a start tag that somebody asked for, by their names in lower case. */
export type Attributes = ReadonlyMap<string, string>;

export const NO_ATTRIBUTES: Attributes = new Map();

// Longer than any address that programs accept. One that was cut would lead elsewhere, so it is left out as a whole.
const LONGEST_ATTRIBUTE = 10_000;

/** Puts together the attributes of one tag from what the tokenizer finds of them: positions in the HTML, in pieces. */
export abstract class AttributeCollector {
	private collected: Map<string, string> | undefined;

	private attribute = '';

	private value = '';

	/** @param wanted names in lower case; all others are passed over */
	protected constructor(
		protected readonly html: string,
		private readonly wanted: ReadonlySet<string>,
	) {}

	/** Of the tag that was begun last. */
	protected get attributes(): Attributes {
		return this.collected ?? NO_ATTRIBUTES;
	}

	/** Whether anybody wants to know the attributes of the tag that was begun last. */
	protected wantsAttributes(): boolean {
		return true;
	}

	/** @returns its name, as written */
	protected beginTag(start: number, end: number): string {
		this.collected = undefined;
		return this.html.slice(start, end);
	}

	onattribname(start: number, end: number): void {
		const name = this.html.slice(start, end).toLowerCase();
		this.attribute = this.wanted.has(name) && this.wantsAttributes() ? name : '';
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
		if (!this.readsAttribute()) return;
		this.collected ??= new Map();
		if (!this.collected.has(this.attribute)) this.collected.set(this.attribute, this.value);
	}

	private readsAttribute(): boolean {
		return this.attribute !== '' && this.value.length <= LONGEST_ATTRIBUTE;
	}
}

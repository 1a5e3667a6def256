import { CssReader } from './css';
import type { Attributes, Tag } from './elements';
import type { HtmlReading, Limits } from './limits';
import { Matching } from './matching';
import { MAYBE, Selectors, YES } from './selectors';
import { StyleSheet } from './styles';
import { readTags, type TagVisitor } from './tags';

/** Within these, browsers read tags in another way, or not at all. */
const OTHER_LANGUAGES = /^(?:audio|canvas|math|noscript|object|select|svg|template|video)$/;

interface StyleElement {
	media: string;
	css: string;
	isSure: boolean;
}

/** The style sheets of an email, which apply wherever they stand, and what is needed to read its `style` attributes. */
export interface EmailStyles {
	sheet: StyleSheet;
	/** For an email with style sheets. */
	matching?: Matching;
}

/** The library is loaded for an email with styles only. */
export async function readStyles(html: string, reading: HtmlReading): Promise<EmailStyles> {
	const { limits } = reading;
	if (!/style/i.test(html)) return { sheet: new StyleSheet(reading) };
	const collector = new Collector(limits);
	if (/<style/i.test(html)) await readTags(html, collector, reading);
	const { elements, isCut } = collector;
	const [{ tokenize, tokenTypes }, { ident }] = await Promise.all([
		import('css-tree/tokenizer'),
		import('css-tree/utils'),
	]);
	const css = new CssReader({ tokenize, tokenTypes, ident }, limits);
	if (elements.length === 0 && !isCut) return { sheet: new StyleSheet(reading, css) };
	const parser = await import('css-tree/selector-parser');
	const selectors = new Selectors(parser.default, ident.decode, limits);
	const sheet = new StyleSheet(reading, css, selectors);
	for (const { css: written, media, isSure } of elements) {
		await sheet.addSheet(written, media, isSure ? YES : MAYBE);
	}
	sheet.isCut ||= isCut || css.isCut;
	return { sheet, matching: new Matching(selectors) };
}

class Collector implements TagVisitor {
	readonly attributeNames: ReadonlySet<string> = new Set(['media', 'type']);

	readonly elements: StyleElement[] = [];

	isCut = false;

	private current: StyleElement | undefined;

	private length = 0;

	/** How many elements with other rules are open. */
	private others = 0;

	constructor(private readonly limits: Limits) {}

	startTag({ name }: Tag, attributes: Attributes): void {
		if (OTHER_LANGUAGES.test(name)) this.others++;
		const type = attributes.get('type') ?? '';
		const isStyle = name === 'style' && /^\s*(?:text\/css\s*)?$/i.test(type);
		this.current = isStyle
			? { media: attributes.get('media') ?? '', css: '', isSure: this.others === 0 }
			: undefined;
	}

	addText(text: string): void {
		// Of an element that can have tags within it there.
		this.isCut ||= this.others > 0 && !this.current && /<style/i.test(text);
		if (!this.current || this.isCut) return;
		if (this.current.css === '') this.elements.push(this.current);
		this.length += text.length;
		this.isCut ||= this.length > this.limits.styleSheets;
		if (!this.isCut) this.current.css += text;
	}

	endTag({ name }: Tag): void {
		this.current = undefined;
		if (OTHER_LANGUAGES.test(name) && this.others > 0) this.others--;
	}

	endPiece(): void {}
}

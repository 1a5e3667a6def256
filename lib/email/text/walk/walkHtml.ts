import type { Declared } from '../styles/declarations';
import type { Attributes, Tag } from '../html/elements';
import type { HtmlReading } from '../limits';
import { Styles } from '../styles/styles';
import { readTags, type TagVisitor } from '../html/tags';
import { Walker, type ElementVisitor } from './walker';

// Reading this many takes a few milliseconds, and so does text of this length with invisible characters.
const TOKENS_BETWEEN_PAUSES = 2000;
const TEXT_BETWEEN_PAUSES = 20_000;

interface StartTag {
	tag: Tag;
	attributes: Attributes;
	/** What its own attribute declares; undefined without one. */
	declared: Declared | undefined;
}

/** A text, a start tag or an end tag that is kept. */
type Token = string | StartTag | Tag;

/** Follows the elements of HTML that are displayed. The time it takes is linear in the length. */
export async function walkHtml(
	html: string,
	visitor: ElementVisitor,
	reading: HtmlReading,
): Promise<void> {
	const { limits } = reading;
	const hasStyles = /style/i.test(html);
	const tokenizer = hasStyles ? await import('css-tree/tokenizer') : undefined;
	const styles = new Styles(limits, tokenizer);
	const walker = new Walker(visitor, styles, limits);
	const keeper = new TagKeeper(styles, walker, reading);
	await readTags(html, keeper, reading);
	await keeper.end();
}

/**
 * Keeps the beginning of an email until its styles are known, because they count wherever they stand. Where the beginning is
 * too long, what follows is walked at once.
 */
class TagKeeper implements TagVisitor {
	private tokens: Token[] = [];

	/** The text since the last tag. */
	private text = '';

	/** Of the style sheet that is being read; undefined outside of one. */
	private media: string | undefined;

	/** The beginning is not kept any more. */
	private isFull = false;

	constructor(
		private readonly styles: Styles,
		private readonly walker: Walker,
		private readonly reading: HtmlReading,
	) {}

	addText(text: string): void {
		this.text += text;
	}

	addAttribute(name: string): void {
		this.styles.addAttributeName(name);
	}

	startTag(tag: Tag, attributes: Attributes): void {
		this.endText();
		if (tag.name === 'style') this.media = attributes.media ?? '';
		const declared = this.styles.readAttributes(attributes);
		// No object is made of what is not kept: there can be millions.
		if (this.isFull) this.walker.startTag(tag, attributes, declared);
		else this.tokens.push({ tag, attributes, declared });
	}

	endTag(tag: Tag): void {
		this.endText();
		if (this.isFull) this.walker.endTag(tag);
		else this.tokens.push(tag);
	}

	async endPiece(rest: string): Promise<void> {
		const isInSheet = this.media !== undefined;
		if (!isInSheet) this.endText();
		if (this.isFull || this.tokens.length <= this.reading.limits.tokens) return;
		this.isFull = true;
		this.styles.startBefore(rest, isInSheet);
		await this.walkTokens();
	}

	/** To be called after the last tag. */
	async end(): Promise<void> {
		this.endText();
		await this.walkTokens();
		this.walker.end();
	}

	private endText(): void {
		const { text, media } = this;
		this.text = '';
		this.media = undefined;
		// Reading a character joins the pieces, each of which takes 32 bytes until then: entities can be millions.
		const isEmpty = Number.isNaN(text.charCodeAt(0));
		if (isEmpty) return;
		if (media !== undefined) {
			// Sheets after the beginning are not read.
			if (!this.isFull) this.styles.addSheet(text, media);
			return;
		}
		if (this.isFull) this.walker.addText(text);
		else this.tokens.push(text);
	}

	private async walkTokens(): Promise<void> {
		const { tokens, reading } = this;
		this.tokens = [];
		for (const token of tokens) {
			const length = typeof token === 'string' ? token.length : 0;
			const share = 1 / TOKENS_BETWEEN_PAUSES + length / TEXT_BETWEEN_PAUSES;
			if (reading.pace.isDue(share)) await reading.pace.pause();
			this.walk(token);
		}
	}

	private walk(token: Token): void {
		if (typeof token === 'string') this.walker.addText(token);
		else if ('attributes' in token)
			this.walker.startTag(token.tag, token.attributes, token.declared);
		else this.walker.endTag(token);
	}
}

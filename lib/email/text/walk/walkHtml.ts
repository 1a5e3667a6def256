import type { Declared } from '../styles/declarations';
import type { Attributes, Tag } from '../html/elements';
import type { HtmlReading } from '../htmlLimits';
import { Styles } from '../styles/styles';
import { readTags, type TagVisitor } from '../html/tags';
import { Walker, type ElementVisitor } from './walker';

// Walking this many tokens takes a few milliseconds, and so does a text of this many characters if invisible ones are removed from it.
const TOKENS_BETWEEN_PAUSES = 2000;
const TEXT_BETWEEN_PAUSES = 20_000;

interface StartTag {
	tag: Tag;
	attributes: Attributes;
	/** What its `style` attribute declares; undefined without one. */
	declared: Declared | undefined;
}

/** A text, a start tag, or an end tag, which is its `Tag` alone. */
type Token = string | StartTag | Tag;

/** Follows the elements of HTML that are displayed. The time it takes is linear in the length. */
export async function walkHtml(
	html: string,
	visitor: ElementVisitor,
	reading: HtmlReading,
): Promise<void> {
	const { limits } = reading;
	const hasStyles = /style/i.test(html);
	const cssTokenizer = hasStyles ? await import('css-tree/tokenizer') : undefined;
	const styles = new Styles(limits, cssTokenizer);
	const walker = new Walker(visitor, styles, limits);
	const keeper = new TagKeeper(styles, walker, reading);
	await readTags(html, keeper, reading);
	await keeper.end();
}

/**
 * Keeps the tags and texts of an email until its styles are known, because these count wherever they are. If there are more than
 * `limits.tokens`, those that were kept are walked, and then all others at once.
 */
class TagKeeper implements TagVisitor {
	private tokens: Token[] = [];

	/** The text since the last tag. */
	private text = '';

	/** The attribute of the style sheet that is being read; undefined outside of one. */
	private media: string | undefined;

	/** The kept beginning was walked; what follows is walked at once. */
	private isPastBeginning = false;

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
		if (this.isPastBeginning) this.walker.startTag(tag, attributes, declared);
		else this.tokens.push({ tag, attributes, declared });
	}

	endTag(tag: Tag): void {
		this.endText();
		if (this.isPastBeginning) this.walker.endTag(tag);
		else this.tokens.push(tag);
	}

	async endPiece(rest: string): Promise<void> {
		const isInSheet = this.media !== undefined;
		// A style sheet is added whole.
		if (!isInSheet) this.endText();
		if (this.isPastBeginning || this.tokens.length <= this.reading.limits.tokens) return;
		this.isPastBeginning = true;
		this.styles.startEarly(rest, isInSheet);
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
		// Not `text === ''`: reading a character makes V8 join the pieces that `+=` chained, 32 bytes for each, and there can be millions.
		const isEmpty = Number.isNaN(text.charCodeAt(0));
		if (isEmpty) return;
		if (media !== undefined) {
			// Sheets after the beginning are not read.
			if (!this.isPastBeginning) this.styles.addSheet(text, media);
			return;
		}
		if (this.isPastBeginning) this.walker.addText(text);
		else this.tokens.push(text);
	}

	private async walkTokens(): Promise<void> {
		const { tokens, reading } = this;
		this.tokens = [];
		for (const token of tokens) {
			const length = typeof token === 'string' ? token.length : 0;
			const share = 1 / TOKENS_BETWEEN_PAUSES + length / TEXT_BETWEEN_PAUSES;
			if (reading.pace.spend(share)) await reading.pace.pause();
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

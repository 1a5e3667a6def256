import { Pace } from '../basics';
import type { Reading } from './limits';
import type { EmailFields } from './message/headerTypes';
import { removeQuotedText } from './reply/removeQuotedText';
import type { Block } from './text/blocks/blocks';
import { readHtml } from './text/blocks/htmlBlocks';
import { HTML_LIMITS } from './text/htmlLimits';
import { isShortEnough, writeMarkdown } from './text/write/markdown';
import { writePlain } from './text/blocks/plainText';
import { blocksOf, type VisibleText } from './text/visibleText';
import type { Email, ReadEmailOptions } from './emailTypes';

const NOT_CHANGED =
	'The text is too long for Remove Quoted Text and Markdown, so it is as it was written.';

const NO_MARKDOWN = 'The text is too long for Markdown, so it is plain text.';

export interface ShownText {
	texts: Pick<Email, 'text' | 'removedText'>;
	/** The sentence about an option that has no effect; undefined for none. */
	warning: string | undefined;
}

/** As a user wants it: without quoted text, plain or in Markdown. A text that is too long stays as it is. */
export async function shownText(
	visible: VisibleText,
	fields: EmailFields,
	options: ReadEmailOptions,
	reading: Reading,
): Promise<ShownText> {
	const { removeQuotedText: isReduced = false } = options;
	const { text } = visible;
	const isMarkdown = options.textFormat === 'markdown';
	const unchanged = isReduced ? { text, removedText: null } : { text };
	if (text === null || (!isMarkdown && !isReduced)) return { texts: unchanged, warning: undefined };
	const blocks = await blocksOf(visible, reading);
	if (blocks === undefined) return { texts: unchanged, warning: NOT_CHANGED };
	if (!isReduced) {
		const whole = await inMarkdown(blocks, reading);
		if (whole === undefined) return { texts: unchanged, warning: NO_MARKDOWN };
		return { texts: { text: whole.trim() }, warning: undefined };
	}

	const { kept, removed } = await removeQuotedText(blocks, fields, reading);
	const markdown = isMarkdown ? await inMarkdown(kept, reading) : undefined;
	const taken = isMarkdown ? await inMarkdown(removed, reading) : undefined;
	const isPlain = markdown === undefined || taken === undefined;
	const warning = isMarkdown && isPlain ? NO_MARKDOWN : undefined;
	if (removed.length === 0) {
		return { texts: { text: markdown?.trim() ?? text, removedText: null }, warning };
	}
	const shown = (markdown ?? writePlain(kept)).trimEnd();
	const removedText = (taken ?? writePlain(removed)).trim() || null;
	return { texts: { text: shown, removedText }, warning };
}

/** @returns undefined for blocks that are too long for Markdown */
async function inMarkdown(
	blocks: readonly Block[],
	{ pace }: Reading,
): Promise<string | undefined> {
	return isShortEnough(blocks) ? await writeMarkdown(blocks, pace) : undefined;
}

/**
 * The words of HTML that people see, as plain text.
 *
 * @param pause lets other work run
 */
export async function textOfHtml(html: string, pause: () => Promise<void>): Promise<string> {
	const { text } = await readHtml(html, { pace: new Pace(pause), limits: HTML_LIMITS }, 'plain');
	return text;
}

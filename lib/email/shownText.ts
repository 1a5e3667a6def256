import type { Reading } from './limits';
import type { EmailFields } from './message/types';
import { removeQuotedText } from './reply/removeQuotedText';
import type { Block } from './text/blocks/blocks';
import { isShortEnough, writeMarkdown } from './text/write/markdown';
import { writePlain } from './text/blocks/plainText';
import { blocksOf, type VisibleText } from './text/visibleText';
import type { Email, ReadEmailOptions } from './types';

/** As a user wants it: without quoted text, plain or in Markdown. A text that is too long stays as it is. */
export async function shownText(
	visible: VisibleText,
	fields: EmailFields,
	options: ReadEmailOptions,
	reading: Reading,
): Promise<Pick<Email, 'text' | 'removedText'>> {
	const { removeQuotedText: isReduced = false } = options;
	const { text } = visible;
	const isMarkdown = options.textFormat === 'markdown';
	const unchanged = isReduced ? { text, removedText: null } : { text };
	if (text === null || (!isMarkdown && !isReduced)) return unchanged;
	const blocks = await blocksOf(visible, reading);
	if (blocks === undefined) return unchanged;
	if (!isReduced) {
		const whole = isMarkdown ? await inMarkdown(blocks, reading) : undefined;
		return { text: whole?.trim() ?? text };
	}

	const { kept, removed } = await removeQuotedText(blocks, fields, reading);
	const isWhole = removed.length === 0;
	const markdown = isMarkdown ? await inMarkdown(kept, reading) : undefined;
	if (isWhole) return { text: markdown?.trim() ?? text, removedText: null };
	const taken = isMarkdown ? await inMarkdown(removed, reading) : undefined;
	return {
		text: (markdown ?? writePlain(kept)).trimEnd(),
		removedText: (taken ?? writePlain(removed)).trim() || null,
	};
}

/** @returns undefined for blocks that are too long for Markdown */
async function inMarkdown(
	blocks: readonly Block[],
	{ pace }: Reading,
): Promise<string | undefined> {
	return isShortEnough(blocks) ? await writeMarkdown(blocks, pace) : undefined;
}

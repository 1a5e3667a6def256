import type { Reading } from './limits';
import { removeQuotedText } from './reply/removeQuotedText';
import { isShortEnough, writeMarkdown } from './text/write/markdown';
import { writePlain } from './text/write/plainText';
import { blocksOf, type VisibleText } from './text/visibleText';
import type { EmailFields, ReadEmailOptions } from './types';

/** As a user wants it: without quoted text, plain or in Markdown. A text that is too long stays as it is. */
export async function shownText(
	visible: VisibleText,
	fields: EmailFields,
	{ removeQuotedText: isReduced, textFormat }: ReadEmailOptions,
	reading: Reading,
): Promise<string | null> {
	const { text } = visible;
	const isMarkdown = textFormat === 'markdown';
	if (text === null || (!isMarkdown && !isReduced)) return text;
	const blocks = await blocksOf(visible, reading);
	if (blocks === undefined) return text;
	const kept = isReduced ? await removeQuotedText(blocks, fields, reading) : blocks;
	if (isMarkdown && isShortEnough(kept)) {
		const markdown = await writeMarkdown(kept, reading.pace);
		return kept === blocks ? markdown.trim() : markdown.trimEnd();
	}
	return kept === blocks ? text : writePlain(kept).trimEnd();
}

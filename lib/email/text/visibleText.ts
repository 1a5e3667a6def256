import type { Pace } from '../../basics';
import type { Reading } from '../limits';
import { withoutInvisible } from '../mime/invisible';
import { LongText } from '../mime/longText';
import type { Block, TextFormat } from './blocks/blocks';
import type { Bodies, LongTexts } from './bodyText';
import { readHtml, type HtmlText } from './blocks/htmlBlocks';
import { HTML_LIMITS } from './htmlLimits';
import { textBlocks } from './blocks/textBlocks';

/** The words of an email that people see. */
export interface VisibleText {
	/** Plain; null if there are no words. */
	text: string | null;
	/** The blocks of the HTML; undefined if the text is that of the text part, or too long. */
	blocks: readonly Block[] | undefined;
}

/** Without one, HTML shows nothing that a text could say. */
const WORD = /[\p{L}\p{N}]/u;

/** The text of the HTML if it shows words, in both formats; otherwise the text part. The two are not compared. */
export async function visibleText(
	{ text, html, apart }: Bodies,
	{ pace }: Reading,
	format: TextFormat = 'plain',
): Promise<VisibleText> {
	if (html !== null) {
		const shown = await readShown(apart ?? { html, texts: [] }, pace, format);
		if (text === null || WORD.test(shown.text)) {
			return { text: shown.text || null, blocks: shown.blocks };
		}
	}
	const written = text === null ? '' : await new LongText(pace).change(text, withoutInvisible);
	return { text: written.trimEnd() || null, blocks: undefined };
}

/** Long texts follow the text of the HTML as they were written. */
async function readShown(
	{ html, texts }: LongTexts,
	pace: Pace,
	format: TextFormat,
): Promise<HtmlText> {
	const read = await readHtml(html, { pace, limits: HTML_LIMITS }, format);
	if (texts.length === 0) return read;
	const shown = [read.text];
	for (const text of texts) shown.push(await new LongText(pace).change(text, withoutInvisible));
	const text = shown.filter((words) => words !== '').join('\n\n');
	return { text, blocks: undefined };
}

/** What the text of an email is made of; undefined if it is too long. */
export async function blocksOf(
	{ text, blocks }: VisibleText,
	{ limits, pace }: Reading,
): Promise<readonly Block[] | undefined> {
	return blocks ?? (await textBlocks(text ?? '', limits.replyLines, pace));
}

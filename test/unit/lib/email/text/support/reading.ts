import { readHtml as read } from '../../../../../../lib/email/text/blocks/htmlBlocks';
import { HTML_LIMITS, type Limits } from '../../../../../../lib/email/text/htmlLimits';
import { writeMarkdown } from '../../../../../../lib/email/text/write/markdown';
import { newPace } from '../../../../../support/reading';

/** @param some limits other than the usual */
export const readHtml = async (
	html: string,
	format: 'plain' | 'markdown' = 'plain',
	some?: Partial<Limits>,
) => await read(html, { pace: newPace(), limits: { ...HTML_LIMITS, ...some } }, format);

/** HTML as an email in Markdown has it, and as plain text of the same blocks. */
export const readMarkdown = async (html: string) => {
	const { text, blocks } = await readHtml(html, 'markdown');
	return { text, markdown: (await writeMarkdown(blocks ?? [], newPace())).trim() };
};

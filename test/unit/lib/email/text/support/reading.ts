import { htmlToText } from '../../../../../../lib/email/text/htmlToText';
import { HTML_LIMITS, type Limits } from '../../../../../../lib/email/text/limits';
import { newPace } from '../../../../../support/reading';

/** @param some limits other than the usual */
export const readHtml = async (
	html: string,
	format: 'plain' | 'markdown' = 'plain',
	some?: Partial<Limits>,
) => await htmlToText(html, { pace: newPace(), limits: { ...HTML_LIMITS, ...some } }, format);

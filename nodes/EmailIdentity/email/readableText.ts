import { bodyText } from './emailFields';
import type { EmailFields } from './emailFields';
import { loadMime } from './loadMime';

// Turning longer HTML into text would hold up n8n for too long.
const LONGEST_HTML_AS_TEXT = 1_000_000;

/** Many emails bring only HTML, while what people look for in a workflow is the text. */
export async function withReadableText(fields: EmailFields): Promise<EmailFields> {
	const { text, html } = fields;
	if (text !== null || html === null || html.length > LONGEST_HTML_AS_TEXT) return fields;
	const { htmlAsText } = await loadMime();
	return { ...fields, text: bodyText(await htmlAsText(html)) };
}

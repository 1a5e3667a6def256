import { Pace } from '../basics';
import { readHtml } from './text/blocks/htmlBlocks';
import { HTML_LIMITS } from './text/limits';

/**
 * The words of HTML that people see, as plain text.
 *
 * @param pause lets other work run
 */
export async function textOfHtml(html: string, pause: () => Promise<void>): Promise<string> {
	const { text } = await readHtml(html, { pace: new Pace(pause), limits: HTML_LIMITS }, 'plain');
	return text;
}

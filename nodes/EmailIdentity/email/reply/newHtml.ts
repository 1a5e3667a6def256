import type { Pace } from '../../lib/pause';
import { cutHtml, type Cut } from './cutHtml';
import { readHtmlLines } from './htmlLines';
import { findNewLines } from './newLines';

/**
 * The new part of an answer that was written as HTML.
 *
 * @param topic the subject of the conversation
 * @returns the HTML as it is when nothing is known to be old
 */
export async function newHtml(html: string, topic: string, pace: Pace): Promise<string> {
	const read = await readHtmlLines(html, pace);
	if (read === undefined) return html;
	const { lines, bodyStart } = read;
	const range = await findNewLines(lines, topic, pace);
	if (range === undefined) return html;
	const kept = lines.slice(range.from, range.to).filter(({ text }) => text !== '');
	const first = kept[0];
	const last = kept.at(-1);
	if (first === undefined || last === undefined) return html;
	const head = { start: Math.min(bodyStart, first.start), end: first.start };
	const tail = { start: last.end, end: html.length };
	const cuts: Cut[] = range.from > 0 ? [head, tail] : [tail];
	return (await cutHtml(html, cuts, pace)).trimEnd();
}

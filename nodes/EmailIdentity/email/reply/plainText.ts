import type { Pace } from '../../lib/pause';
import { LINES_BETWEEN_PAUSES, MOST_LINES, toLineText, type Line } from './lines';
import { findNewLines } from './newLines';
import { isSignatureDelimiter } from './signatures';

const MARK = /^ ?>(?: ?>)*/;

// Nobody quotes what was quoted a hundred times.
const LONGEST_MARK = 200;

/** How mailboxes escape a line that begins with this word; nobody quoted it. */
const ESCAPED_FROM = '>From ';

/** A Python session looks like what was quoted three times. */
const PROMPT = '>>> ';

/**
 * The new text of an answer that was written as text.
 *
 * @param topic the subject of the conversation
 * @returns the text as it is when nothing is known to be old
 */
export async function newPlainText(text: string, topic: string, pace: Pace): Promise<string> {
	if (hasTooManyLines(text)) return text;
	const written = text.split('\n');
	const range = await findNewLines(await readLines(written, pace), topic, pace);
	if (range === undefined) return text;
	const { from, to } = range;
	return withoutBlankLines(written.slice(from, to)).join('\n').trimEnd();
}

async function readLines(written: readonly string[], pace: Pace): Promise<Line[]> {
	const lines: Line[] = [];
	for (const line of written) {
		if (pace.isDue(1 / LINES_BETWEEN_PAUSES)) await pace.pause();
		lines.push(readLine(line));
	}
	markPrompts(lines, written);
	return lines;
}

/** A Python session stands by itself; within what was quoted, lines have other marks, too. */
function markPrompts(lines: Line[], written: readonly string[]): void {
	let start = 0;
	while (start < lines.length) {
		let end = start;
		while (end < lines.length && lines[end]?.quoting !== 'none') end++;
		if (end > start && written.slice(start, end).every(isPrompt)) {
			for (const line of lines.slice(start, end)) line.quoting = 'possible';
		}
		start = end + 1;
	}
}

function readLine(written: string): Line {
	const mark = written.startsWith(ESCAPED_FROM)
		? undefined
		: MARK.exec(written.slice(0, LONGEST_MARK))?.[0];
	// What it says does not matter then.
	if (mark !== undefined) return { text: '', quoting: 'certain' };
	const text = toLineText(written);
	return isSignatureDelimiter(written)
		? { text, quoting: 'none', mark: 'signature' }
		: { text, quoting: 'none' };
}

function isPrompt(written: string): boolean {
	return written.startsWith(PROMPT) || written === PROMPT.trimEnd();
}

function hasTooManyLines(text: string): boolean {
	let count = 1;
	for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
		if (++count > MOST_LINES) return true;
	}
	return false;
}

function withoutBlankLines(written: string[]): string[] {
	const first = written.findIndex((line) => line.trim() !== '');
	return written.slice(first);
}

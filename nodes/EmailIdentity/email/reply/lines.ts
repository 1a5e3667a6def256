import type { Pace } from '../../lib/pause';
import { normalized } from '../../lib/text';

/** One line of an email's text. */
export interface Line {
	/** Without marks of quoting, invisible characters and blanks around it; of a very long line, the beginning. */
	text: string;
	isQuoted: boolean;
}

/** So many lines take a few milliseconds. */
export const LINES_BETWEEN_PAUSES = 4000;

// Longer than any line that a mail program puts before a quotation.
const MAX_LINE = 1000;

/** Directions of writing, and other characters without a width. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;
const BLANKS = /\s+/g;

const QUOTE_MARK = /^ ?>(?: ?>)*/;

// A line that was quoted a hundred times.
const MAX_QUOTE_MARK = 200;

/** Mailboxes escape a line that begins with this word. */
const ESCAPED_FROM = '>From ';

export async function readLines(written: readonly string[], pace: Pace): Promise<Line[]> {
	const lines: Line[] = [];
	for (const line of written) {
		if (pace.isDue(1 / LINES_BETWEEN_PAUSES)) await pace.pause();
		lines.push(readLine(line));
	}
	return lines;
}

/** An empty line within a quotation is part of it. */
export function isBlank({ text, isQuoted }: Line): boolean {
	return text === '' && !isQuoted;
}

/** The line below the last one above `index` that is not blank. */
export function skipBlanksAbove(lines: readonly Line[], index: number): number {
	let end = index;
	while (end > 0 && isBlank(lines[end - 1] as Line)) end--;
	return end;
}

export function isCapitalized(word: string): boolean {
	const first = word.charAt(0);
	return first === first.toUpperCase();
}

/** Entries of a table that is written as `a | b | c`. */
export function wordList(table: string): string[] {
	return table.split('|').map((entry) => entry.trim());
}

function readLine(written: string): Line {
	const mark = written.startsWith(ESCAPED_FROM)
		? undefined
		: QUOTE_MARK.exec(written.slice(0, MAX_QUOTE_MARK))?.[0];
	return { text: toLineText(written.slice(mark?.length ?? 0)), isQuoted: mark !== undefined };
}

function toLineText(written: string): string {
	return normalized(written.slice(0, MAX_LINE).replace(INVISIBLE, '').replace(BLANKS, ' ').trim());
}

import type { Pace } from '../../lib/pause';
import { normalized } from '../../lib/text';

/** One line of an email's text. */
export interface Line {
	/** Without quote marks, invisible characters and surrounding blanks. Very long lines are cut off. */
	text: string;
	isQuoted: boolean;
}

/** Reading this many lines takes a few milliseconds. */
export const LINES_BETWEEN_PAUSES = 4000;

// Lines that mail programs put above a quotation are shorter.
const MAX_LINE = 1000;

/** Direction controls and other characters without a width. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;
const BLANKS = /\s+/g;

const QUOTE_MARK = /^ ?>(?: ?>)*/;

// Enough for a line that was quoted a hundred times.
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

/** Skips the blank lines above `index`. */
export function skipBlanksAbove(lines: readonly Line[], index: number): number {
	let end = index;
	while (end > 0 && isBlank(lines[end - 1] as Line)) end--;
	return end;
}

export function isCapitalized(word: string): boolean {
	const first = word.charAt(0);
	return first === first.toUpperCase();
}

/** Reads a list that is written as `a | b | c`. */
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

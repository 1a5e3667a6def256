import { normalized } from '../../lib/text';

/**
 * Whether a line is somebody else's, by the marks of quoting alone. `possible` is what people also write themselves:
 * an indented paragraph, a Python session.
 */
export type Quoting = 'none' | 'possible' | 'certain';

/** What a mail program itself said about a line, by the element that it wrote it into. */
export type Mark = 'attribution' | 'header' | 'signature';

/** One line of an email's text as people see it, whether it was written as text or as HTML. */
export interface Line {
	/** Without blanks around it; of a very long one, the beginning. Empty where it is quoted for certain. */
	text: string;
	quoting: Quoting;
	mark?: Mark;
}

/** An email of more lines than this is not looked at: nobody's answer is as long, and each line costs memory. */
export const MOST_LINES = 100_000;

/** Looking at so many lines takes a few milliseconds; others get their turn after it. */
export const LINES_BETWEEN_PAUSES = 4000;

// Longer than any line that a mail program puts before a quotation.
const LONGEST_LINE = 1000;

/** Directions of writing, and other characters without a width. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;

const BLANKS = /\s+/g;

/** A line as it is compared: no invisible characters, each run of blanks one blank. */
export function toLineText(written: string): string {
	return normalized(
		written.slice(0, LONGEST_LINE).replace(INVISIBLE, '').replace(BLANKS, ' ').trim(),
	);
}

/** Nobody wrote anything there; an empty line within a quotation is part of it. */
export function isBlank({ text, quoting }: Line): boolean {
	return text === '' && quoting === 'none';
}

/** Where the line is, going up from `index`, below which there are only blank ones: 0 when there is none. */
export function skipBlanksAbove(lines: readonly Line[], index: number): number {
	let end = index;
	while (end > 0 && isBlank(lines[end - 1] as Line)) end--;
	return end;
}

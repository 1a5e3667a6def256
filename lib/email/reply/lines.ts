import { normalized } from '../../basics';
import type { Reading } from '../limits';
import type { Block } from '../text/blocks';
import { writeLine } from '../text/plainText';

export interface Line {
	/** Without quote marks and surrounding blanks. Very long lines are cut off. */
	text: string;
	isQuoted: boolean;
	/** The number of its block; for an empty line that of the block below it. */
	block: number;
}

export const REPLY_LINES_BETWEEN_PAUSES = 4000;

// Lines that mail programs put above a quotation are shorter.
const MAX_REPLY_LINE = 1000;

/** Some mail programs write the initials of the author: `AL>`. */
const QUOTE_MARK = /^ ?(?:\p{Lu}{2,3})?>(?: ?>)*/u;

// Enough for a line that was quoted a hundred times.
const MAX_QUOTE_MARK = 200;

/** Mailboxes escape a line that begins with this word. */
const ESCAPED_FROM = '>From ';

export async function readLines(blocks: readonly Block[], { pace }: Reading): Promise<Line[]> {
	const lines: Line[] = [];
	for (const [index, block] of blocks.entries()) {
		if (pace.isDue(1 / REPLY_LINES_BETWEEN_PAUSES)) await pace.pause();
		if (index > 0) {
			const emptyLines = block.breaks.split('\n').length - 2;
			for (let line = 0; line < emptyLines; line++)
				lines.push({ text: '', isQuoted: false, block: index });
		}
		lines.push({ ...readLine(block, lines.at(-1)), block: index });
	}
	return lines;
}

/** An empty line within a quotation is part of it. */
export function isBlankLine({ text, isQuoted }: Line): boolean {
	return text === '' && !isQuoted;
}

export function skipBlanksAbove(lines: readonly Line[], index: number): number {
	let end = index;
	while (end > 0 && isBlankLine(lines[end - 1] as Line)) end--;
	return end;
}

export function isCapitalized(word: string): boolean {
	const first = word.charAt(0);
	return first === first.toUpperCase();
}

function readLine(block: Block, previous: Line | undefined): Omit<Line, 'block'> {
	const written = writeLine(block);
	const isText = written.startsWith(ESCAPED_FROM) || endsAttribution(written, previous);
	const mark = isText ? undefined : QUOTE_MARK.exec(written.slice(0, MAX_QUOTE_MARK))?.[0];
	const text = written.slice(mark?.length ?? 0).slice(0, MAX_REPLY_LINE);
	return { text: normalized(text.replace(/\s+/g, ' ').trim()), isQuoted: mark !== undefined };
}

/** `> wrote:` below `Ada <ada@example.com`. */
function endsAttribution(written: string, previous: Line | undefined): boolean {
	if (previous === undefined || previous.isQuoted || !/^>[^>]{0,30}[:：]\s*$/.test(written))
		return false;
	return /^<[^\s<>@]+@[^\s<>@]+$/.test(previous.text.slice(previous.text.lastIndexOf('<')));
}

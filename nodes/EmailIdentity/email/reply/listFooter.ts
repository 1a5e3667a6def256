import { skipBlanksAbove, type Line } from './lines';

/** The line that programs of mailing lists draw; Outlook's, above an earlier email, is shorter. */
const RULE = '_'.repeat(40);

const LINK = /https?:\/\/|[^\s<>]@[^\s<>]/;
const LIST = /list|subscri/i;

const MAX_LINES = 6;

/**
 * The first of the lines above `end` that a mailing list puts below every email: its name, how to leave it.
 *
 * @returns `end` when there are none
 */
export function startOfListFooter(lines: readonly Line[], end: number): number {
	const last = skipBlanksAbove(lines, end);
	let hasLink = false;
	let namesList = false;
	for (let start = last - 1; start >= 0 && last - start <= MAX_LINES; start--) {
		const { text, isQuoted } = lines[start] as Line;
		if (isQuoted) return end;
		if (text.startsWith(RULE)) return hasLink && namesList ? start : end;
		hasLink ||= LINK.test(text);
		namesList ||= LIST.test(text);
	}
	return end;
}

import { divideHeader, readHeaderLine } from './headerLines';
import type { Line } from './lines';
import { isForwardRule, isOriginalMessageRule } from './rules';

/** Words between dashes at the beginning of a line, such as `-------- Original message --------From: …`. */
const ANNOUNCEMENT = /^[-_=*]{2,}(?:[^-_=*]|-(?!-)){2,60}[-_=*]{2,}/;

/**
 * The lines with the first header that stands on one line as a line for each field. Samsung Email and Yahoo write it behind the
 * words that announce it.
 */
export function divideOneLineHeader(lines: readonly Line[]): readonly Line[] {
	for (const [index, line] of lines.entries()) {
		const texts = divideLine(line.text);
		if (texts === undefined) continue;
		const divided = texts.map((text): Line => ({ ...line, text }));
		return [...lines.slice(0, index), ...divided, ...lines.slice(index + 1)];
	}
	return lines;
}

/** @returns undefined for any other line */
function divideLine(text: string): string[] | undefined {
	const [words] = ANNOUNCEMENT.exec(text) ?? [];
	if (words === undefined || words.length === text.length) return undefined;
	if (!isForwardRule(words) && !isOriginalMessageRule(words)) return undefined;
	const header = text.slice(words.length).trim();
	if (readHeaderLine(header)?.kind === undefined) return undefined;
	return [words, ...divideHeader(header)];
}

import { shortLink } from './html/links';

// Deeper than people follow.
const MAX_QUOTES = 5;

/** A plain email in Markdown: it stays as it is, but for quotations and links. */
export function plainAsMarkdown(lines: readonly string[]): string[] {
	let wasQuoted = false;
	return lines.map((line) => {
		const marks = /^ ?>(?: ?>){0,99} ?/.exec(line)?.[0] ?? '';
		const depth = Math.min(marks.replace(/[^>]+/g, '').length, MAX_QUOTES);
		const text = line
			.slice(marks.length)
			.replace(
				/<?https?:\/\/[^\s<>"]*[^\s<>".,:;!?')\]*_]>?/gi,
				(link) => `<${shortLink(link.replace(/^<|>$/g, ''))}>`,
			);
		// Text right below a quotation would count as its last line.
		const gap = wasQuoted && depth === 0 && text !== '' ? '\n' : '';
		wasQuoted = depth > 0;
		return gap + '> '.repeat(depth) + text;
	});
}

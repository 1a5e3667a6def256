const MARKS = /^ ?>(?: ?>){0,99} ?/;

/** Mailboxes escape a line that begins with this word. */
const ESCAPED_FROM = '>From ';

/** `> wrote:`, below a line that ends with `<ada@example.com`: the line was broken before the bracket. */
const END_OF_ATTRIBUTION = /^>[^>]{0,30}[:：]\s*$/;
const OPEN_ADDRESS = /^<[^\s<>@]+@[^\s<>@]+$/;

/**
 * The marks of quoting at the beginning of a line, such as `>> `, or `''`.
 *
 * @param above the line above it if that is not quoted, or `''`
 */
export function quoteMarks(line: string, above: string): string {
	const marks = MARKS.exec(line)?.[0] ?? '';
	if (marks === '' || line.startsWith(ESCAPED_FROM)) return '';
	const isAttribution = END_OF_ATTRIBUTION.test(line) && endsWithOpenAddress(above);
	return isAttribution ? '' : marks;
}

function endsWithOpenAddress(line: string): boolean {
	const end = line.trimEnd();
	return OPEN_ADDRESS.test(end.slice(end.lastIndexOf('<')));
}

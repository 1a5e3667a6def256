/** Shorter paragraphs are greetings. */
const MIN_REASON = 40;

/** The other server's reply (RFC 5321, 4.2). */
const SERVER_REPLY = /(?<![\d.])[45]\d\d(?:[ -]#?[45]\.\d{1,3}\.\d{1,3})?[ -]/;

/** Added by qmail or Exchange. */
const AFTER_REPLY = /(?: Giving up on \S+|')$/;

const IN_SENDMAIL = /^\(reason: (.*)\)$/;

const HEADING = /:$|^-.*-$/;

/** The other server's reply and the rest of its paragraph; without one, the first paragraph that is not a heading. */
export function reasonIn(lines: readonly string[]): string {
	const paragraphs = paragraphsOf(lines);
	return replyIn(paragraphs) || (paragraphs[0] ?? '');
}

/** The other server's reply; without one, the first paragraph that is longer than a greeting. */
export function reasonWithoutList(lines: readonly string[]): string {
	const paragraphs = paragraphsOf(lines);
	const long = paragraphs.find((paragraph) => paragraph.length >= MIN_REASON);
	return replyIn(paragraphs) || (long ?? '');
}

/** The other server's reply in these lines, and the rest of its paragraph; `''` if there is none. */
export function serverReplyIn(lines: readonly string[]): string {
	return replyIn(paragraphsOf(lines));
}

function replyIn(paragraphs: string[]): string {
	for (const paragraph of paragraphs) {
		const reply = SERVER_REPLY.exec(paragraph);
		if (reply) return paragraph.slice(reply.index).replace(AFTER_REPLY, '');
	}
	return '';
}

/** Without headings. */
function paragraphsOf(lines: readonly string[]): string[] {
	const paragraphs: string[] = [];
	for (const written of lines.join('\n').split(/\n\n+/)) {
		const words = written.replace(/\s+/g, ' ').trim();
		const paragraph = words.replace(IN_SENDMAIL, '$1');
		if (paragraph !== '' && !HEADING.test(paragraph)) paragraphs.push(paragraph);
	}
	return paragraphs;
}

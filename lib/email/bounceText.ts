/** The recipients and reasons in a bounce without a standard report. */
interface Prose {
	kind: 'bounce' | 'delay';
	/** As written; `''` if not found. */
	messageId: string;
	recipients: Array<{ address: string; reason: string }>;
}

/**
 * Words in lower case, without line breaks, and the servers that write them. The recipients and their reasons follow these
 * words. The first form that is found applies.
 */
const FORMS: ReadonlyArray<[words: string, source: string, kind?: 'delay']> = [
	['to which the message has not yet been delivered', 'Exim', 'delay'],
	['transient non-fatal errors', 'sendmail', 'delay'],
	['recipient has been delayed', 'Gmail', 'delay'],
	['the following address', 'qmail, Exim, sendmail, GMX, 1&1, Yahoo, Mail.ru'],
	['following recipient', 'Gmail until 2016, Exchange 5.5 and 2003, iCloud, Courier'],
	['these recipients or groups', 'Exchange since 2007'],
	["your message wasn't delivered to", 'Gmail'],
	['your message to', 'Exchange Online'],
	['was not delivered to', 'Domino'],
	['the following list of recipients', 'OpenSMTPD'],
	['be delivered to one or more', 'Postfix'],
	['failed to deliver to', 'CommuniGate Pro'],
	['failed address:', 'MDaemon'],
	['permanent error', 'Zoho'],
];

/** Lines above the returned email, in lower case. */
const RETURNED = [
	'--- below this line is a copy',
	'------ this is a copy of',
	'----- original message',
	'--- the header of the original message',
	'--- unsent message follows',
	'below is a copy of the original message',
	'original message headers:',
	'original message header:',
];

/** Characters that are read. The lists of real servers are shorter. */
const MAX_TEXT = 100_000;

/** An address, with or without quotation marks or brackets, and the rest of the line: `<ada@example.com>: unknown user`. */
const RECIPIENT =
	/^(?:recipient address:)?\s*["'<]{0,2}([^\s"'<>():,;@]+@[^\s"'<>():,;@]+)["'>]{0,3}(?=[\s:(]|$)(.*)/i;

/** A colon, the time (Exchange 2003), or the address again (Exchange). */
const AFTER_RECIPIENT = /^(?:\s*\([^()]*\)|\s+on [^]*|[\s:]+)/;

/** The address after a name or another address (Exchange). */
const IN_PARENTHESES = /\(([^\s()@]+@[^\s()@]+)\)$/;

/** The other server's reply (RFC 5321, 4.2). */
const REPLY = /(?<![\d.])[45]\d\d(?:[ -]#?[45]\.\d{1,3}\.\d{1,3})?[ -]/;

/** Added by qmail or Exchange. */
const AFTER_REPLY = /(?: Giving up on \S+|')$/;

const IN_SENDMAIL = /^\(reason: (.*)\)$/;

const MESSAGE_ID = /^[ \t>]*message-id:[ \t]*(<[^<>\s]+>)/im;

/** Reads the recipients and reasons in the text of a bounce, in linear time. */
export function readProse(text: string): Prose {
	const whole = text.slice(0, MAX_TEXT);
	const lowerCase = whole.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
	const ends = RETURNED.map((mark) => lowerCase.indexOf(mark)).filter((end) => end >= 0);
	const end = Math.min(whole.length, ...ends);
	const messageId = (MESSAGE_ID.exec(whole.slice(end)) ?? MESSAGE_ID.exec(whole))?.[1] ?? '';
	for (const [words, , kind = 'bounce'] of FORMS) {
		const start = lowerCase.indexOf(words);
		const recipients = start < 0 ? [] : readList(whole.slice(start + words.length, end));
		if (recipients.length > 0) return { kind, messageId, recipients };
	}
	return { kind: 'bounce', messageId, recipients: [] };
}

function readList(text: string): Prose['recipients'] {
	const found = new Map<string, string[]>();
	let lines: string[] = [];
	for (const line of text.split('\n').map((one) => one.trim())) {
		const [, written, rest = ''] = RECIPIENT.exec(line) ?? [];
		const address = IN_PARENTHESES.exec(line)?.[1] ?? written;
		if (address === undefined || found.has(address)) {
			lines.push(line);
		} else {
			lines = [rest.replace(AFTER_RECIPIENT, '')];
			found.set(address, lines);
		}
	}
	return [...found].map(([address, about]) => ({ address, reason: reasonIn(about) }));
}

/** The other server's reply and the rest of its paragraph; without one, the first paragraph that is not a heading. */
function reasonIn(lines: string[]): string {
	const paragraphs = lines
		.join('\n')
		.split(/\n\n+/)
		.map((paragraph) => paragraph.replace(/\s+/g, ' ').trim().replace(IN_SENDMAIL, '$1'))
		.filter((paragraph) => paragraph !== '' && !paragraph.endsWith(':'));
	for (const paragraph of paragraphs) {
		const reply = REPLY.exec(paragraph);
		if (reply) return paragraph.slice(reply.index).replace(AFTER_REPLY, '');
	}
	return paragraphs[0] ?? '';
}

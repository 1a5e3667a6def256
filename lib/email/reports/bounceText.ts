import { parseAddresses } from '../message/addresses';
import { EMAIL_LIMITS } from '../limits';
import { originOf, toRecipient } from '../message/origin';
import { readHeaderFields, type HeaderField } from '../mime/splitEmail';

export interface Prose {
	kind: 'bounce' | 'delay';
	/** As written; `''` if not found. */
	messageId: string;
	recipients: Array<{ address: string; reason: string }>;
	isListed: boolean;
	/** The reason if no recipients follow known words; `''` if not found. */
	reason: string;
}

/** Words above the recipients and their reasons, and the servers that write them. The first form that is found applies. */
const FORMS = (
	[
		['to which the message has not yet been delivered', 'Exim', 'delay'],
		['transient non-fatal errors', 'sendmail', 'delay'],
		['recipient has been delayed', 'Gmail', 'delay'],
		['delayed for more than', 'OpenSMTPD', 'delay'],
		['the following address', 'qmail, Exim, sendmail, GMX, 1&1, Yahoo, Mail.ru'],
		['following recipient', 'Gmail until 2016, Exchange 5.5 and 2003, iCloud, Courier'],
		['error delivering your mail to', 'DragonFly'],
	] satisfies Array<[words: string, source: string, kind?: 'delay']>
).map(([words, , kind]) => ({
	words: new RegExp(words.replaceAll(' ', '\\s+'), 'i'),
	kind: kind ?? ('bounce' as const),
}));

/** Shorter paragraphs are greetings. */
const MIN_REASON = 40;

const HEADER_LINE = /^[\w-]+:/;

/** A header has one of these fields if it is the header of the returned email. */
const TRACE = /^(?:received|return-path|message-id):/i;

/** An address, with or without quotation marks or brackets, and the rest of the line: `<ada@example.com>: unknown user`. */
const RECIPIENT =
	/^(?:recipient(?: address)?:|[*>:]+|--(?= ))?\s*["'<]{0,2}([^\s"'<>()[\]:,;@*]+@[^\s"'<>()[\]:,;@*]+)["'>]{0,3}\.?(?=[\s:(]|$)(.*)/i;

/** A colon, the time (Exchange 2003), or the address again (Exchange, Active! hunter). */
const AFTER_RECIPIENT = /^(?:\s*(?:\([^()]*\)|<[^<>]*>)|\s+on [^]*|[\s:]+)/;

/** The reply that sendmail writes about a recipient: `550 <ada@example.com>... User unknown`. */
const IN_REPLY = /^[45]\d\d (?:[45]\.\d{1,3}\.\d{1,3} )?<([^\s<>@]+@[^\s<>@]+)>\.\.\. /;

/** The other server's reply (RFC 5321, 4.2). */
const SERVER_REPLY = /(?<![\d.])[45]\d\d(?:[ -]#?[45]\.\d{1,3}\.\d{1,3})?[ -]/;

/** Added by qmail or Exchange. */
const AFTER_REPLY = /(?: Giving up on \S+|')$/;

const IN_SENDMAIL = /^\(reason: (.*)\)$/;

const RETURNED_ID = /^[ \t>]*message-id:[ \t]*(<[^<>\s]+>)/im;

const HEADING = /:$|^-.*-$/;

const BETWEEN_ADDRESSES = /[\s"'<>()[\]:,;=]+/;

/**
 * Reads the recipients and reasons in the text of a bounce, in linear time.
 *
 * @param returnedHeader of the returned email, if it is a part of the bounce
 */
export function readProse(text: string, returnedHeader: HeaderField[]): Prose {
	const whole = text.slice(0, EMAIL_LIMITS.bounceText);
	const lines = whole.split('\n').map((line) => line.trimEnd());
	const start = startOfReturned(lines);
	const own = lines.slice(0, start).map((line) => line.trim());
	const below = lines.slice(start);
	const header = [...returnedHeader, ...readHeaderFields(below.join('\n').split('\n\n', 1).join())];
	const messageId = (RETURNED_ID.exec(below.join('\n')) ?? RETURNED_ID.exec(whole))?.[1] ?? '';
	const ownText = own.join('\n');
	const forms = FORMS.flatMap(({ words, kind }) => {
		const found = words.exec(ownText);
		return found ? [{ kind, list: ownText.slice(found.index + found[0].length).split('\n') }] : [];
	});
	for (const { kind, list } of forms) {
		const recipients = readListedRecipients(list);
		if (recipients.length > 0) return { kind, messageId, recipients, isListed: true, reason: '' };
	}
	const [{ kind, list } = { kind: 'bounce' as const, list: undefined }] = forms;
	const paragraphs = paragraphsOf(own);
	const isLong = (paragraph: string) => paragraph.length >= MIN_REASON;
	const reason = list ? reasonIn(list) : replyIn(paragraphs) || (paragraphs.find(isLong) ?? '');
	return { kind, messageId, isListed: false, ...readRecipientsOf(header, own, reason) };
}

/** The first of several header lines with a field that only emails have. */
function startOfReturned(lines: string[]): number {
	let start = 0;
	for (const [index, line] of lines.entries()) {
		if (TRACE.test(line)) return start;
		if (!HEADER_LINE.test(line) && !/^[ \t]+\S/.test(line)) start = index + 1;
	}
	return lines.length;
}

function readListedRecipients(lines: string[]): Prose['recipients'] {
	const found = new Map<string, string[]>();
	const above: string[] = [];
	let reason = above;
	for (const line of lines) {
		const [, written, rest = ''] = RECIPIENT.exec(line.trim()) ?? [];
		const address = written?.replace(/\.$/, '');
		if (address === undefined || found.has(address)) {
			reason.push(line);
		} else {
			reason = [rest.replace(AFTER_RECIPIENT, '')];
			found.set(address, reason);
		}
	}
	const otherReason = reasonIn(above.slice(1));
	return [...found].map(([address, about]) => ({
		address,
		reason: reasonIn(about) || otherReason,
	}));
}

/**
 * Without known words, a recipient is an address in a reply, or an address that the returned email was sent to and the text
 * mentions; else one at the beginning of a line, the recipient of the returned email, or the only address in the text.
 */
function readRecipientsOf(
	header: HeaderField[],
	own: string[],
	reason: string,
): Pick<Prose, 'recipients' | 'reason'> {
	const sentTo = new Set(
		header
			.filter(({ name }) => name === 'to' || name === 'cc')
			.flatMap(({ value }) => parseAddresses(value))
			.map(({ address }) => address.toLowerCase()),
	);
	const { automatic, deliveredTo } = originOf(header);
	// The recipient of a bounce that a gateway wrapped is the sender of the email.
	if (automatic === 'bounce') return { recipients: [], reason };
	const envelope = deliveredTo();
	if (envelope !== null) sentTo.add(envelope.toLowerCase());
	const found = new Map<string, number>();
	for (const [index, line] of own.entries()) {
		const inReply = IN_REPLY.exec(line)?.[1];
		const known = wordsIn(line).filter((word) => sentTo.has(word.toLowerCase()));
		for (const address of inReply === undefined ? known : [inReply])
			if (!found.has(address)) found.set(address, index);
	}
	const starts = [...found.values()];
	const mentioned = [...found.keys()].map((address, order) => {
		const start = starts[order] ?? 0;
		const end = starts[order + 1] ?? own.length;
		const previous = own.slice(starts[order - 1] ?? 0, start);
		const above = start - previous.length + previous.lastIndexOf('') + 1;
		const about = replyIn(paragraphsOf(own.slice(start, end))) || reasonIn(own.slice(above, end));
		return { address, reason: withoutRecipient(about, address) };
	});
	if (mentioned.length > 0) return { recipients: mentioned, reason };
	const listed = readListedRecipients(['', ...own]);
	if (listed.length > 0) return { recipients: listed, reason: '' };
	// The only address in To may be a mailing list.
	const [only] = sentTo.size === 1 && automatic === null ? sentTo : [];
	const address = envelope ?? only ?? onlyAddressIn(own);
	return { recipients: address === undefined ? [] : [{ address, reason }], reason };
}

function onlyAddressIn(lines: string[]): string | undefined {
	const words = lines.flatMap(wordsIn).filter((word) => toRecipient(word) !== null);
	const [first, ...others] = new Set(words);
	return others.length > 0 ? undefined : first;
}

function wordsIn(line: string): string[] {
	return line.split(BETWEEN_ADDRESSES).map((word) => word.replace(/\.$/, ''));
}

function withoutRecipient(reason: string, address: string): string {
	const [, written, rest = ''] = RECIPIENT.exec(reason) ?? [];
	return written === address ? rest.replace(AFTER_RECIPIENT, '') : reason;
}

/** The other server's reply and the rest of its paragraph; without one, the first paragraph that is not a heading. */
function reasonIn(lines: string[]): string {
	const paragraphs = paragraphsOf(lines);
	return replyIn(paragraphs) || (paragraphs[0] ?? '');
}

function replyIn(paragraphs: string[]): string {
	for (const paragraph of paragraphs) {
		const reply = SERVER_REPLY.exec(paragraph);
		if (reply) return paragraph.slice(reply.index).replace(AFTER_REPLY, '');
	}
	return '';
}

function paragraphsOf(lines: string[]): string[] {
	return lines
		.join('\n')
		.split(/\n\n+/)
		.map((paragraph) => paragraph.replace(/\s+/g, ' ').trim().replace(IN_SENDMAIL, '$1'))
		.filter((paragraph) => paragraph !== '' && !HEADING.test(paragraph));
}

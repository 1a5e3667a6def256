import { literalPattern } from '../../basics';
import { parseAddresses } from '../message/addresses';
import { EMAIL_LIMITS } from '../limits';
import { originOf, toRecipient } from '../message/origin';
import { readHeaderFields, type HeaderField } from '../mime/splitEmail';
import { BOUNCE_SERVERS } from './bounceServers';

export interface BounceText {
	kind: 'bounce' | 'delay';
	/** The Message-ID of the returned email, as written; `''` if not found. */
	messageId: string;
	recipients: FailedRecipient[];
	/** Whether known words are above the recipients. Otherwise, they are what the text mentions. */
	isListed: boolean;
	/** The reason for all of them; `''` if not found, or if each has its own. */
	reason: string;
}

interface FailedRecipient {
	address: string;
	/** `''` if not found. */
	reason: string;
}

/** Known words, and the text below them. */
interface RecipientList {
	kind: 'bounce' | 'delay';
	lines: string[];
}

const ADDRESS = '[^\\s"\'<>()[\\]:,;@*]+@[^\\s"\'<>()[\\]:,;@*]+';

/** An address, with or without quotation marks or brackets, and what is behind it: `<ada@example.com>: unknown user`. */
const RECIPIENT = new RegExp(
	`^(?:(?:${anyBefore()})\\s*)*["'<]{0,2}(${ADDRESS})["'>]{0,3}\\.?(?=[\\s:(]|$)(.*)`,
	'i',
);

const WORDS = wordsOfServers();

const BEHIND: readonly RegExp[] = BOUNCE_SERVERS.flatMap(({ behind }) => behind ?? []).map(
	patternBehind,
);

function wordsOfServers(): Array<{ words: RegExp; kind: BounceText['kind'] }> {
	const known = new Map<string, BounceText['kind']>();
	for (const { words, kind = 'bounce' } of BOUNCE_SERVERS) {
		if (words !== undefined && !known.has(words)) known.set(words, kind);
	}
	return [...known].map(([words, kind]) => ({
		words: new RegExp(literalPattern(words).replaceAll(' ', '\\s+'), 'i'),
		kind,
	}));
}

function anyBefore(): string {
	const known = BOUNCE_SERVERS.flatMap(({ before }) => before ?? []);
	return [...new Set(known)].map(literalPattern).join('|');
}

/** The first group is the reason, if the template has one. */
function patternBehind(template: string): RegExp {
	const source = literalPattern(template)
		.replace('ADDRESS', ADDRESS)
		.replace('WORDS', '[^()]*')
		.replace('REASON', '([^()]*(?:\\([^()]*\\)[^()]*)*)');
	const end = template.includes('REASON') ? '$' : '';
	return new RegExp(`^\\s*${source}${end}`, 'i');
}

/** Shorter paragraphs are greetings. */
const MIN_REASON = 40;

const HEADER_LINE = /^[\w-]+:/;

/** A header has one of these fields if it is the header of the returned email. */
const TRACE = /^(?:received|return-path|message-id):/i;

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
export function readBounceText(text: string, returnedHeader: HeaderField[]): BounceText {
	const whole = text.slice(0, EMAIL_LIMITS.bounceText);
	const lines = whole.split('\n').map((line) => line.trimEnd());
	const start = startOfReturned(lines);
	const own = lines.slice(0, start).map((line) => line.trim());
	const returned = lines.slice(start).join('\n');
	const messageId = (RETURNED_ID.exec(returned) ?? RETURNED_ID.exec(whole))?.[1] ?? '';

	const lists = findLists(own.join('\n'));
	for (const { kind, lines: listed } of lists) {
		const recipients = readListed(listed);
		if (recipients.length > 0) return { kind, messageId, recipients, isListed: true, reason: '' };
	}

	const [first] = lists;
	const kind = first?.kind ?? 'bounce';
	const reason = first ? reasonIn(first.lines) : reasonWithoutList(own);
	const [returnedTop = ''] = returned.split('\n\n', 1);
	const header = [...returnedHeader, ...readHeaderFields(returnedTop)];
	const { automatic, deliveredTo } = originOf(header);
	// The recipient of a bounce that a gateway wrapped is the sender of the email.
	if (automatic === 'bounce') return { kind, messageId, recipients: [], isListed: false, reason };

	const envelope = deliveredTo();
	const sentTo = recipientsIn(header);
	if (envelope !== null) sentTo.add(envelope.toLowerCase());
	const mentioned = readMentioned(own, sentTo);
	if (mentioned.length > 0) {
		return { kind, messageId, recipients: mentioned, isListed: false, reason };
	}
	const atBeginnings = readListed(['', ...own]);
	if (atBeginnings.length > 0) {
		return { kind, messageId, recipients: atBeginnings, isListed: false, reason: '' };
	}
	// The only address in To may be a mailing list.
	const [only] = sentTo.size === 1 && automatic === null ? sentTo : [];
	const address = envelope ?? only ?? onlyAddressIn(own);
	const recipients = address === undefined ? [] : [{ address, reason }];
	return { kind, messageId, recipients, isListed: false, reason };
}

/** The first of several header lines with a field that only emails have. */
function startOfReturned(lines: string[]): number {
	let start = 0;
	for (const [index, line] of lines.entries()) {
		if (TRACE.test(line)) return start;
		const isInHeader = HEADER_LINE.test(line) || /^[ \t]+\S/.test(line);
		if (!isInHeader) start = index + 1;
	}
	return lines.length;
}

function findLists(text: string): RecipientList[] {
	const lists: RecipientList[] = [];
	for (const { words, kind } of WORDS) {
		const found = words.exec(text);
		if (found === null) continue;
		const below = text.slice(found.index + found[0].length);
		lists.push({ kind, lines: below.split('\n') });
	}
	return lists;
}

/** @param lines of which the first is the rest of a line above the recipients */
function readListed(lines: string[]): FailedRecipient[] {
	const reasons = new Map<string, string[]>();
	const above: string[] = [];
	let current = above;
	for (const line of lines) {
		const recipient = readRecipient(line.trim());
		if (recipient === undefined || reasons.has(recipient.address)) {
			current.push(line);
		} else {
			current = [recipient.reason];
			reasons.set(recipient.address, current);
		}
	}
	const otherReason = reasonIn(above.slice(1));
	return [...reasons].map(([address, about]) => ({
		address,
		reason: reasonIn(about) || otherReason,
	}));
}

/** A recipient at the beginning of a line, and the reason on the same line. */
function readRecipient(line: string): FailedRecipient | undefined {
	const [, written, behind = ''] = RECIPIENT.exec(line) ?? [];
	if (written === undefined) return undefined;
	return { address: written.replace(/\.$/, ''), reason: reasonBehind(behind) };
}

function reasonBehind(text: string): string {
	for (const pattern of BEHIND) {
		const found = pattern.exec(text);
		if (found) return found[1] ?? text.slice(found[0].length).replace(/^[\s:]+/, '');
	}
	return text.replace(/^[\s:]+/, '');
}

/** The addresses that an email was sent to, by its header. */
function recipientsIn(header: HeaderField[]): Set<string> {
	const addresses = new Set<string>();
	for (const { name, value } of header) {
		if (name !== 'to' && name !== 'cc') continue;
		for (const { address } of parseAddresses(value)) addresses.add(address.toLowerCase());
	}
	return addresses;
}

/** The addresses in replies of servers, and those that the returned email was sent to and the text mentions. */
function readMentioned(lines: string[], sentTo: ReadonlySet<string>): FailedRecipient[] {
	const found = new Map<string, number>();
	for (const [index, line] of lines.entries()) {
		for (const address of mentionedIn(line, sentTo)) {
			if (!found.has(address)) found.set(address, index);
		}
	}
	const starts = [...found.values()];
	return [...found.keys()].map((address, order) => {
		const previous = starts[order - 1] ?? 0;
		const start = starts[order] ?? 0;
		const end = starts[order + 1] ?? lines.length;
		const paragraph = previous + lines.slice(previous, start).lastIndexOf('') + 1;
		const below = replyIn(paragraphsOf(lines.slice(start, end)));
		const reason = below || reasonIn(lines.slice(paragraph, end));
		const recipient = readRecipient(reason);
		return { address, reason: recipient?.address === address ? recipient.reason : reason };
	});
}

function mentionedIn(line: string, sentTo: ReadonlySet<string>): string[] {
	const inReply = IN_REPLY.exec(line)?.[1];
	if (inReply !== undefined) return [inReply];
	return wordsIn(line).filter((word) => sentTo.has(word.toLowerCase()));
}

function onlyAddressIn(lines: string[]): string | undefined {
	const words = lines.flatMap(wordsIn).filter((word) => toRecipient(word) !== null);
	const [first, ...others] = new Set(words);
	return others.length > 0 ? undefined : first;
}

function wordsIn(line: string): string[] {
	return line.split(BETWEEN_ADDRESSES).map((word) => word.replace(/\.$/, ''));
}

function reasonWithoutList(lines: string[]): string {
	const paragraphs = paragraphsOf(lines);
	const long = paragraphs.find((paragraph) => paragraph.length >= MIN_REASON);
	return replyIn(paragraphs) || (long ?? '');
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

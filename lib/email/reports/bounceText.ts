import { EMAIL_LIMITS } from '../limits';
import { parseAddresses } from '../message/addresses';
import { originOf } from '../message/origin';
import { readHeaderFields, type HeaderField } from '../mime/headerFields';
import { reasonIn, reasonWithoutList, serverReplyIn } from './bounceReasons';
import {
	findLists,
	onlyAddressIn,
	readListed,
	readMentioned,
	type FailedRecipient,
} from './bounceRecipients';

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

const HEADER_LINE = /^[\w-]+:/;

/** A header has one of these fields if it is the header of the returned email. */
const TRACE = /^(?:received|return-path|message-id):/i;

/** `--- Below this line is a copy of the message.`, which qmail, Exim, Yahoo and others write above the returned email. */
const COPY =
	/^[ \t]*-{2,} ?(?:[\w ]{0,40}\b(?:copy|header) of (?:the|your) |(?:the )?(?:original|returned|unsent) (?:message|mail))/i;

const RETURNED_ID = /^[ \t>]*message-id:[ \t]*(<[^<>\s]+>)/im;

/**
 * Reads the recipients and reasons in the text of a bounce, in linear time.
 *
 * @param returnedHeader of the returned email, if it is a part of the bounce
 * @param senders of the returned email, who got the bounce; in lower case
 */
export function readBounceText(
	text: string,
	returnedHeader: HeaderField[],
	senders: ReadonlySet<string>,
): BounceText {
	const { own, returned, messageId } = splitReturned(text.slice(0, EMAIL_LIMITS.bounceText));
	const lists = findLists(own.join('\n'));
	for (const { kind, lines } of lists) {
		const recipients = readListed(lines);
		if (recipients.length > 0) return { kind, messageId, recipients, isListed: true, reason: '' };
	}
	const [first] = lists;
	const kind = first?.kind ?? 'bounce';
	const reason = first === undefined ? reasonWithoutList(own) : reasonIn(first.lines);
	const [returnedTop = ''] = returned.split('\n\n', 1);
	const header = [...returnedHeader, ...readHeaderFields(returnedTop)];
	return { kind, messageId, isListed: false, ...findUnlisted(own, header, reason, senders) };
}

/** The text of a bounce and the email that it returns. */
interface SplitBounce {
	/** The lines of the bounce itself, without blanks around them. */
	own: string[];
	/** From the header of the returned email on; `''` if the text does not contain it. */
	returned: string;
	/** Of the returned email, as written; `''` if not found. */
	messageId: string;
}

function splitReturned(text: string): SplitBounce {
	const lines = text.split('\n').map((line) => line.trimEnd());
	const start = startOfReturned(lines);
	const own = lines.slice(0, start).map((line) => line.trim());
	const returned = lines.slice(start + headerIn(lines.slice(start))).join('\n');
	const [, messageId = ''] = RETURNED_ID.exec(returned) ?? RETURNED_ID.exec(text) ?? [];
	return { own, returned, messageId };
}

/** The first line of a header, which may be below words that announce it. */
function headerIn(lines: readonly string[]): number {
	return Math.max(
		0,
		lines.findIndex((line) => HEADER_LINE.test(line)),
	);
}

/**
 * The line that announces the returned email, or the first of several header lines: with a field that only emails have, or with
 * the sender and the subject.
 */
function startOfReturned(lines: readonly string[]): number {
	let start = 0;
	let hasSender = false;
	let hasSubject = false;
	for (const [index, line] of lines.entries()) {
		if (TRACE.test(line)) return start;
		if (index > 0 && COPY.test(line)) return index;
		hasSender ||= /^from:/i.test(line);
		hasSubject ||= /^subject:/i.test(line);
		if (hasSender && hasSubject) return start;
		const isInHeader = HEADER_LINE.test(line) || /^[ \t]+\S/.test(line);
		if (isInHeader) continue;
		start = index + 1;
		hasSender = false;
		hasSubject = false;
	}
	return lines.length;
}

/**
 * The recipients of a bounce that does not list them: those that its text mentions, that begin lines, or that the returned
 * email was sent to.
 *
 * @param header of the returned email
 * @param reason for all of them
 * @param senders in lower case, who are no recipients
 */
function findUnlisted(
	lines: readonly string[],
	header: HeaderField[],
	reason: string,
	senders: ReadonlySet<string>,
): Pick<BounceText, 'recipients' | 'reason'> {
	const { automatic, deliveredTo } = originOf(header);
	// The recipient of a bounce that a gateway wrapped is the sender of the email.
	if (automatic === 'bounce') return { recipients: [], reason };

	const envelope = deliveredTo();
	const sentTo = recipientsIn(header);
	if (envelope !== null) sentTo.add(envelope.toLowerCase());
	const isOther = (address: string) => !senders.has(address.toLowerCase());
	const mentioned = readMentioned(lines, sentTo).filter((one) => isOther(one.address));
	if (mentioned.length > 0) return { recipients: mentioned, reason };

	const atBeginnings = readListed(['', ...lines]).filter((one) => isOther(one.address));
	if (atBeginnings.length > 0) return { recipients: atBeginnings, reason: '' };

	// The only address in To may be a mailing list.
	const [only] = sentTo.size === 1 && automatic === null ? sentTo : [];
	const address = envelope ?? only ?? addressInText(lines, isOther);
	return { recipients: address === undefined ? [] : [{ address, reason }], reason };
}

/** The only address in a server's reply or in the text. Far below, an address may be an example, or that of somebody who helps. */
function addressInText(
	lines: readonly string[],
	isOther: (address: string) => boolean,
): string | undefined {
	const replies = lines.filter((line) => serverReplyIn([line]) !== '');
	const address = onlyAddressIn(replies, isOther) ?? onlyAddressIn(lines, isOther);
	if (address === undefined || replies.length > 0) return address;
	const end = lines.indexOf('');
	const first = end < 0 ? lines : lines.slice(0, end);
	const isNamed = lines.some(
		(line) => line.includes(`<${address}>`) || line.includes(`: ${address}`),
	);
	return isNamed || first.some((line) => line.includes(address)) ? address : undefined;
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

import { literalPattern } from '../../basics';
import { toRecipient } from '../message/origin';
import { reasonIn, serverReplyIn } from './bounceReasons';
import { BOUNCE_SERVERS } from './bounceServers';

/** A recipient who did not get an email, or not yet. */
export interface FailedRecipient {
	/** As written. */
	address: string;
	/** `''` if not found. */
	reason: string;
}

/** Known words, and the text below them. */
export interface RecipientList {
	kind: 'bounce' | 'delay';
	/** The first one is the rest of the line with the words. */
	lines: string[];
}

const ADDRESS = '[^\\s"\'<>()[\\]:,;@*]+@[^\\s"\'<>()[\\]:,;@*]+';

/** An address, with or without quotation marks or brackets, and what is after it: `<ada@example.com>: unknown user`. */
const RECIPIENT = new RegExp(
	`^(?:(?:${anyBefore()})\\s*)*["'<]{0,2}(${ADDRESS})["'>]{0,3}\\.?(?=[\\s:(]|$)(.*)`,
	'i',
);

const LIST_BEGINNINGS: readonly ListBeginning[] = listBeginnings();

/** What may stand after an address on its line. */
const AFTER: readonly RegExp[] = BOUNCE_SERVERS.flatMap(({ after }) => after ?? []).map(
	patternBehind,
);

/** The reply that sendmail writes about a recipient: `550 <ada@example.com>... User unknown`. */
const IN_REPLY = /^[45]\d\d (?:[45]\.\d{1,3}\.\d{1,3} )?<([^\s<>@]+@[^\s<>@]+)>\.\.\. /;

const BETWEEN_ADDRESSES = /[\s"'<>()[\]:,;=]+/;

interface ListBeginning {
	words: RegExp;
	kind: RecipientList['kind'];
}

/** The words that servers write above recipients, each once. */
function listBeginnings(): ListBeginning[] {
	const known = new Map<string, RecipientList['kind']>();
	for (const { words, kind = 'bounce' } of BOUNCE_SERVERS) {
		if (words !== undefined && !known.has(words)) known.set(words, kind);
	}
	const beginnings: ListBeginning[] = [];
	for (const [words, kind] of known) {
		const source = literalPattern(words).replaceAll(' ', '\\s+');
		beginnings.push({ words: new RegExp(source, 'i'), kind });
	}
	return beginnings;
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

/** The lists of recipients in a text, in the order of {@link BOUNCE_SERVERS}. */
export function findLists(text: string): RecipientList[] {
	const lists: RecipientList[] = [];
	for (const { words, kind } of LIST_BEGINNINGS) {
		const found = words.exec(text);
		if (found === null) continue;
		const below = text.slice(found.index + found[0].length);
		lists.push({ kind, lines: below.split('\n') });
	}
	return lists;
}

/**
 * The recipients at the beginnings of lines, with their reasons.
 *
 * @param lines of which the first is the rest of a line above the recipients
 */
export function readListed(lines: readonly string[]): FailedRecipient[] {
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
	const recipients: FailedRecipient[] = [];
	for (const [address, about] of reasons) {
		recipients.push({ address, reason: reasonIn(about) || otherReason });
	}
	return recipients;
}

/** A recipient at the beginning of a line, and the reason on the same line. */
function readRecipient(line: string): FailedRecipient | undefined {
	const [, written, after = ''] = RECIPIENT.exec(line) ?? [];
	if (written === undefined) return undefined;
	return { address: written.replace(/\.$/, ''), reason: reasonAfter(after) };
}

function reasonAfter(text: string): string {
	for (const pattern of AFTER) {
		const found = pattern.exec(text);
		if (found) return found[1] ?? text.slice(found[0].length).replace(/^[\s:]+/, '');
	}
	return text.replace(/^[\s:]+/, '');
}

/**
 * The addresses in replies of servers, and those that the returned email was sent to and the text mentions.
 *
 * @param sentTo in lower case
 */
export function readMentioned(
	lines: readonly string[],
	sentTo: ReadonlySet<string>,
): FailedRecipient[] {
	/** The first line of each address. */
	const found = new Map<string, number>();
	for (const [index, line] of lines.entries()) {
		for (const address of mentionedIn(line, sentTo)) {
			if (!found.has(address)) found.set(address, index);
		}
	}
	const starts = [...found.values()];
	const recipients: FailedRecipient[] = [];
	for (const [order, [address, start]] of [...found].entries()) {
		const previous = starts[order - 1] ?? 0;
		const end = starts[order + 1] ?? lines.length;
		const paragraph = previous + lines.slice(previous, start).lastIndexOf('') + 1;
		const below = serverReplyIn(lines.slice(start, end));
		const reason = below || reasonIn(lines.slice(paragraph, end));
		// The paragraph may begin with the address.
		const recipient = readRecipient(reason);
		const isAboutIt = recipient?.address === address;
		recipients.push({ address, reason: isAboutIt ? recipient.reason : reason });
	}
	return recipients;
}

function mentionedIn(line: string, sentTo: ReadonlySet<string>): string[] {
	const inReply = IN_REPLY.exec(line)?.[1];
	if (inReply !== undefined) return [inReply];
	return wordsIn(line).filter((word) => sentTo.has(word.toLowerCase()));
}

/**
 * The address in a text; undefined if there are several.
 *
 * @param isOther whether an address counts
 */
export function onlyAddressIn(
	lines: readonly string[],
	isOther: (address: string) => boolean,
): string | undefined {
	const words = lines
		.flatMap(wordsIn)
		.filter((word) => toRecipient(word) !== null && isOther(word));
	const [first, ...others] = new Set(words);
	return others.length > 0 ? undefined : first;
}

function wordsIn(line: string): string[] {
	return line.split(BETWEEN_ADDRESSES).map((word) => word.replace(/\.$/, ''));
}

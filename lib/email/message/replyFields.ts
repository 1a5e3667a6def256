import { identityKey } from '../../basics';
import { isNullSender } from './automaticHeader';
import { toRecipient, type EmailOrigin } from './origin';
import { toReplySubject } from './subjectPrefixes';
import type { EmailAddress, EmailFields, EmailThread } from './types';

/** The fields of a reply, for any node that sends emails. No value can start another header field. */
export interface ReplyFields {
	/** Addresses without names, separated by commas. */
	to: string;
	subject: string;
	/** `''` if the email has no Message-ID. */
	inReplyTo: string;
	/** Message-IDs, oldest first, separated by spaces. */
	references: string;
}

interface AnswerOptions {
	/** Whether it is an address of the receiver, which gets no answer. */
	isOwn(address: string): boolean;
	/** Whether Reply-To is used. Anyone can add one to a signed email and send it again. */
	isReplyToTrusted: boolean;
}

/** More recipients are not needed, and a stranger could use them to send mail to many people. */
const MAX_RECIPIENTS = 10;

const MAX_READ = 100;

/** A header line may have 998 characters (RFC 5537, 3.4.4). */
const MAX_REFERENCES = 998 - 'References: '.length;

/** At most 320 characters, so that the first and the last two IDs always fit. RFC 5536, 3.1.3 allows 250. */
const PLAIN_ID = /^<[!-;=?-~]{1,318}>$/;

/** Without syntax that programs read differently: quotes, comments, groups, routes, encoded words, invisible characters. */
const PLAIN_RECIPIENT = /^[^"(),:;<>@[\\\]\p{C}\p{Z}]+@[^"(),:;<>@[\\\]\p{C}\p{Z}]+$/u;

/** Written by a program (RFC 3834, 2), including notifications that people may reply to. */
const AUTO_SUBMITTED = /^(?!no\b)\S/i;

/**
 * The fields of a reply to an email.
 *
 * @returns null if a program wrote the email (RFC 3834, 2), if its return path is empty, or if only own addresses would get the reply
 */
export function toReplyFields(
	{ from, subject, thread }: EmailFields,
	{ automatic, topmost }: EmailOrigin,
	options: AnswerOptions,
): ReplyFields | null {
	if (automatic !== null || AUTO_SUBMITTED.test(topmost('auto-submitted').trim())) return null;
	if (isNullSender(topmost('return-path'))) return null;

	let asked = options.isReplyToTrusted ? plainAddresses(thread.replyTo) : [];
	if (asked.length === 0 && from !== null) asked = plainAddresses([from]);
	const others = asked.filter((address) => !options.isOwn(address));
	const recipients = others.slice(0, MAX_RECIPIENTS);
	if (recipients.length === 0) return null;

	const messageId = thread.messageId ?? '';
	return {
		to: recipients.join(', '),
		subject: toReplySubject(subject),
		inReplyTo: PLAIN_ID.test(messageId) ? messageId : '',
		references: toReferences(thread),
	};
}

/** An address that every program reads in the same way, and that cannot start another header field; otherwise null. */
export function toPlainRecipient(address: string): string | null {
	const plain = toRecipient(address);
	if (plain === null || plain.includes('=?') || !PLAIN_RECIPIENT.test(plain)) return null;
	return plain;
}

/** Valid addresses without duplicates, in their order. */
function plainAddresses(addresses: EmailAddress[]): string[] {
	const found = new Map<string, string>();
	for (const { address } of addresses.slice(0, MAX_READ)) {
		const plain = toPlainRecipient(address);
		if (plain === null) continue;
		const key = identityKey(plain);
		if (!found.has(key)) found.set(key, plain);
	}
	return [...found.values()];
}

/**
 * The References of the email, or its In-Reply-To, followed by its own ID (RFC 5322, 3.6.4). If the line is too long, keeps
 * the first ID and as many of the last IDs as fit (RFC 5537, 3.4.4).
 */
function toReferences({ messageId, inReplyTo, references }: EmailThread): string {
	const earlier = references.length > 0 ? references : [inReplyTo ?? ''];
	const ids = [...earlier, messageId ?? ''].filter((id) => PLAIN_ID.test(id));
	const [first = '', ...later] = ids;
	const kept: string[] = [];
	let { length } = first;
	for (const id of later.reverse()) {
		length += 1 + id.length;
		if (length > MAX_REFERENCES) break;
		kept.push(id);
	}
	return [first, ...kept.reverse()].join(' ');
}

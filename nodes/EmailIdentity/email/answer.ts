import { identityKey } from '../lib/addresses';
import { toRecipient, type EmailOrigin } from './origin';
import { toReplySubject } from './reply/subjectPrefixes';
import type { EmailAddress, EmailFields, EmailThread } from './types';

/** The fields of an answer, for any node that sends emails. None of them can start another header field. */
export interface Answer {
	/** Addresses without names, separated by commas. */
	to: string;
	subject: string;
	/** `''` if the email has no Message-ID. */
	inReplyTo: string;
	/** Message-IDs, oldest first, separated by spaces. */
	references: string;
}

export interface AnswerOptions {
	isOwn(address: string): boolean;
	/** Whether Reply-To counts. Anyone can add one to a signed email and send it again. */
	isReplyToTrusted: boolean;
}

/** Nobody asks for answers to more people, and a stranger could have them all written to. */
const MAX_RECIPIENTS = 10;

/** Addresses to look at. */
const MAX_READ = 100;

/** The value of a line of 998 characters with its name (RFC 5537, 3.4.4). */
const MAX_REFERENCES = 998 - 'References: '.length;

/** Of at most 320 characters, so that the first and the last two always fit. RFC 5536, 3.1.3 allows 250. */
const PLAIN_ID = /^<[!-;=?-~]{1,318}>$/;

/** Without what programs read in different ways: quotes, comments, groups, routes, encoded words, invisible characters. */
const PLAIN_ADDRESS = /^[^"(),:;<>@[\\\]\p{C}\p{Z}]+@[^"(),:;<>@[\\\]\p{C}\p{Z}]+$/u;

/** Written by a program (RFC 3834, 2), including notifications that people may answer by hand. */
const AUTO_SUBMITTED = /^(?!no\b)\S/i;

/**
 * Whom to answer, and how.
 *
 * @returns null if a program wrote the email (RFC 3834, 2), or if only own addresses would get the answer
 */
export function toAnswer(
	{ from, subject, thread }: EmailFields,
	{ automatic, topmost }: EmailOrigin,
	{ isOwn, isReplyToTrusted }: AnswerOptions,
): Answer | null {
	if (automatic !== null || AUTO_SUBMITTED.test(topmost('auto-submitted').trim())) return null;
	const asked = isReplyToTrusted ? plainAddresses(thread.replyTo) : [];
	const named = asked.length > 0 ? asked : plainAddresses(from ? [from] : []);
	const to = named.filter((address) => !isOwn(address)).slice(0, MAX_RECIPIENTS);
	if (to.length === 0) return null;
	const { messageId } = thread;
	return {
		to: to.join(', '),
		subject: toReplySubject(subject),
		inReplyTo: messageId !== null && PLAIN_ID.test(messageId) ? messageId : '',
		references: toReferences(thread),
	};
}

/** Each once, in their order. */
function plainAddresses(addresses: EmailAddress[]): string[] {
	const found = new Map<string, string>();
	for (const { address } of addresses.slice(0, MAX_READ)) {
		const plain = toRecipient(address);
		if (plain === null || plain.includes('=?') || !PLAIN_ADDRESS.test(plain)) continue;
		const key = identityKey(plain);
		if (!found.has(key)) found.set(key, plain);
	}
	return [...found.values()];
}

/**
 * The References of the email, or its In-Reply-To, then its own ID (RFC 5322, 3.6.4). If the line gets too long, keeps the
 * first ID and as many of the last as fit (RFC 5537, 3.4.4).
 */
function toReferences({ messageId, inReplyTo, references }: EmailThread): string {
	const earlier = references.length > 0 ? references : [inReplyTo];
	const ids = [...earlier, messageId].map((id) => id ?? '').filter((id) => PLAIN_ID.test(id));
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

import { identityKey } from '../../basics';
import { isNullSender } from './automaticHeader';
import { toRecipient, type EmailOrigin } from './origin';
import { toReplySubject } from './subjectPrefixes';
import type { EmailAddress, EmailFields, EmailThread } from './headerTypes';
import { isUnattended } from './unattended';

/** The fields of a reply, for any node that sends emails. No value can start another header field. */
export interface ReplyFields {
	/** One address without a name. */
	to: string;
	subject: string;
	/** `''` if the email has no Message-ID. */
	inReplyTo: string;
	/** Message-IDs, oldest first, separated by spaces. */
	references: string;
}

/** Why an email must not be answered. */
export type NoAnswerReason =
	/** A program wrote it (RFC 3834, 2), or its return path is empty. */
	| 'automatic'
	/** It has no valid address for a reply. */
	| 'noAddress'
	/** The address for replies says that nobody reads it. */
	| 'noReplyAddress'
	/** The address for replies is one of your own. */
	| 'ownAddress';

/** Exactly one of the two is null. */
export interface Answer {
	answer: ReplyFields | null;
	noAnswer: NoAnswerReason | null;
}

interface AnswerOptions {
	/** Whether it is an address of the receiver, which gets no answer. */
	isOwn(address: string): Promise<boolean>;
	/** Whether Reply-To is used. Anyone can add one to a signed email and send it again. */
	isReplyToTrusted: boolean;
}

const MAX_READ = 100;

/** A header line may have 998 characters (RFC 5537, 3.4.4). */
const MAX_REFERENCES = 998 - 'References: '.length;

/** At most 320 characters, so that the first and the last two IDs always fit. RFC 5536, 3.1.3 allows 250. */
const PLAIN_ID = /^<[!-;=?-~]{1,318}>$/;

/** Without syntax that programs read differently: quotes, comments, groups, routes, encoded words, invisible characters. */
const PLAIN_RECIPIENT = /^[^"(),:;<>@[\\\]\p{C}\p{Z}]+@[^"(),:;<>@[\\\]\p{C}\p{Z}]+$/u;

/** Written by a program (RFC 3834, 2), including notifications that people may reply to. */
const AUTO_SUBMITTED = /^(?!no\b)\S/i;

/** The fields of a reply to an email: to the first address in Reply-To that is not an own one; without a valid Reply-To, to the one in From. */
export async function findAnswer(
	fields: EmailFields,
	origin: EmailOrigin,
	options: AnswerOptions,
): Promise<Answer> {
	if (isAutomatic(origin)) return withoutAnswer('automatic');
	const addresses = addressesForReply(fields, options.isReplyToTrusted);
	if (addresses.length === 0) return withoutAnswer('noAddress');
	const to = await firstForeign(addresses, options);
	if (to === undefined) return withoutAnswer('ownAddress');
	if (isUnattended(to)) return withoutAnswer('noReplyAddress');
	return { answer: toReplyFields(to, fields), noAnswer: null };
}

function withoutAnswer(noAnswer: NoAnswerReason): Answer {
	return { answer: null, noAnswer };
}

function isAutomatic({ automatic, topmost }: EmailOrigin): boolean {
	if (automatic !== null || AUTO_SUBMITTED.test(topmost('auto-submitted').trim())) return true;
	return isNullSender(topmost('return-path'));
}

function addressesForReply({ from, thread }: EmailFields, isReplyToTrusted: boolean): string[] {
	const replyTo = isReplyToTrusted ? plainAddresses(thread.replyTo) : [];
	if (replyTo.length > 0 || from === null) return replyTo;
	return plainAddresses([from]);
}

async function firstForeign(
	addresses: string[],
	{ isOwn }: AnswerOptions,
): Promise<string | undefined> {
	for (const address of addresses) {
		if (!(await isOwn(address))) return address;
	}
	return undefined;
}

function toReplyFields(to: string, { subject, thread }: EmailFields): ReplyFields {
	const messageId = thread.messageId ?? '';
	return {
		to,
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

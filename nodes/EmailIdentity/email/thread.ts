import { oneLine } from './headerFields';
import type { EmailThread } from './types';

/** What the header says about a conversation. */
export type ThreadFields = Omit<EmailThread, 'id'>;

// An ID stands on one line, which has 998 characters at most (RFC 5322, 2.1.1).
const MAX_ID = 998;

// An ID in brackets, a word of which half a bracket is left, or a bare word.
const ID_OR_WORD = /<[^<>]*>|<[^<>\s,]*|[^<>\s,]+>?/g;

/**
 * Where an email stands in its conversation.
 *
 * All emails of a conversation have the same `id`: a reply has the Message-IDs so far in References, the first
 * one first, and mail programs that shorten the list keep that one (RFC 5322, 3.6.4; RFC 5537, 3.4.4). A program that
 * knows In-Reply-To alone names the email that it answers, which is the first one at least for the first reply.
 */
export function toThread(fields: ThreadFields): EmailThread {
	const { messageId, inReplyTo, references, replyTo } = fields;
	const id = references[0] ?? inReplyTo ?? messageId;
	return { id, messageId, inReplyTo, references, replyTo };
}

/**
 * The Message-IDs of a header's value, in angle brackets also where those were lost on the way: the same ID is always the
 * same text. Several may stand there, with or without commas; words between them (RFC 822, 4.6) do not count, nor does
 * half an ID where a list was cut.
 *
 * @param value unfolded, encoded words decoded
 */
export function readMessageIds(value: string): string[] {
	const found = oneLine(value).match(ID_OR_WORD) ?? [];
	if (found.length === 1) return found.flatMap(toId);
	const complete = found.filter((text) => isBare(text) || isInBrackets(text));
	const inBrackets = complete.filter(isInBrackets);
	const isProse = complete.some((text) => isBare(text) && !text.includes('@'));
	if (!isProse) return complete.flatMap(toId);
	const addressed = complete.filter((text) => text.includes('@'));
	return (inBrackets.length > 0 ? inBrackets : addressed).flatMap(toId);
}

/** Blanks within an ID come from folding, unless the brackets contain a sentence. */
function toId(text: string): string[] {
	const id = text.replace(/[<>\s]+/g, '');
	const isSentence = /\S\s+\S/.test(text.slice(1, -1)) && !id.includes('@');
	return id === '' || isSentence || id.length > MAX_ID ? [] : [`<${id}>`];
}

function isInBrackets(text: string): boolean {
	return text.startsWith('<') && text.endsWith('>');
}

function isBare(text: string): boolean {
	return !text.startsWith('<') && !text.endsWith('>');
}

import { oneLine } from '../mime/headerFields';
import type { EmailAddress, EmailThread, KnownFields } from './headerTypes';

// An ID is on one line, which has at most 998 characters (RFC 5322, 2.1.1).
const MAX_ID = 998;

// An ID in brackets, a word with only one bracket, or a bare word.
const ID_OR_WORD = /<[^<>]*>|<[^<>\s,]*|[^<>\s,]+>?/g;

/** `Message from Ada <ada@example.com> of Monday <1@example.com>` (MH). */
const NAMES_SENDER = /^\s*message from\b/i;

/**
 * The position of an email in its conversation.
 *
 * All emails of a conversation have the same `id`: the first Message-ID in References, which mail programs keep when they
 * shorten the list (RFC 5322, 3.6.4; RFC 5537, 3.4.4). MH puts the answered email before it. Some programs write only
 * In-Reply-To, which is the same ID in the first reply; then emails further down have another `id`.
 */
export function toThread(fields: Partial<KnownFields>, replyTo: EmailAddress[]): EmailThread {
	const [messageId = null] = readMessageIds(fields.messageId);
	const inReplyTo = readAnsweredId(fields.inReplyTo ?? '');
	const references = readMessageIds(fields.references);
	const isParentFirst = references.length > 1 && references[0] === inReplyTo;
	const first = isParentFirst ? references[1] : references[0];
	return { id: first ?? inReplyTo ?? messageId, messageId, inReplyTo, references, replyTo };
}

function readAnsweredId(written: string): string | null {
	const ids = readMessageIds(written);
	const id = NAMES_SENDER.test(written) ? ids.at(-1) : ids[0];
	return id ?? null;
}

/**
 * The Message-IDs in a header, always with angle brackets, so that equal IDs are equal texts. There may be several, with or
 * without commas. Ignores words between them (RFC 822, 4.6) and a truncated ID at the end.
 */
export function readMessageIds(value = ''): string[] {
	const found = oneLine(value).match(ID_OR_WORD) ?? [];
	if (found.length === 1) return toIds(found);
	const complete = found.filter((text) => text.startsWith('<') === text.endsWith('>'));
	const isProse = complete.some((text) => !text.startsWith('<') && !text.includes('@'));
	if (!isProse) return toIds(complete);
	const inBrackets = complete.filter((text) => text.startsWith('<'));
	if (inBrackets.length > 0) return toIds(inBrackets);
	return toIds(complete.filter((text) => text.includes('@')));
}

/** Spaces in an ID come from folding, unless the brackets contain a sentence. */
function toIds(texts: string[]): string[] {
	const ids: string[] = [];
	for (const text of texts) {
		const id = text.replace(/[<>\s]+/g, '');
		const isSentence = /\S\s+\S/.test(text.slice(1, -1)) && !id.includes('@');
		if (id !== '' && !isSentence && id.length <= MAX_ID) ids.push(`<${id}>`);
	}
	return ids;
}

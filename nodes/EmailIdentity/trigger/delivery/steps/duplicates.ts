import { createHash } from 'crypto';

import type { ServiceMessage } from '../../../api/data/messages';
import type { Pause } from '../../../../../lib/basics';
import { KEY_LENGTH } from '../memory/seenMessages';
import { ignore, refuse, type Ignored } from '../outcomes';
import type { ParsedDelivery, Step } from '../stages';

/** Hashing this much takes about three milliseconds, less than n8n's parsing of it. */
const CHARACTERS_IN_A_PIECE = 1_000_000;

/** A test event is not remembered, and not ignored because it was seen. */
export const duplicate: Step = async (delivery, { memory, pause, remember }) => {
	const { scope, workflowId, parameters, seen, delivered } = delivery;
	if (parameters.ignoreDuplicates === 'off' || scope.listening === 'test') return delivery;

	let messageId: string | null = null;
	if (parameters.ignoreDuplicates === 'sameMessageId') {
		const opened = await delivered.open();
		messageId = opened.thread.messageId;
	}
	const keys = await keysOf(delivered.received, messageId, pause);

	const webhook = [scope.instanceId, workflowId, scope.webhookPath].join('/');
	const messages = memory.messageClaims.of(webhook);
	const isMoreKnown = messages.seen.merge(seen);
	if (isMoreKnown) remember(messages.seen);
	if (messages.seen.hasAny(keys)) return ignoreDuplicate(delivery);
	return { ...delivery, deduplication: { messages, keys } };
};

/** After the slow steps, so that no email waits until a forged copy's sender is checked. `startOnce` ends the claim. */
export const claimed: Step = async (delivery) => {
	const { deduplication, closed } = delivery;
	if (!deduplication) return delivery;
	const { messages, keys } = deduplication;
	const claim = await messages.claim(keys, closed);
	if (claim === 'duplicate') return ignoreDuplicate(delivery);
	if (claim === 'doubtful') return refuse('beingStarted');
	return { ...delivery, deduplication: { ...deduplication, claim } };
};

/** Repeats are ordinary; an email with the same Message-ID may be another one (see SECURITY.md). */
function ignoreDuplicate({ parameters }: ParsedDelivery): Ignored {
	const isById = parameters.ignoreDuplicates === 'sameMessageId';
	return ignore('duplicate', { level: isById ? 'info' : 'debug' });
}

/**
 * A message was seen if any of its keys was.
 *
 * | key | why |
 * | --- | --- |
 * | its ID in the service | a repeat with other content is the same message |
 * | the bytes of the email | in a Gmail account, an email is a message for each of its labels, with an ID for each |
 * | its Message-ID, instead of the bytes | copies for several recipients share nothing else |
 */
export async function keysOf(
	{ id, rawEmail }: ServiceMessage,
	messageId: string | null,
	pause: Pause,
): Promise<string[]> {
	const keys = id === null ? [] : [await digest('id:', id, pause)];
	if (messageId) keys.push(await digest('message-id:', messageId, pause));
	else if (rawEmail) keys.push(await digest('email:', rawEmail, pause));
	return keys;
}

/** In pieces, so that a long email does not delay others. */
async function digest(kind: string, text: string, pause: Pause): Promise<string> {
	const hash = createHash('sha256').update(kind);
	let start = 0;
	while (start < text.length) {
		if (start > 0) await pause();
		let end = start + CHARACTERS_IN_A_PIECE;
		// Both halves of a character beyond 16 bits are in one piece.
		if (/[\udc00-\udfff]/.test(text.charAt(end))) end++;
		hash.update(text.slice(start, end));
		start = end;
	}
	return hash.digest('base64url').slice(0, KEY_LENGTH);
}

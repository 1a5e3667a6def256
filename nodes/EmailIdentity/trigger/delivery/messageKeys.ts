import { createHash } from 'crypto';

import { readMessageFields, type ServiceMessage } from '../../api/messages';
import { IdempotencyWindow } from './idempotencyWindow';

/**
 * What tells a message from others; whichever of these was seen, the message was.
 *
 * | key | why |
 * | --- | --- |
 * | its ID in the service | a repeat with other content is the same message |
 * | the bytes of the email | in a Gmail account one email is a message for each of its labels, with an ID for each |
 * | its Message-ID, in place of the bytes | copies for several recipients differ in nothing else that they share |
 *
 * A message that has neither ID nor email is known by all that is told of it.
 *
 * @param messageId where one Message-ID is to mean one message; null where the email has none, and where it does not matter
 * @returns one or two, each with as many base64url characters as `IdempotencyWindow` keeps
 */
export function keysOf({ id, rawEmail, message }: ServiceMessage, messageId: string | null) {
	const keys: string[] = [];
	if (id !== null) keys.push(digest('id:', id));
	if (messageId) keys.push(digest('message-id:', messageId));
	else if (rawEmail) keys.push(digest('email:', rawEmail));
	return keys.length > 0 ? keys : [digest('message:', textOf(message))];
}

function digest(kind: string, text: string): string {
	const hash = createHash('sha256').update(kind).update(text);
	return hash.digest('base64url').slice(0, IdempotencyWindow.keyLength);
}

/** `JSON.stringify` gives up on what is nested some thousands deep; what is told of the email is flat. */
function textOf(message: ServiceMessage['message']): string {
	try {
		return JSON.stringify(message);
	} catch {
		return JSON.stringify(readMessageFields(message));
	}
}

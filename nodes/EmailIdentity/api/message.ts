import { isObject } from './json';
import { isText, readNamed } from './messageNames';
import type { Entry } from './types';

/**
 * A message of the service. Deliveries and answers bring it as `{message, rawEmail}` or as the message object alone,
 * with or without the raw email in it (contract, sections 2.3 and 6).
 */
export interface ServiceMessage {
	/** The service's own ID of the message, as in `GET /messages/{id}`; null when it has none. */
	id: string | null;
	/** The message object as it was sent. */
	message: Entry;
	/** RFC 5322 text; undefined when none was sent, empty where the service says that it has none. */
	rawEmail: string | undefined;
}

/**
 * Reads a message, wherever it comes from: the `data` of a delivery, the answer of `GET /messages/{id}`.
 *
 * @param source as the service sent it, without an envelope
 */
export function readMessage(source: Entry): ServiceMessage {
	const message = isObject(source.message) ? source.message : source;
	const own = readNamed(message, ['id', 'rawEmail']);
	const outer = message === source ? own : readNamed(source, ['rawEmail']);
	const rawEmails = [outer.rawEmail, own.rawEmail].filter((value) => typeof value === 'string');
	return {
		id: idText(own.id),
		message,
		rawEmail: rawEmails.find((rawEmail) => rawEmail !== '') ?? rawEmails[0],
	};
}

/** Whether an object holds a message with its raw email beside it, as a delivery does. */
export function hasRawEmailBeside(source: Entry): boolean {
	return isObject(source.message) && typeof readNamed(source, ['rawEmail']).rawEmail === 'string';
}

function idText(id: unknown): string | null {
	return isText(id) && id !== '' ? String(id) : null;
}

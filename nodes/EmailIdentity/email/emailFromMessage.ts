import type { Entry } from '../api/types';
import { readEmail } from './readEmail';
import { rawEmailOf } from './messageFields';
import type { EmailReading, ReadEmailOptions } from './types';

/**
 * Reads a message object of the service (contract, section 2.3) into the documented Email.
 *
 * @param message as `GET /messages/{id}` or a delivery gives it; where it brings the raw email, that is parsed.
 * @returns an email whose `parsed` is false where the message brings no raw email. Never throws.
 */
export function emailFromMessage(message: Entry, options: ReadEmailOptions): Promise<EmailReading> {
	return readEmail(rawEmailOf(message), message, options);
}

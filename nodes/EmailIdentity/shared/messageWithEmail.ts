import { readMessageFields, type ServiceMessage } from '../api/messages';
import { openEmail, splitEmail, type EmailText, type OpenedEmail } from '../../../lib/email';
import type { Pause } from '../../../lib/basics';

export type MessageWithEmail = ReturnType<typeof withEmail>;

/** A message of the service with its email, which is split and opened when it is first needed, and once. */
export function withEmail(received: ServiceMessage, pause: Pause) {
	const { message, rawEmail = '' } = received;
	const known = () => readMessageFields(message);
	let split: EmailText | undefined;
	const text = () => (split ??= splitEmail(rawEmail));
	let opening: Promise<OpenedEmail> | undefined;
	/** Opens what a check returned, with what the service knows if it cannot be read. */
	const openAs = async (email: EmailText) => await openEmail(email, { known, pause });
	const open = async () => await (opening ??= openAs(text()));
	return { received, text, open, openAs };
}

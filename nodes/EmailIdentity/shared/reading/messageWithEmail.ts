import { readMessageFields, type ServiceMessage } from '../../api/data/messages';
import { openEmail, splitEmail, type EmailText, type OpenedEmail } from '../../../../lib/email';
import type { Pause } from '../../../../lib/basics';

/** A message of the service with its email, which is split and opened when it is first needed, and once. */
export interface MessageWithEmail {
	/** The message as the service sent it. */
	received: ServiceMessage;
	/** The raw email as fields and body; without both if the service sent no raw email. */
	text(): EmailText;
	/** The opened email. An email that cannot be parsed has what the service knows instead. */
	open(): Promise<OpenedEmail>;
	/** Opens another reading of the same email, for example the one that a check of the sender returned. */
	openAs(email: EmailText): Promise<OpenedEmail>;
}

export function withEmail(received: ServiceMessage, pause: Pause): MessageWithEmail {
	const { message, rawEmail = '' } = received;
	let split: EmailText | undefined;
	let opening: Promise<OpenedEmail> | undefined;

	function text(): EmailText {
		split ??= splitEmail(rawEmail);
		return split;
	}

	async function openAs(email: EmailText): Promise<OpenedEmail> {
		const known = () => readMessageFields(message);
		return await openEmail(email, { known, pause });
	}

	async function open(): Promise<OpenedEmail> {
		opening ??= openAs(text());
		return await opening;
	}

	return { received, text, open, openAs };
}

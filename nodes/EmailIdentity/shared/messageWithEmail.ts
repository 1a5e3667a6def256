import { readMessageFields, type ServiceMessage } from '../api/messages';
import {
	openEmail,
	splitEmail,
	type ContentHeader,
	type EmailText,
	type OpenedEmail,
} from '../../../lib/email';
import { asSigned } from '../../../lib/proof';
import type { Pause } from '../../../lib/basics';

/** A message of the service with its email, which is split and opened when it is first needed, and once. */
export interface MessageWithEmail {
	received: ServiceMessage;
	text(): EmailText;
	open(): Promise<OpenedEmail>;
	/** The same email, read by other content fields, see `SenderCheck`. */
	withContent(content: ContentHeader): MessageWithEmail;
}

/** @param isSenderChecked whether the email is read as its signatures cover it */
export function withEmail(
	received: ServiceMessage,
	isSenderChecked: boolean,
	pause: Pause,
): MessageWithEmail {
	const { message, rawEmail = '' } = received;
	const known = () => readMessageFields(message);
	let split: EmailText | undefined;
	const text = () => (split ??= splitEmail(rawEmail));
	const readBy = (content?: ContentHeader): MessageWithEmail => {
		let opening: Promise<OpenedEmail> | undefined;
		const readable = () => (isSenderChecked ? asSigned(text()) : text());
		const open = async () =>
			await (opening ??= openEmail({ ...readable(), content }, { known, pause }));
		return { received, text, open, withContent: readBy };
	};
	return readBy();
}

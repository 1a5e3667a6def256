import { sleep } from 'n8n-workflow';

import {
	type MessagePlace,
	readMessageFields,
	readMessagePlace,
	type ServiceMessage,
} from '../../api/messages';
import { openEmail, readOrigin, type EmailOrigin, type OpenedEmail } from '../../email';

/** A message of the service, with its email, which is opened when that is first asked for, and only then. */
export interface DeliveredEmail {
	received: ServiceMessage;
	/** Where it is in its mailbox, as far as the service tells. */
	place(): MessagePlace;
	/** Finds all parts of the email; whoever asks again gets the same. */
	open(): Promise<OpenedEmail>;
	/** What its header says of how it came about: of the opened email, or else the header alone is read. */
	origin(): Promise<EmailOrigin>;
}

/** The email is what was sent as such, and what the service tells of it where there is none. */
export function deliveredEmail(received: ServiceMessage): DeliveredEmail {
	const { rawEmail, message } = received;
	const known = () => readMessageFields(message);
	const pause = async () => await sleep(0);
	// Several steps of a delivery ask for each of them.
	let place: MessagePlace | undefined;
	let opening: Promise<OpenedEmail> | undefined;
	let readingHeader: Promise<EmailOrigin> | undefined;
	return {
		received,
		place: () => (place ??= readMessagePlace(message)),
		open: async () => await (opening ??= openEmail(rawEmail, { known, pause })),
		origin: async () => await (opening ?? (readingHeader ??= readOrigin(rawEmail, known))),
	};
}

import type { IDataObject } from 'n8n-workflow';

import type { ServiceMessage } from '../api/messages';
import type { Authentication, SenderCheck } from '../dns/senders';
import {
	tagOf,
	toAnswer,
	type Answer,
	type Automatic,
	type Email,
	type EmailFile,
	type EmailThread,
	type OpenedEmail,
	type ReadEmailOptions,
} from '../email';
import type { Recipient } from './recipient';
import { authenticationOfOutput } from './senderAuthentication';

/** What the service adds to an email: how it came here. */
export interface Delivery {
	/** The service's own ID of the message, as Message Get takes it; null when it has none. */
	id: string | null;
	/** The address that the email was delivered to, as it was written, with its tag; null when it is unknown. */
	recipient: string | null;
	/** What follows the plus sign in the recipient: `orders` in `sales+orders@example.com`. */
	tag: string | null;
	/** What kind of automatic mail it is; null for what a person wrote. */
	automatic: Automatic | null;
	/** Words were left out that nobody who reads the email sees; only there in that case. */
	hiddenText?: true;
	/** Whether it comes from the domain that it says it is from; only where that was asked for. */
	authentication?: Authentication;
}

/** What workflows get for one email, with Simplify on: the fields of the email, and how it came. */
export interface SimplifiedEmail extends Omit<Email, 'hiddenText'> {
	thread: EmailThread & {
		/** Null for what must not be answered. */
		answer: Answer | null;
	};
	delivery: Delivery;
}

export interface SimplifiedEmailOptions extends ReadEmailOptions, Recipient {
	/** What a check of the sender found. */
	sender?: SenderCheck;
}

/**
 * Reads an email into the documented output of the trigger and of Message Get.
 *
 * @param received what the service gave
 * @param opened the email in it
 * @returns the JSON of the item, with its fields in the order in which people read them, and the files that were asked for
 */
export async function readSimplifiedEmail(
	received: ServiceMessage,
	opened: OpenedEmail,
	{ sender, recipient, isOwn, ...options }: SimplifiedEmailOptions,
): Promise<{ json: IDataObject; files: EmailFile[] }> {
	const { email, files } = await opened.read(options);
	const { headers, hiddenText, parsed, warning, ...fields } = email;
	const isReplyToTrusted =
		sender === undefined || (sender.coversReplyTo === true && parsed !== false);
	const simplified: SimplifiedEmail = {
		...fields,
		thread: { ...email.thread, answer: toAnswer(email, opened, { isOwn, isReplyToTrusted }) },
		delivery: {
			id: received.id,
			recipient,
			tag: recipient === null ? null : tagOf(recipient),
			automatic: opened.automatic,
			...(hiddenText && { hiddenText }),
			...(sender && { authentication: authenticationOfOutput(sender.authentication, email) }),
		},
		...(headers && { headers }),
		...(parsed === false && { parsed }),
		...(warning !== undefined && { warning }),
	};
	return { json: simplified as unknown as IDataObject, files };
}

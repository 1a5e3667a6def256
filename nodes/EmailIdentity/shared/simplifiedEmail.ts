import type { IDataObject } from 'n8n-workflow';

import { readDeliveredTo, type ServiceMessage } from '../api/messages';
import { notCheckedBecause, type Authentication } from '../../../lib/proof';
import {
	type ReplyFields,
	type Automatic,
	type DeliveryReport,
	type Email,
	type EmailFile,
	type EmailOrigin,
	type EmailThread,
	type OpenedEmail,
	type ReadEmailOptions,
	tagOf,
	toReplyFields,
	toRecipient,
} from '../../../lib/email';
import { isMailFor, isSameMailbox } from '../../../lib/basics';
import type { CheckedSender } from './dnsAccess';
import type { OwnIdentities } from './identities';
import type { MessageWithEmail } from './messageWithEmail';

export interface SimplifiedEmail extends Email {
	text: string;
	html: string;
	/** `answer` is null if the email must not be answered. */
	thread: EmailThread & { answer: ReplyFields | null };
	delivery: {
		/** The service's ID of the message, for Message Get. */
		id: string | null;
		/** The address that the email was delivered to, with its plus tag; null if unknown. */
		recipient: string | null;
		/** `orders` in `sales+orders@example.com`. */
		tag: string | null;
		/** Null for an email that a person wrote. */
		automatic: Automatic | null;
		/** Only for bounces and other reports. */
		report?: DeliveryReport;
		/** Only with Sender Check. */
		authentication?: Authentication;
	};
}

interface SimplifiedEmailOptions extends ReadEmailOptions {
	sender?: CheckedSender;
	/** The address that the subscription is restricted to. */
	restrictedTo?: string;
	askIdentities(): Promise<OwnIdentities | undefined>;
}

const NOT_PARSED = 'The email could not be parsed completely, so its sender could not be checked.';

/** Of the trigger and of Message Get. The fields are in the order of the documentation. */
export async function readSimplifiedEmail(
	{ received, open }: MessageWithEmail,
	{ sender, ...options }: SimplifiedEmailOptions,
): Promise<{ json: IDataObject; files: EmailFile[] }> {
	const opened = await open();
	const { recipient, isOwn } = await findRecipient(received, opened, options);
	const { email, files, report } = await opened.read(options);
	const { headers, parsed, warning, ...fields } = email;
	// A fault of the node keeps the output from being read from the raw email.
	const isUnproved = parsed === false && sender?.authentication.result !== 'unknown';
	const authentication =
		sender && (isUnproved ? notCheckedBecause(NOT_PARSED) : sender.authentication);
	const isReplyToTrusted = !authentication || authentication.signed.includes('reply-to');
	const isWithoutFiles = options.attachments && parsed === false && fields.attachments.length > 0;
	const withoutFiles = isWithoutFiles ? ' Its files are missing.' : '';
	const simplified: SimplifiedEmail = {
		...fields,
		text: fields.text ?? '',
		html: fields.html ?? '',
		thread: { ...email.thread, answer: toReplyFields(email, opened, { isOwn, isReplyToTrusted }) },
		delivery: {
			id: received.id,
			recipient,
			tag: recipient === null ? null : tagOf(recipient),
			automatic: opened.automatic,
			...(report && { report }),
			...(authentication && { authentication }),
		},
		...(headers && { headers }),
		...(parsed === false && { parsed }),
		...(warning !== undefined && { warning: `${warning}${withoutFiles}` }),
	};
	return { json: simplified as unknown as IDataObject, files };
}

/** Emails to people have fewer. */
const MAX_ADDRESSES = 2000;

/** By the service, or else by the header. */
export function toldRecipient(
	{ message }: ServiceMessage,
	{ deliveredTo }: Pick<EmailOrigin, 'deliveredTo'>,
): string | null {
	return toRecipient(readDeliveredTo(message)) ?? deliveredTo();
}

/**
 * Finds the address that an email was delivered to. If neither the service nor a header says it, it is the chosen identity's
 * address, with its plus tag in To or Cc; without a chosen identity, the only address in To and Cc that is an identity of
 * the account.
 *
 * @returns `isOwn`: whether an address is the recipient, or a known identity of the account
 */
async function findRecipient(
	received: ServiceMessage,
	opened: OpenedEmail,
	{ restrictedTo, askIdentities }: SimplifiedEmailOptions,
) {
	let recipient = toldRecipient(received, opened);
	let identities: OwnIdentities | undefined;
	if (recipient === null) {
		const named = namedRecipients(opened);
		if (restrictedTo !== undefined) {
			const tagged = named.find((address) => isMailFor(restrictedTo, address));
			recipient = tagged ?? toRecipient(restrictedTo);
		} else if (named.length > 0) {
			identities = await askIdentities();
			const [only, ...others] = named.filter((address) => identities?.isOwn(address));
			recipient = others.length === 0 ? (only ?? null) : null;
		}
	}
	const own = [recipient, restrictedTo].filter((address) => typeof address === 'string');
	const isOwn = (address: string) =>
		own.some((one) => isSameMailbox(one, address)) || identities?.isOwn(address) === true;
	return { recipient, isOwn };
}

function namedRecipients({ to, cc }: OpenedEmail): string[] {
	const named = new Map<string, string>();
	for (const { address } of [...to, ...cc].slice(0, MAX_ADDRESSES)) {
		const recipient = toRecipient(address);
		if (recipient !== null) named.set(recipient.toLowerCase(), recipient);
	}
	return [...named.values()];
}

import type { IDataObject } from 'n8n-workflow';

import { readDeliveredTo, type ServiceMessage } from '../api/messages';
import type { Authentication, SenderCheck } from '../dns/senders';
import {
	tagOf,
	toAnswer,
	toRecipient,
	type Answer,
	type Automatic,
	type DeliveryReport,
	type Email,
	type EmailFile,
	type EmailOrigin,
	type EmailThread,
	type OpenedEmail,
	type ReadEmailOptions,
} from '../email';
import { isMailFor, isSameMailbox } from '../lib/addresses';
import { authenticationOfOutput } from './dnsAccess';
import type { OwnIdentities } from './identities';

/** How an email came here. */
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
	/** What a mail server reports about an email; only in reports. */
	report?: DeliveryReport;
	/** Whether it comes from the domain that it says it is from; only where that was asked for. */
	authentication?: Authentication;
}

export interface SimplifiedEmail extends Omit<Email, 'hiddenText'> {
	thread: EmailThread & {
		/** Null for what must not be answered. */
		answer: Answer | null;
	};
	delivery: Delivery;
}

interface SimplifiedEmailOptions extends ReadEmailOptions, Recipient {
	/** What a check of the sender found. */
	sender?: SenderCheck;
}

/** The documented output of the trigger and of Message Get, with its fields in the order in which people read them. */
export async function readSimplifiedEmail(
	received: ServiceMessage,
	opened: OpenedEmail,
	{ sender, recipient, isOwn, ...options }: SimplifiedEmailOptions,
): Promise<{ json: IDataObject; files: EmailFile[] }> {
	const { email, files, report } = await opened.read(options);
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
			...(report && { report }),
			...(sender && { authentication: authenticationOfOutput(sender.authentication, email) }),
		},
		...(headers && { headers }),
		...(parsed === false && { parsed }),
		...(warning !== undefined && { warning }),
	};
	return { json: simplified as unknown as IDataObject, files };
}

/** No email that was meant for people has more addresses. */
const MAX_NAMED = 2000;

/** The address that an email was delivered to, by the service's word, else by its header; null if neither tells. */
export function toldRecipient(
	{ message }: ServiceMessage,
	{ deliveredTo }: Pick<EmailOrigin, 'deliveredTo'>,
): string | null {
	return toRecipient(readDeliveredTo(message)) ?? deliveredTo();
}

interface RecipientHints {
	/** The one address whose mail is received. */
	restrictedTo?: string;
	/** Asked for only where nothing else tells. */
	askIdentities(): Promise<OwnIdentities | undefined>;
}

export interface Recipient {
	/** Null where nothing can tell, as for an email to several own addresses. */
	recipient: string | null;
	/** Whether an address is the recipient, or another own one as far as that is known by now. */
	isOwn(address: string): boolean;
}

/**
 * The address that an email was delivered to. Where nothing tells, it is the one address whose mail is received, with the
 * plus tag under which To or Cc names it; where mail is received for several, the one address of To and Cc that is an
 * identity of the account.
 */
export async function findRecipient(
	received: ServiceMessage,
	opened: OpenedEmail,
	{ restrictedTo, askIdentities }: RecipientHints,
): Promise<Recipient> {
	let identities: OwnIdentities | undefined;
	const ask = async () => (identities = await askIdentities());
	const recipient =
		toldRecipient(received, opened) ?? (await namedRecipient(opened, restrictedTo, ask));
	const own = [recipient, restrictedTo].filter((address) => typeof address === 'string');
	const isOwn = (address: string) =>
		own.some((one) => isSameMailbox(one, address)) || identities?.isOwn(address) === true;
	return { recipient, isOwn };
}

async function namedRecipient(
	{ to, cc }: OpenedEmail,
	restrictedTo: string | undefined,
	askIdentities: RecipientHints['askIdentities'],
): Promise<string | null> {
	const named = new Map<string, string>();
	for (const { address } of [...to, ...cc].slice(0, MAX_NAMED)) {
		const recipient = toRecipient(address);
		if (recipient !== null) named.set(recipient.toLowerCase(), recipient);
	}
	const addresses = [...named.values()];
	if (restrictedTo !== undefined) {
		const tagged = addresses.find((address) => isMailFor(restrictedTo, address));
		return tagged ?? toRecipient(restrictedTo);
	}
	if (addresses.length === 0) return null;
	const identities = await askIdentities();
	const own = addresses.filter((address) => identities?.isOwn(address));
	return own.length === 1 ? (own[0] ?? null) : null;
}

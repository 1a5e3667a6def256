import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';

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
	toReplyFields,
	toRecipient,
} from '../../../lib/email';
import { isMailFor, isSameMailbox, splitPlusTag } from '../../../lib/basics';
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
		/** The address that the email was delivered to, without its plus tag; null if unknown. */
		recipient: string | null;
		/** `orders` for an email to `sales+orders@example.com`; null if there is none. */
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
	/** Absent if Sender Check is off. */
	sender?: CheckedSender;
	/** The address that the subscription is restricted to; absent for all identities. */
	restrictedTo?: string;
	/** Asks for the account's identities, only if the recipient depends on them; undefined if they are not known. */
	askIdentities(): Promise<OwnIdentities | undefined>;
}

/** The output of one email. */
export interface SimplifiedEmailWithFiles {
	json: IDataObject;
	/** Empty unless attachments are read. */
	files: EmailFile[];
}

const NOT_PARSED = 'The email could not be parsed completely, so its sender could not be checked.';

/** The output of the trigger, Message Get and Message Parse. The fields are in the order of the documentation. */
export async function readSimplifiedEmail(
	message: MessageWithEmail,
	options: SimplifiedEmailOptions,
): Promise<SimplifiedEmailWithFiles> {
	const opened = await message.open();
	const { recipient, isOwn } = await findRecipient(message.received, opened, options);
	const { email, files, report } = await opened.read(options);

	const authentication = authenticationOf(email, options.sender);
	const isReplyToTrusted = !authentication || authentication.signed.includes('reply-to');
	const answer = toReplyFields(email, opened, { isOwn, isReplyToTrusted });

	const delivery: SimplifiedEmail['delivery'] = {
		id: message.received.id,
		...splitRecipient(recipient),
		automatic: opened.automatic,
	};
	if (report) delivery.report = report;
	if (authentication) delivery.authentication = authentication;

	// Fields that an email may lack come last.
	const { headers, parsed, warning, ...fields } = email;
	const simplified: SimplifiedEmail = {
		...fields,
		text: fields.text ?? '',
		html: fields.html ?? '',
		thread: { ...email.thread, answer },
		delivery,
	};
	if (headers) simplified.headers = headers;
	if (parsed === false) simplified.parsed = parsed;
	if (warning !== undefined) {
		const lacksFiles = options.attachments && parsed === false && fields.attachments.length > 0;
		simplified.warning = lacksFiles ? `${warning} Its files are missing.` : warning;
	}
	return { json: simplified as unknown as IDataObject, files };
}

/**
 * Hands the files of an email over to n8n, one by one, so that n8n frees the memory for one before the next.
 *
 * @param prepare n8n's `prepareBinaryData`
 */
export async function prepareFiles(
	files: EmailFile[],
	prepare: (content: Buffer, fileName: string, mimeType: string) => Promise<IBinaryData>,
): Promise<IBinaryKeyData> {
	const binary: IBinaryKeyData = {};
	for (const { binaryProperty, content, fileName, mimeType } of files) {
		binary[binaryProperty] = await prepare(content, fileName, mimeType);
	}
	return binary;
}

/** A fault of the node keeps the output from being read from the raw email, which alone was checked. */
function authenticationOf(
	{ parsed }: Email,
	sender: CheckedSender | undefined,
): Authentication | undefined {
	if (sender === undefined) return undefined;
	const { authentication } = sender;
	if (parsed === false && authentication.result !== 'unknown') return notCheckedBecause(NOT_PARSED);
	return authentication;
}

/** Workflows compare the recipient with their addresses, which have no tags. */
function splitRecipient(
	recipient: string | null,
): Pick<SimplifiedEmail['delivery'], 'recipient' | 'tag'> {
	if (recipient === null) return { recipient, tag: null };
	const { address, tag } = splitPlusTag(recipient);
	return { recipient: address, tag };
}

/** Emails to people have fewer. */
const MAX_ADDRESSES = 2000;

/** The recipient by the service, or else by the header, with its plus tag. */
export function toldRecipient(
	{ message }: ServiceMessage,
	{ deliveredTo }: Pick<EmailOrigin, 'deliveredTo'>,
): string | null {
	return toRecipient(readDeliveredTo(message)) ?? deliveredTo();
}

interface FoundRecipient {
	/** With its plus tag; null if unknown. */
	recipient: string | null;
	/** Whether an address is the recipient, or a known identity of the account. */
	isOwn(address: string): boolean;
}

/**
 * Finds the address that an email was delivered to. If neither the service nor a header says it, it is the chosen identity's
 * address, with its plus tag in To or Cc; without a chosen identity, the only address in To and Cc that is an identity of
 * the account.
 */
async function findRecipient(
	received: ServiceMessage,
	opened: OpenedEmail,
	{ restrictedTo, askIdentities }: SimplifiedEmailOptions,
): Promise<FoundRecipient> {
	const found = (recipient: string | null, identities?: OwnIdentities): FoundRecipient => ({
		recipient,
		isOwn(address) {
			if (restrictedTo !== undefined && isSameMailbox(restrictedTo, address)) return true;
			if (isSameMailbox(recipient ?? '', address)) return true;
			return identities?.isOwn(address) === true;
		},
	});

	const told = toldRecipient(received, opened);
	if (told !== null) return found(told);

	const named = namedRecipients(opened);
	if (restrictedTo !== undefined) {
		const tagged = named.find((address) => isMailFor(restrictedTo, address));
		return found(tagged ?? toRecipient(restrictedTo));
	}

	if (named.length === 0) return found(null);
	const identities = await askIdentities();
	const own = named.filter((address) => identities?.isOwn(address));
	const [only = null] = own;
	return found(own.length === 1 ? only : null, identities);
}

function namedRecipients({ to, cc }: OpenedEmail): string[] {
	const named = new Map<string, string>();
	for (const { address } of [...to, ...cc].slice(0, MAX_ADDRESSES)) {
		const recipient = toRecipient(address);
		if (recipient !== null) named.set(recipient.toLowerCase(), recipient);
	}
	return [...named.values()];
}

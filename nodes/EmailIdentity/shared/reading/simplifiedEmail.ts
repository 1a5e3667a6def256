import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { splitPlusTag } from '../../../../lib/basics';
import {
	findAnswer,
	type Answer,
	type Automatic,
	type DeliveryReport,
	type Email,
	type EmailFile,
	type ReadEmailOptions,
} from '../../../../lib/email';
import { notCheckedBecause, type Authentication } from '../../../../lib/proof';
import type { CheckedSender } from './authenticateSender';
import type { MessageWithEmail } from './messageWithEmail';
import { findRecipient, type RecipientOptions } from './recipient';

export interface SimplifiedEmail extends Email {
	text: string;
	html: string;
	thread: Answer & Email['thread'];
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

interface SimplifiedEmailOptions extends ReadEmailOptions, RecipientOptions {
	/** Absent if Sender Check is off. */
	sender?: CheckedSender;
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
	const answer = await findAnswer(email, opened, { isOwn, isReplyToTrusted });

	const delivery: SimplifiedEmail['delivery'] = {
		id: message.received.id,
		...splitRecipient(recipient),
		automatic: opened.automatic,
	};
	if (report) delivery.report = report;
	if (authentication) delivery.authentication = authentication;

	// Fields that an email may lack come last.
	const { headers, parsed, warning, ...fields } = email;
	const { forwarded, ...thread } = email.thread;
	const simplified: SimplifiedEmail = {
		...fields,
		text: fields.text ?? '',
		html: fields.html ?? '',
		thread: { ...thread, ...answer, forwarded },
		delivery,
	};
	if (headers) simplified.headers = headers;
	if (parsed === false) simplified.parsed = parsed;
	if (warning !== undefined) simplified.warning = warning;
	const lacksFiles = options.attachments && parsed === false && fields.attachments.length > 0;
	if (warning !== undefined && lacksFiles) {
		simplified.warning = `${warning} Its files are missing.`;
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

type SplitRecipient = Pick<SimplifiedEmail['delivery'], 'recipient' | 'tag'>;

/** Workflows compare the recipient with their addresses, which have no tags. */
function splitRecipient(recipient: string | null): SplitRecipient {
	if (recipient === null) return { recipient: null, tag: null };
	const { address, tag } = splitPlusTag(recipient);
	return { recipient: address, tag };
}

import { toAddresses } from './addresses';
import { bodyText, firstMessageId, messageIds } from './emailFields';
import type { EmailFields } from './emailFields';
import { createFileNames } from './fileNames';
import { loadMime } from './loadMime';
import { oneLine } from './oneLine';
import type { EmailAttachment, KnownAddress, KnownEmail } from './types';

export const NOTHING_KNOWN: KnownEmail = {
	messageId: '',
	inReplyTo: '',
	references: '',
	from: [],
	to: [],
	cc: [],
	replyTo: [],
	subject: '',
	date: null,
	text: '',
	html: '',
	headers: [],
	attachments: [],
};

/** What is known of an email from elsewhere, in the documented shape. */
export async function toKnownFields(known: KnownEmail): Promise<EmailFields> {
	const { parseAddresses } = await loadMime();
	const addresses = (given: KnownAddress[]) =>
		toAddresses(given.flatMap((one) => (typeof one === 'string' ? parseAddresses(one) : [one])));
	return {
		messageId: firstMessageId(known.messageId),
		inReplyTo: firstMessageId(known.inReplyTo),
		references: messageIds(known.references),
		from: addresses(known.from)[0] ?? null,
		to: addresses(known.to),
		cc: addresses(known.cc),
		replyTo: addresses(known.replyTo),
		subject: oneLine(known.subject),
		date: known.date,
		text: bodyText(known.text),
		html: bodyText(known.html),
	};
}

/** The files that are known of; their content is elsewhere. */
export function toKnownAttachments({ attachments }: KnownEmail): EmailAttachment[] {
	const nameFile = createFileNames();
	return attachments.map(({ fileName, mimeType, ...attachment }) => {
		const type = mimeType ?? 'application/octet-stream';
		return {
			fileName: nameFile(fileName, type),
			mimeType: type.toLowerCase(),
			...attachment,
			binaryProperty: null,
		};
	});
}

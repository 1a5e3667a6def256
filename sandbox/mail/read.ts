import { randomUUID } from 'node:crypto';
import { type ParsedMail, simpleParser } from 'mailparser';
import { namedUuid, publicId } from '../store/identifiers';
import type { MessageFields, StoredIdentity, StoredMessage } from '../types';
import { joinAddresses } from './addresses';

const snippetLength = 120;

type ParsedFields = Omit<
	MessageFields,
	'id' | 'publicId' | 'threadId' | 'mailboxId' | 'ownerId' | 'createdAt' | 'updatedAt'
>;

function toIso(date: Date | undefined): string | null {
	return date === undefined || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function parsedFields(mail: ParsedMail, sizeBytes: number): ParsedFields {
	const text = mail.text ?? '';
	return {
		messageId: mail.messageId ?? null,
		inReplyTo: mail.inReplyTo ?? null,
		references: [mail.references ?? []].flat(),
		subject: mail.subject ?? null,
		snippet: text.replace(/\s+/g, ' ').trim().slice(0, snippetLength),
		text,
		textAsHtml: mail.textAsHtml ?? '',
		html: mail.html || '',
		from: joinAddresses(mail.from),
		to: joinAddresses(mail.to),
		cc: joinAddresses(mail.cc),
		bcc: joinAddresses(mail.bcc),
		replyTo: mail.replyTo?.value ?? [],
		date: toIso(mail.date),
		sizeBytes,
		hasAttachments: mail.attachments.length > 0,
		headersJson: Object.fromEntries(mail.headerLines.map(({ key, line }) => [key, line])),
		state: 'received',
		seen: false,
	};
}

/**
 * Reads an email as it came and makes the message of each identity that received it.
 *
 * @param raw the bytes; `rawEmail` is them decoded as UTF-8, as the running service does it
 */
export async function readMail(
	raw: Buffer,
	identities: StoredIdentity[],
): Promise<StoredMessage[]> {
	const fields = parsedFields(await simpleParser(raw), raw.length);
	const rawEmail = raw.toString('utf8');
	const now = new Date().toISOString();
	return identities.map((identity) => {
		const id = randomUUID();
		const own = { id, publicId: publicId(id), threadId: randomUUID(), ownerId: identity.ownerId };
		const times = { createdAt: now, updatedAt: now };
		return {
			identityId: identity.id,
			fields: { ...own, ...fields, ...times, mailboxId: namedUuid(`mailbox ${identity.id}`) },
			rawEmail,
		};
	});
}

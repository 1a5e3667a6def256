import { createHash } from 'node:crypto';

import { simpleParser } from 'mailparser';
import type { AddressObject, Attachment, EmailAddress } from 'mailparser';

import { readEmail } from '../../reading';
import type { EmailReading } from '../../../nodes/EmailIdentity/email';

/** What both parsers say about one email, in one shape that can be compared field by field. */
export type Comparable = Record<string, unknown>;

const everything = { attachments: true, headers: true, binaryPrefix: 'attachment_' };

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

const lines = (text: string | null | undefined | false) =>
	(text || '').replace(/\r\n/g, '\n').trim() || null;

export async function readWithOurs(rawEmail: string): Promise<Comparable> {
	return comparable(await readEmail(rawEmail, undefined, everything));
}

export function comparable({ email, files }: EmailReading): Comparable {
	const { from, to, cc, subject, date, thread } = email;
	const { messageId, inReplyTo, references, replyTo } = thread;
	// The other parsers do not open attached emails.
	const attachments = email.attachments.filter(({ inside }) => inside === undefined);
	return {
		parsed: email.parsed !== false,
		from,
		to,
		cc,
		replyTo,
		subject,
		date,
		messageId,
		inReplyTo,
		references,
		text: lines(email.text),
		html: lines(email.html),
		attachmentTypes: attachments.map(({ mimeType }) => mimeType),
		attachmentNames: attachments.map(({ fileName }) => fileName),
		attachmentContentIds: attachments.map(({ contentId }) => contentId),
		attachmentContents: files.slice(0, attachments.length).map(({ content }) => sha256(content)),
	};
}

/** `mailparser` shares no code with the library that the nodes use. */
export async function readWithMailparser(rawEmail: string): Promise<Comparable> {
	const options = { skipImageLinks: true, skipTextToHtml: true };
	const mail = await simpleParser(Buffer.from(rawEmail), options).catch(() => undefined);
	if (mail === undefined) return { parsed: false };
	return {
		parsed: true,
		from: addresses(mail.from)[0] ?? null,
		to: addresses(mail.to),
		cc: addresses(mail.cc),
		replyTo: addresses(mail.replyTo),
		subject: mail.subject ?? '',
		date: mail.date?.toISOString() ?? null,
		messageId: mail.messageId ?? null,
		inReplyTo: mail.inReplyTo ?? null,
		references: [mail.references ?? []].flat(),
		text: lines(mail.text),
		html: lines(mail.html),
		attachmentTypes: mail.attachments.map(({ contentType }) => contentType),
		attachmentNames: mail.attachments.map(({ filename }) => filename),
		attachmentContentIds: mail.attachments.map(contentId),
		attachmentContents: mail.attachments.map(({ content }) => sha256(content)),
	};
}

const contentId = ({ cid }: Attachment) => cid ?? null;

function addresses(found: AddressObject | AddressObject[] | undefined) {
	return [found ?? []]
		.flat()
		.flatMap(({ value }) => value)
		.flatMap((address: EmailAddress) => address.group ?? [address])
		.map(({ name, address }) => ({ name, address: address ?? '' }));
}

/** The fields in which two readings differ, with both values. */
export function differences(
	ours: Comparable,
	theirs: Comparable,
): Record<string, { ours: unknown; theirs: unknown }> {
	return Object.fromEntries(
		Object.keys(theirs)
			.filter((field) => JSON.stringify(ours[field]) !== JSON.stringify(theirs[field]))
			.map((field) => [field, { ours: ours[field], theirs: theirs[field] }]),
	);
}

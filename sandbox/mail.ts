import { simpleParser, type AddressObject, type ParsedMail } from 'mailparser';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Deliverer } from './deliveries';
import type { Dialect } from './dialects';
import { namedUuid, publicId, type Store } from './store';
import type {
	MailOptions,
	MessageAddresses,
	MessageAttachment,
	MessageFields,
	ReceivedMail,
	StoredIdentity,
	StoredMessage,
} from './types';

/** One address object for a header that may occur several times; `null` for one that is not there. */
function joinAddresses(
	given: AddressObject | AddressObject[] | undefined,
): MessageAddresses | null {
	if (given === undefined) return null;
	const objects = [given].flat();
	return {
		text: objects.map(({ text }) => text).join(', '),
		html: objects.map(({ html }) => html).join(', '),
		value: objects.flatMap(({ value }) => value),
	};
}

const snippetLength = 120;

/** What an email says of itself. */
type ParsedFields = Omit<
	MessageFields,
	| ('threadId' | 'mailboxId' | 'ownerId' | 'workspaceId' | 'deliveredTo' | 'rawStorageKey')
	| 'metaData'
>;

interface ParsedMessage {
	fields: ParsedFields;
	attachments: MessageAttachment[];
	rawEmail: string;
}

function toIso(date: Date | undefined): string | null {
	return date === undefined || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function referencesOf({ references }: ParsedMail): string[] | null {
	return references === undefined ? null : [references].flat();
}

const snippetOf = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, snippetLength);

function attachmentsOf({ attachments }: ParsedMail, messageId: string): MessageAttachment[] {
	return attachments.map(({ filename, contentType, contentDisposition, size, cid }) => ({
		id: randomUUID(),
		messageId,
		filename: filename ?? null,
		contentType,
		sizeBytes: size,
		cid: cid ?? null,
		isInline: contentDisposition === 'inline' || cid !== undefined,
	}));
}

/**
 * Reads an email as it came, under a fresh ID.
 *
 * @param raw the bytes; `rawEmail` is them decoded as UTF-8, as the running service does it
 */
async function readMail(raw: Buffer): Promise<ParsedMessage> {
	// Mail with HTML only has no text in the service either.
	const mail = await simpleParser(raw, { skipHtmlToText: true });
	const id = randomUUID();
	const now = new Date().toISOString();
	const html = mail.html || '';
	const hasText = html === '' || (mail.text ?? '') !== '';
	const fields = {
		...{ id, publicId: publicId(id), createdAt: now, updatedAt: now },
		messageId: mail.messageId ?? null,
		inReplyTo: mail.inReplyTo ?? null,
		references: referencesOf(mail),
		subject: mail.subject ?? null,
		snippet: snippetOf(mail.text || html),
		text: hasText ? (mail.text ?? null) : null,
		textAsHtml: hasText ? (mail.textAsHtml ?? null) : null,
		html,
		from: joinAddresses(mail.from),
		to: joinAddresses(mail.to),
		cc: joinAddresses(mail.cc),
		bcc: joinAddresses(mail.bcc),
		replyTo: joinAddresses(mail.replyTo),
		date: toIso(mail.date),
		sizeBytes: raw.length,
		hasAttachments: mail.attachments.length > 0,
		headersJson: Object.fromEntries(mail.headers),
		state: 'received',
		priority: null,
		...{ seen: false, answered: false, flagged: false, draft: false },
	};
	return { fields, attachments: attachmentsOf(mail, id), rawEmail: raw.toString('utf8') };
}

/** One mailbox that an email turned up in. */
interface Copy {
	identity: StoredIdentity;
	/** The address that it was sent to, where the service received it itself. */
	deliveredTo: string | null;
	/** Tells the mailboxes of an identity apart. */
	mailbox: string;
	metaData: Record<string, unknown> | null;
}

/** The mailboxes of one identity that an email turns up in: one for each label, otherwise a single one. */
function copiesFor(
	identity: StoredIdentity,
	address: string,
	{ folder, flags, jmap, labels }: MailOptions,
): Copy[] {
	if (labels) {
		const metaData = { gmail: { labelIds: labels } };
		return labels.map((mailbox) => ({ identity, deliveredTo: null, mailbox, metaData }));
	}
	if (folder !== undefined) {
		const metaData = { imap: { mailboxPath: folder, ...(flags && { flags }) } };
		return [{ identity, deliveredTo: null, mailbox: folder, metaData }];
	}
	return [{ identity, deliveredTo: jmap ? null : address, mailbox: 'INBOX', metaData: null }];
}

/** The recipient's own copy, as a receiving server writes it: where it went, and how it came, on top (RFC 5321, 4.4). */
function stampCopy(raw: Buffer, address: string): Buffer {
	// An address from the envelope holds no line break; one given in a test shall not break out either.
	const recipient = address.replace(/[\r\n]/g, '');
	const trace = [
		`Delivered-To: ${recipient}`,
		'Received: from sender.invalid by mx.sandbox.invalid with ESMTP',
		`\tfor <${recipient}>; ${new Date().toUTCString().replace('GMT', '+0000')}`,
	];
	return Buffer.concat([Buffer.from(`${trace.join('\r\n')}\r\n`), raw]);
}

/** Takes an email in: stores a message for each mailbox that it turns up in, then delivers. */
export class Receiver {
	constructor(
		private readonly store: Store,
		private readonly deliverer: Deliverer,
		private readonly dialect: Dialect,
	) {}

	/** @throws when no identity matches any of the recipients */
	async receive(raw: Buffer, options: MailOptions): Promise<ReceivedMail> {
		const messages: StoredMessage[] = [];
		for (const copy of this.copies(options)) {
			const message = await this.message(raw, copy, options);
			if (this.isDropped(message)) continue;
			this.store.messages.add(message);
			messages.push(message);
		}
		const isDelivered = options.deliver ?? true;
		const deliveries = isDelivered ? messages.map((one) => this.deliverer.deliverMessage(one)) : [];
		return { messages, deliveries: Promise.all(deliveries).then((lists) => lists.flat()) };
	}

	private copies(options: MailOptions): Copy[] {
		const to = [options.to].flat();
		const found = to.flatMap((address) => {
			const identity = this.store.recipient(address, this.dialect);
			return identity ? [{ identity, address }] : [];
		});
		if (found.length === 0) throw new Error(`No identity receives mail for ${to.join(', ')}.`);
		// The first address of an identity counts: an email is one message for it however often it is named.
		const byIdentity = new Map(found.reverse().map((one) => [one.identity.id, one]));
		return [...byIdentity.values()]
			.reverse()
			.flatMap(({ identity, address }) => copiesFor(identity, address, options));
	}

	private async message(raw: Buffer, copy: Copy, { fields }: MailOptions): Promise<StoredMessage> {
		const { identity, deliveredTo, mailbox, metaData } = copy;
		const isStamped = deliveredTo !== null && this.dialect.stampsCopies;
		const parsed = await readMail(isStamped ? stampCopy(raw, deliveredTo) : raw);
		const { id } = parsed.fields;
		return {
			...parsed,
			identityId: identity.id,
			fields: {
				...parsed.fields,
				threadId: randomUUID(),
				mailboxId: namedUuid(`mailbox ${identity.id} ${mailbox}`),
				ownerId: identity.ownerId,
				workspaceId: identity.workspaceId,
				deliveredTo: this.dialect.fillsDeliveredTo ? deliveredTo : null,
				rawStorageKey: `eml/${identity.ownerId}/${id}.eml`,
				metaData,
				...fields,
			},
		};
	}

	/** By what the service tells emails of one mailbox apart. */
	private isDropped({ fields: { messageId, mailboxId } }: StoredMessage): boolean {
		if (!this.dialect.dropsRepeats) return false;
		return messageId === null || this.store.messages.isKept(mailboxId, messageId);
	}
}

const largestMail = 50 * 1024 * 1024;

const refuse = (responseCode: number, message: string): Error =>
	Object.assign(new Error(message), { responseCode });

/**
 * Starts the SMTP server: no log-in, mail for identities only, 550 for all other recipients.
 *
 * @param address `port` 0 takes a free one
 * @throws when the port is in use
 */
export async function startSmtp(
	parts: { store: Store; dialect: Dialect; receiver: Receiver },
	address: { host: string; port: number },
): Promise<{ port: number; close: () => Promise<void> }> {
	const smtp = new SMTPServer({
		authOptional: true,
		// STARTTLS would offer a certificate that no client trusts.
		disabledCommands: ['AUTH', 'STARTTLS'],
		disableReverseLookup: true,
		size: largestMail,
		onRcptTo({ address: recipient }, _, done) {
			const isKnown = parts.store.recipient(recipient, parts.dialect) !== undefined;
			done(isKnown ? null : refuse(550, `No identity receives mail for ${recipient}`));
		},
		onData(stream, { envelope }, done) {
			const recipients = envelope.rcptTo.map((recipient) => recipient.address);
			buffer(stream)
				.then(async (raw) => {
					if (stream.sizeExceeded) throw refuse(552, 'The message is too large');
					const { messages } = await parts.receiver.receive(raw, { to: recipients });
					done(null, `Stored as ${messages.map(({ fields }) => fields.id).join(' ')}`);
				})
				.catch(done);
		},
	});
	const sockets = new Set<Socket>();
	smtp.server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	// A connection's errors are heard of by its client and end nothing; a port in use rejects `once` below.
	smtp.on('error', () => undefined);
	const server = smtp.listen(address.port, address.host);
	await once(server, 'listening');
	const close = async () => {
		const closed = new Promise<void>((resolve) => smtp.close(resolve));
		sockets.forEach((socket) => socket.destroy());
		await closed;
	};
	return { port: (server.address() as AddressInfo).port, close };
}

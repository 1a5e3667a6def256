import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Deliverer } from './deliveries';
import type { Dialect } from './dialects';
import type { Listening } from './http';
import { namedUuid } from './ids';
import { readMail, type StoredMessage } from './message';
import type { Store } from './store';
import type { DeliveryRecord, MailOptions, StoredIdentity } from './types';

const MAX_MAIL_BYTES = 50 * 1024 * 1024;

export interface ReceivedMail {
	/** One for each identity that received it; none where the service drops it. */
	messages: StoredMessage[];
	/** Resolves once every delivery was answered or failed; never rejects. */
	deliveries: Promise<DeliveryRecord[]>;
}

/** The recipient's copy with the headers that a receiving server adds (RFC 5321, section 4.4). */
function stamp(raw: Buffer, recipient: string): Buffer {
	const trace = [
		`Delivered-To: ${recipient}`,
		'Received: from sender.invalid by mx.sandbox.invalid with ESMTP',
		`\tfor <${recipient}>; ${new Date().toUTCString().replace('GMT', '+0000')}`,
	];
	return Buffer.concat([Buffer.from(`${trace.join('\r\n')}\r\n`), raw]);
}

/** Receives an email: stores a message for each identity among the recipients, then delivers. */
export class Receiver {
	constructor(
		readonly store: Store,
		readonly dialect: Dialect,
		private readonly deliverer: Deliverer,
	) {}

	/** @throws when no identity matches any of the recipients */
	async receive(raw: Buffer, options: MailOptions): Promise<ReceivedMail> {
		const messages: StoredMessage[] = [];
		for (const [identity, address] of this.recipients(options)) {
			const message = await this.message(raw, identity, address, options);
			if (this.isDropped(message)) continue;
			this.store.messages.push(message);
			messages.push(message);
		}
		const delivered = options.deliver === false ? [] : messages;
		const deliveries = delivered.map((message) => this.deliverer.deliverMessage(message));
		return { messages, deliveries: Promise.all(deliveries).then((lists) => lists.flat()) };
	}

	/** An identity gets one message for an email, for the first of its addresses. */
	private recipients(options: MailOptions): Map<StoredIdentity, string> {
		const to = [options.to].flat();
		const addressOf = new Map<StoredIdentity, string>();
		for (const address of to) {
			const identity = this.store.recipient(address, this.dialect);
			if (identity && !addressOf.has(identity)) addressOf.set(identity, address);
		}
		if (addressOf.size === 0) throw new Error(`No identity receives mail for ${to.join(', ')}.`);
		return addressOf;
	}

	private async message(
		raw: Buffer,
		{ id: identityId, ownerId, workspaceId }: StoredIdentity,
		address: string,
		{ folder, fields }: MailOptions,
	): Promise<StoredMessage> {
		// Another server received an email that is read from an account.
		const isStamped = folder === undefined && this.dialect.stampsCopies;
		const metaData = folder === undefined ? null : { imap: { mailboxPath: folder } };
		const mailboxId = namedUuid(`mailbox ${identityId} ${folder ?? 'INBOX'}`);
		const message = await readMail(isStamped ? stamp(raw, address) : raw, {
			mailboxId,
			ownerId,
			workspaceId,
			metaData,
		});
		return { ...message, identityId, fields: { ...message.fields, ...fields } };
	}

	private isDropped({ fields: { messageId, mailboxId } }: StoredMessage): boolean {
		if (!this.dialect.dropsRepeats) return false;
		const isSame = ({ fields }: StoredMessage) =>
			fields.mailboxId === mailboxId && fields.messageId === messageId;
		return messageId === null || this.store.messages.some(isSame);
	}
}

const refuse = (responseCode: number, message: string): Error =>
	Object.assign(new Error(message), { responseCode });

/**
 * Starts the SMTP server: no log-in, 550 for recipients that are no identity.
 *
 * @param port 0 takes a free one
 * @throws when the port is in use
 */
export async function startSmtp(receiver: Receiver, port: number): Promise<Listening> {
	const smtp = new SMTPServer({
		authOptional: true,
		// STARTTLS would offer a certificate that no client trusts.
		disabledCommands: ['AUTH', 'STARTTLS'],
		disableReverseLookup: true,
		size: MAX_MAIL_BYTES,
		onRcptTo({ address }, _, done) {
			const isKnown = receiver.store.recipient(address, receiver.dialect) !== undefined;
			done(isKnown ? null : refuse(550, `No identity receives mail for ${address}`));
		},
		onData(stream, { envelope }, done) {
			const to = envelope.rcptTo.map(({ address }) => address);
			buffer(stream)
				.then(async (raw) => {
					if (stream.sizeExceeded) throw refuse(552, 'The message is too large');
					await receiver.receive(raw, { to });
					done(null);
				})
				.catch(done);
		},
	});
	const sockets = new Set<Socket>();
	smtp.server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	// Errors of a connection concern its client; if the port is in use, `once` below rejects.
	smtp.on('error', () => undefined);
	const server = smtp.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const close = async () => {
		const closed = new Promise<void>((resolve) => smtp.close(resolve));
		sockets.forEach((socket) => socket.destroy());
		await closed;
	};
	return { port: (server.address() as AddressInfo).port, close };
}

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Dialect } from '../dialects/dialect';
import type { Store } from '../store/store';
import type { Receiver } from './receive';

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

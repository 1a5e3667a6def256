import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { sendMail } from './sendMail';

/** A mailbox that answers every email, answers included. */
export interface AnsweringRobot {
	address: string;
	smtpPort: number;
	/** What it was sent, as it came. */
	received: string[];
	stop(): Promise<void>;
}

/** Enough to see that nothing else ended the loop; a test that fails should end, too. */
const PATIENCE = 40;

/**
 * Starts a mail server with such a mailbox.
 *
 * @param answerPort where its answers are delivered by SMTP
 * @param headers what its answers say of themselves
 */
export async function startAnsweringRobot(
	answerPort: number,
	headers: Record<string, string>,
): Promise<AnsweringRobot> {
	const address = 'robot@example.org';
	const received: string[] = [];
	const answer = async (to: string) => {
		if (received.length > PATIENCE) return;
		await sendMail(answerPort, { from: address, to, subject: 'Away', text: 'I am away.', headers });
	};
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['AUTH', 'STARTTLS'],
		disableReverseLookup: true,
		onData(stream, { envelope }, done) {
			const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
			text(stream)
				.then(async (email) => {
					received.push(email);
					done(null, 'Taken');
					await answer(sender);
				})
				.catch(done);
		},
	});
	server.on('error', () => undefined);
	const listening = server.listen(0, '127.0.0.1');
	await once(listening, 'listening');
	return {
		address,
		smtpPort: (listening.address() as AddressInfo).port,
		received,
		stop: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
	};
}

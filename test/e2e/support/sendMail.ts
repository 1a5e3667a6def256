import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';

/**
 * Sends an email by SMTP to a server on this machine, as any mail server would.
 *
 * @returns its Message-ID
 * @throws Error when the server refuses it
 */
export async function sendMail(smtpPort: number, mail: SendMailOptions): Promise<string> {
	const transport = createTransport({
		host: '127.0.0.1',
		port: smtpPort,
		secure: false,
		ignoreTLS: true,
	});
	try {
		const { messageId } = await transport.sendMail(mail);
		return messageId;
	} finally {
		transport.close();
	}
}

import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';

/** Sends an email by SMTP to a server on this machine. @returns its Message-ID */
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

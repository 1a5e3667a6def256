import { createTransport } from 'nodemailer';

const REPORT = ['item,quantity', 'envelopes,120', 'stamps,80', ''].join('\r\n');

/** An email that the demo sends. */
export interface SentMail {
	subject: string;
	messageId: string;
}

/**
 * Sends one email with an attachment by SMTP, as any mail server would.
 *
 * @param smtpPort port on this machine
 * @param to the address of an identity
 * @throws Error when the server refuses it
 */
export async function sendMail(smtpPort: number, to: string): Promise<SentMail> {
	const subject = `Stock report – ${new Date().toISOString()}`;
	const transport = createTransport({
		host: '127.0.0.1',
		port: smtpPort,
		secure: false,
		ignoreTLS: true,
	});
	try {
		const { messageId } = await transport.sendMail({
			from: '"Zoë Sender" <zoe@example.org>',
			to,
			subject,
			text: 'Hello,\n\nthe stock report is attached.\n\nZoë\n',
			html: '<p>Hello,</p><p>the stock report is attached.</p><p>Zoë</p>',
			attachments: [{ filename: 'stock.csv', content: REPORT, contentType: 'text/csv' }],
		});
		return { subject, messageId };
	} finally {
		transport.close();
	}
}

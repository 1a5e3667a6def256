import { createTransport } from 'nodemailer';

/**
 * Sends an email with a PDF by SMTP.
 *
 * @param smtpPort of the sandbox
 * @param to the address of an identity
 */
export async function sendOffer(smtpPort: number, to: string, subject: string): Promise<void> {
	const transport = createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true });
	try {
		await transport.sendMail({
			from: '"Zoë Sender" <zoe@example.org>',
			to,
			subject,
			text: 'Hello,\n\nour offer is attached.\n\nZoë\n',
			attachments: [
				{
					filename: 'offer.pdf',
					content: '%PDF-1.4\ntrailer<</Root<<>>>>\n%%EOF\n',
					contentType: 'application/pdf',
				},
			],
		});
	} finally {
		transport.close();
	}
}

import { sendMail } from '../../e2e/support/sendMail';

/** A file to attach. */
export interface MailedFile {
	filename: string;
	content: Buffer;
	contentType: string;
}

export const OFFER: MailedFile = {
	filename: 'offer.pdf',
	content: Buffer.from('%PDF-1.4\ntrailer<</Root<<>>>>\n%%EOF\n'),
	contentType: 'application/pdf',
};

export const PRICES: MailedFile = {
	filename: 'prices.csv',
	content: Buffer.from('stamps,80\n'),
	contentType: 'text/csv',
};

/**
 * Sends an email with a file by SMTP.
 *
 * @param smtpPort of the sandbox
 * @param to the address of an identity
 */
export async function mailFile(
	smtpPort: number,
	to: string,
	subject: string,
	file: MailedFile,
): Promise<void> {
	await sendMail(smtpPort, {
		from: '"Zoë Sender" <zoe@example.org>',
		to,
		subject,
		text: 'Hello,\n\nwhat you asked for is attached.\n\nZoë\n',
		attachments: [file],
	});
}

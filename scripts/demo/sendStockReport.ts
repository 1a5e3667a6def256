import { sendMail } from '../../test/e2e/support/sendMail';

const REPORT = ['item,quantity', 'envelopes,120', 'stamps,80', ''].join('\r\n');

/**
 * Sends the demo's email, with an attachment, by SMTP as any mail server would.
 *
 * @param smtpPort port on this machine
 * @param to the address of an identity
 * @returns its subject
 * @throws Error when the server refuses it
 */
export async function sendStockReport(smtpPort: number, to: string): Promise<string> {
	const subject = `Stock report – ${new Date().toISOString()}`;
	await sendMail(smtpPort, {
		from: '"Zoë Sender" <zoe@example.org>',
		to,
		subject,
		text: 'Hello,\n\nthe stock report is attached.\n\nZoë\n',
		html: '<p>Hello,</p><p>the stock report is attached.</p><p>Zoë</p>',
		attachments: [{ filename: 'stock.csv', content: REPORT, contentType: 'text/csv' }],
	});
	return subject;
}

import { around, email, familiesOf, fill, numbered } from '../support/family';
import type { Family, Hostile, Piece } from '../support/family';

/** Reports that contain the text in a part of each kind, also in base64; then as the text of a mail server. */
const reports = (text: string): Hostile[] => [
	...['delivery-status', 'disposition-notification', 'feedback-report'].map((type) => ({
		rawEmail: email(
			[`Content-Type: multipart/report; report-type=${type}; boundary=edge`],
			`--edge\r\nContent-Type: message/${type}\r\n\r\n${text}\r\n--edge\r\nContent-Type: message/rfc822\r\n\r\n${text}`,
		),
	})),
	{
		rawEmail: email(
			['Content-Type: message/delivery-status', 'Content-Transfer-Encoding: base64'],
			Buffer.from(text).toString('base64'),
		),
	},
	{
		rawEmail: email(
			['X-Failed-Recipients: ada@example.com'],
			`The following address\r\nfollowing recipient\r\n${text}`,
		),
	},
	{ rawEmail: email([`X-Failed-Recipients: ${text.replace(/\s+/g, ' ')}`], 'Hello') },
];

const PIECES: Array<[name: string, piece: Piece]> = [
	['recipients', 'Final-Recipient: rfc822;a@b.c\nAction: failed\nStatus: 5.1.1\n\n'],
	['other recipients', numbered((index) => `Final-Recipient: x;a${index}@b\n\n`)],
	['recipients in one group', 'Original-Rcpt-To: <a@b.c>\n'],
	['recipients of a huge address', around('Final-Recipient: rfc822;', '(a@b')],
	['types', 'Final-Recipient: rfc822;'],
	['reasons', around('Final-Recipient: x;a@b\nDiagnostic-Code: ', 'smtp; 5.1.')],
	['folded reasons', around('Final-Recipient: x;a@b\nDiagnostic-Code: x', '\n x')],
	['empty groups', '\n \n\t\n'],
	['blanks', ' '],
	['addresses in lines', numbered((index) => `<a${index}@b.c>:\n550 5.1.1 x\n\n`)],
	['the same address in lines', 'a@b.c\n'],
	['addresses in one line', 'a@b.c (a@b.c) '],
	['brackets', '('],
	['answers of servers', '550-5.1.1 '],
	['replies of sendmail', numbered((index) => `550 <a${index}@b.c>... x\n`)],
	['Message-IDs', 'Message-ID: <'],
	['beginnings of forms', 'your message to the following address '],
	['ends of forms', '--- Below this line is a copy\n'],
	['dashes below a form', around('delivery failed\n', '-')],
	[
		'lines above recipients',
		(size) =>
			`delivery failed\n${fill(size / 2, 'x\n')}${fill(size / 2, (index) => `a${index}@b\n`)}`,
	],
];

export const REPORT_FAMILIES: Family[] = familiesOf('reports', PIECES, reports);

import { readEmail } from '../../../../support/reading';
import { REPLY_CASES } from './support/cases';

const OPTIONS = { attachments: false, headers: true, binaryPrefix: '' };

const emailOf = (headers: string[], body: string, kind = 'plain') =>
	['From: Ada <ada@example.com>', ...headers, `Content-Type: text/${kind}`, '', body].join('\r\n');

const withoutOption = async (rawEmail: string) => await readEmail(rawEmail, undefined, OPTIONS);
const withOption = async (rawEmail: string) =>
	await readEmail(rawEmail, undefined, { ...OPTIONS, removeQuotedText: true });

test.each([
	['only looks like a reply', ['Subject: Minutes']],
	['has a word before a colon in its subject', ['Subject: Return of goods: two']],
	['has no subject', []],
	...['Fwd: Minutes', 'FW: Re: Minutes', 'WG: Minutes', 'TR : Minutes', '[ext] Fwd: Minutes'].map(
		(subject): [string, string[]] => [
			`was forwarded as ${subject}`,
			[`Subject: ${subject}`, 'In-Reply-To: <one@example.com>'],
		],
	),
])('an email that %s is not touched', async (_name, headers) => {
	for (const { body } of REPLY_CASES) {
		const rawEmail = emailOf(headers, body);
		expect(await withOption(rawEmail)).toEqual(await withoutOption(rawEmail));
	}
});

test.each<[string, string, string]>([
	[
		'what an answer forwards',
		'plain',
		'Here.\n\n---- Forwarded message ----\nFrom: Ada\n\nAgreed.',
	],
	['an attributed quotation alone', 'plain', 'On 21/11/2026 10:02, Ada wrote:\n\n> Agreed.'],
	['a quotation alone', 'plain', '> Agreed.'],
	['a quotation alone, in HTML', 'html', '<blockquote type="cite">Agreed.</blockquote>'],
])('%s is kept', async (_name, kind, body) => {
	const { text } = (await withOption(emailOf(['Subject: Re: Minutes'], body, kind))).email;
	expect(text).toContain('Agreed.');
});

import { readEmail } from '../../../reading';
import { rawReply as email, REPLY_CASES } from './cases';

const OPTIONS = { attachments: false, headers: true, binaryPrefix: '' };

const withoutOption = async (rawEmail: string) => await readEmail(rawEmail, undefined, OPTIONS);
const withOption = async (rawEmail: string) =>
	await readEmail(rawEmail, undefined, { ...OPTIONS, removeQuotedText: true });

test('an email that only looks like a reply is not touched', async () => {
	for (const { kind, body } of REPLY_CASES) {
		for (const headers of [['Subject: Minutes'], ['Subject: Return of goods: two'], []]) {
			const rawEmail = email(headers, kind, body);
			expect(await withOption(rawEmail)).toEqual(await withoutOption(rawEmail));
		}
	}
});

describe('an email that was forwarded is not touched', () => {
	test.each([
		'Fwd: Minutes',
		'FW: Re: Minutes',
		'WG: Minutes',
		'TR : Minutes',
		'[ext] Fwd: Minutes',
	])('%s', async (subject) => {
		for (const { kind, body } of REPLY_CASES) {
			const headers = [`Subject: ${subject}`, 'In-Reply-To: <one@example.com>'];
			const rawEmail = email(headers, kind, body);
			expect(await withOption(rawEmail)).toEqual(await withoutOption(rawEmail));
		}
	});

	test('nor what an answer forwards', async () => {
		const forwarded = [
			'Here it is.',
			'',
			'---------- Forwarded message ---------',
			'From: Ada <ada@example.com>',
			'Date: Sat, Nov 21, 2026 at 10:02 AM',
			'Subject: Minutes',
			'To: <grace@example.com>',
			'',
			'All agreed.',
		].join('\n');
		const { text } = (await withOption(email(['Subject: Re: Minutes'], 'plain', forwarded))).email;
		expect(text).toBe(forwarded);
	});
});

test.each([
	[
		'plain' as const,
		'On Sat, Nov 21, 2026 at 10:02 AM Ada <ada@example.com> wrote:\n\n> All agreed.',
	],
	['plain' as const, '> All agreed.'],
	['html' as const, '<blockquote type="cite">All agreed.</blockquote>'],
])('an email that is nothing but a quotation keeps it: %s, %s', async (kind, body) => {
	const { text } = (await withOption(email(['Subject: Re: Minutes'], kind, body))).email;
	expect(text).toContain('> All agreed.');
});

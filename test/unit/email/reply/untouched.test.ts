import * as fc from 'fast-check';

import { readEmail } from '../../../reading';
import { corpusFiles, readCorpus } from '../corpus';
import { rawReply as email, REPLY_CASES } from './cases';
import '../../../propertySeed';

const OPTIONS = { attachments: false, headers: true, binaryPrefix: '' };

const withoutOption = async (rawEmail: string) => await readEmail(rawEmail, undefined, OPTIONS);
const withOption = async (rawEmail: string) =>
	await readEmail(rawEmail, undefined, { ...OPTIONS, removeQuotedText: true });

const LINKS = /^(?:in-reply-to|references)[ \t]*:/im;
const REPLY_SUBJECT = /^subject:\s*(?:\[[^\]]*\]\s*)?(?:re|aw|sv)\s*:/im;

describe('an email that answers none is not touched', () => {
	test.each(corpusFiles)('%s', async (file) => {
		const rawEmail = readCorpus(file);
		if (LINKS.test(rawEmail) || REPLY_SUBJECT.test(rawEmail)) return;
		expect(await withOption(rawEmail)).toEqual(await withoutOption(rawEmail));
	});

	test('nor one that looks like an answer in all but its header', async () => {
		for (const { kind, body } of REPLY_CASES) {
			for (const headers of [['Subject: Minutes'], ['Subject: Return of goods: two'], []]) {
				const rawEmail = email(headers, kind, body);
				expect(await withOption(rawEmail)).toEqual(await withoutOption(rawEmail));
			}
		}
	});

	test('nor whatever somebody writes in it', async () => {
		const line = fc.constantFrom(
			'> quoted',
			'On Sat, Nov 21, 2026 at 10:02 AM Ada <ada@example.com> wrote:',
			'-- ',
			'Sent from my iPhone',
			'From: Ada <ada@example.com>',
			'Sent: Saturday, November 21, 2026 10:02 AM',
			'Subject: Hello',
			'',
			'words',
		);
		await fc.assert(
			fc.asyncProperty(fc.array(line), async (lines) => {
				const rawEmail = email(['Subject: Hello'], 'plain', lines.join('\n'));
				expect(await withOption(rawEmail)).toEqual(await withoutOption(rawEmail));
			}),
		);
	});
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

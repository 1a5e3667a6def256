import * as fc from 'fast-check';

import { readEmail } from '../../../reading';
import { corpusFiles, readCorpus } from '../corpus';
import { mutate } from '../mutation';
import { REPLIES } from './replies';
import '../../../propertySeed';

const OPTIONS = { attachments: false, headers: true, binaryPrefix: '' };

const withoutOption = async (rawEmail: string) => await readEmail(rawEmail, undefined, OPTIONS);
const withOption = async (rawEmail: string) =>
	await readEmail(rawEmail, undefined, { ...OPTIONS, removeQuotedText: true });

const LINKS = /^(?:in-reply-to|references)[ \t]*:/im;
const REPLY_SUBJECT = /^subject:\s*(?:\[[^\]]*\]\s*)?(?:re|aw|sv)\s*:/im;

const emails = corpusFiles.map(readCorpus);

const email = (headers: string[], kind: 'text' | 'html', body: string) =>
	[
		'From: Grace <grace@example.com>',
		...headers,
		`Content-Type: text/${kind === 'text' ? 'plain' : 'html'}; charset=utf-8`,
		'Content-Transfer-Encoding: base64',
		'',
		Buffer.from(body).toString('base64'),
	].join('\r\n');

const bodies = REPLIES.flatMap(({ text, html }) => [
	...(text === undefined ? [] : [{ kind: 'text' as const, body: text }]),
	...(html === undefined ? [] : [{ kind: 'html' as const, body: html }]),
]);

describe('an email that answers none is not touched', () => {
	test.each(corpusFiles)('%s', async (file) => {
		const rawEmail = readCorpus(file);
		if (LINKS.test(rawEmail) || REPLY_SUBJECT.test(rawEmail)) return;
		expect(await withOption(rawEmail)).toEqual(await withoutOption(rawEmail));
	});

	test('nor one that is spoiled', async () => {
		for (let seed = 2000; seed < 2100; seed++) {
			const rawEmail = mutate(emails, seed);
			if (LINKS.test(rawEmail) || REPLY_SUBJECT.test(rawEmail)) continue;
			expect(await withOption(rawEmail)).toEqual(await withoutOption(rawEmail));
		}
	});

	test('nor one that looks like an answer in all but its header', async () => {
		for (const { kind, body } of bodies) {
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
				const rawEmail = email(['Subject: Hello'], 'text', lines.join('\n'));
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
		for (const { kind, body } of bodies) {
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
		const { text } = (await withOption(email(['Subject: Re: Minutes'], 'text', forwarded))).email;
		expect(text).toBe(forwarded);
	});
});

test('an email that is nothing but a quotation keeps it', async () => {
	const quoted = 'On Sat, Nov 21, 2026 at 10:02 AM Ada <ada@example.com> wrote:\n\n> All agreed.';
	const html = '<blockquote type="cite">All agreed.</blockquote>';
	const read = async (kind: 'text' | 'html', body: string) =>
		(await withOption(email(['Subject: Re: Minutes'], kind, body))).email;
	expect((await read('text', quoted)).text).toBe(quoted);
	expect((await read('html', html)).html).toBe(html);
	expect((await read('html', html)).text).toBe('> All agreed.');
});

test('without the option an answer is not touched', async () => {
	for (const { kind, body } of bodies) {
		const { email: read } = await withoutOption(email(['Subject: Re: Minutes'], kind, body));
		expect(read[kind]).toBe(body.trimEnd());
	}
});

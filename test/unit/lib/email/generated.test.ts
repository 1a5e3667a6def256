import fc from 'fast-check';
import type Mail from 'nodemailer/lib/mailer';
import MailComposer from 'nodemailer/lib/mail-composer';

import { readEmail } from '../../../support/reading';

const word = fc.string({
	unit: fc.constantFrom(...'abcXYZ0189-äöüßéñ漢字かな한✓😀'),
	minLength: 1,
	maxLength: 12,
});
const phrase = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
const paragraphs = fc
	.array(phrase, { minLength: 1, maxLength: 30 })
	.map((lines) => lines.join('\n'));
const address = fc.record({
	name: fc.option(phrase, { nil: '' }),
	address: fc.stringMatching(/^[a-z0-9]{1,10}@[a-z0-9]{1,10}\.example$/),
});

const encoding = fc.constantFrom('base64' as const, 'quoted-printable' as const);

const attachment = fc.record(
	{
		filename: word.map((name) => `${name.replace(/^-+/, 'x')}.bin`),
		content: fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
		contentType: fc.constantFrom('application/pdf', 'image/png', 'text/csv', 'text/plain'),
		contentTransferEncoding: encoding,
	},
	{ requiredKeys: ['filename', 'content', 'contentType'] },
);

const fields = fc.record(
	{
		from: address,
		to: fc.array(address, { minLength: 1, maxLength: 4 }),
		cc: fc.array(address, { maxLength: 3 }),
		replyTo: fc.array(address, { maxLength: 2 }),
		subject: phrase,
		text: paragraphs,
		html: fc.constant(''),
		textEncoding: encoding,
		attachments: fc.uniqueArray(attachment, {
			maxLength: 4,
			selector: ({ filename }) => filename.toLowerCase(),
		}),
		messageId: fc.constant('<generated@example.com>'),
	},
	{ requiredKeys: ['from', 'to', 'subject', 'messageId', 'text'] },
);

/** Text and HTML say the same. */
const mail = fields.map(({ html, ...others }) => ({
	...others,
	...(html !== undefined && { html: `<p>${others.text}</p>` }),
}));

const compose = async (options: Mail.Options) =>
	(await new MailComposer(options).compile().build()).toString();

test('generated emails say what was written', async () => {
	await fc.assert(
		fc.asyncProperty(mail, async (options) => {
			const attachments = options.attachments ?? [];
			const { email, files } = await readEmail(await compose(options));
			expect(email).toMatchObject({
				from: options.from,
				to: options.to,
				cc: options.cc ?? [],
				subject: options.subject,
				text: options.text,
				html: options.html ?? null,
				thread: { messageId: options.messageId, replyTo: options.replyTo ?? [] },
			});
			expect(files.map(({ content }) => content.toString('hex'))).toEqual(
				attachments.map(({ content }) => content.toString('hex')),
			);
		}),
		{ numRuns: 100 },
	);
});

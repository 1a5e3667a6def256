import { emailFromMessage, readEmail, readHeaders } from '../../../nodes/EmailIdentity/email';
import { readCorpus } from './corpus';

const plain = { attachments: true, headers: false, binaryPrefix: 'attachment_' };

const lines = (...text: string[]) => text.join('\r\n');

const emailWithText = lines('From: a@example.com', 'To: b@example.com', 'Subject: Hi', '', 'Hello');

test('every documented field is there, also when the email says nothing', async () => {
	const { email } = await readEmail('Subject:\r\n\r\n', undefined, plain);
	expect(email).toEqual({
		id: null,
		messageId: null,
		inReplyTo: null,
		references: [],
		from: null,
		to: [],
		cc: [],
		replyTo: [],
		subject: '',
		date: null,
		text: null,
		html: null,
		attachments: [],
		parsed: true,
	});
});

test('a real email gives its fields, files and inline pictures', async () => {
	const { email, files } = await readEmail(
		readCorpus('gmail-inline-image-and-pdf.eml'),
		{ id: 'service-id' },
		plain,
	);
	expect(email).toMatchObject({
		id: 'service-id',
		messageId: '<m1@example.com>',
		from: { name: 'Alice Example', address: 'alice@example.com' },
		to: [{ name: 'Bob', address: 'bob@example.org' }],
		subject: 'Photo and PDF',
		date: '2026-11-03T08:15:00.000Z',
		text: '[image: logo.png]\nSee the PDF.',
		parsed: true,
	});
	expect(email.attachments).toMatchObject([
		{
			fileName: 'logo.png',
			mimeType: 'image/png',
			inline: true,
			contentId: 'ii_abc123',
			binaryProperty: 'attachment_0',
		},
		{
			fileName: 'Invoice 42.pdf',
			mimeType: 'application/pdf',
			inline: false,
			binaryProperty: 'attachment_1',
		},
	]);
	expect(files.map(({ content }) => content.subarray(0, 4).toString('latin1'))).toEqual([
		'\u0089PNG',
		'%PDF',
	]);
});

test('attachments that were not asked for are listed without content', async () => {
	const { email, files } = await readEmail(readCorpus('only-attachment.eml'), undefined, {
		...plain,
		attachments: false,
	});
	expect(files).toEqual([]);
	expect(email.attachments).toMatchObject([{ fileName: 'scan0001.pdf', binaryProperty: null }]);
	expect(email.attachments[0]?.size).toBeGreaterThan(300);
});

test('headers come on demand, repeated ones each for itself, and never more than the email has', async () => {
	const withHeaders = { ...plain, headers: true };
	const { email } = await readEmail(readCorpus('repeated-headers.eml'), undefined, withHeaders);
	expect(email.headers?.received).toHaveLength(3);
	expect(email.headers?.subject).toEqual(['First subject', 'Second subject']);
	const long = await readEmail(
		`${emailWithText}${'\r\nlong'.repeat(3000)}`,
		undefined,
		withHeaders,
	);
	expect(Object.keys(long.email.headers ?? {})).toEqual(['from', 'to', 'subject']);
});

test('headers named like parts of JavaScript objects do no harm', async () => {
	const rawEmail = lines('Subject: x', '__proto__: polluted', 'constructor: y', '', '');
	const { email } = await readEmail(rawEmail, undefined, { ...plain, headers: true });
	expect(Object.keys(email.headers ?? {})).toEqual(['subject', 'constructor']);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('HTML alone also gives a readable text', async () => {
	const { email } = await readEmail(readCorpus('newsletter-html-only.eml'), undefined, plain);
	expect(email.text).toContain('Everything & more, now 50\u00a0% off.');
	expect(email.html).toContain('<h1>Sale!</h1>');
});

test.each([
	undefined,
	'',
	' \r\n ',
	'not an email',
	'{"json": true}',
	'<html><body>Error</body></html>',
])('%j is no email: the message object is used, with a reason', async (rawEmail) => {
	const { email, files } = await readEmail(
		rawEmail,
		{ id: '7', subject: 'From the service' },
		plain,
	);
	expect(email).toMatchObject({ id: '7', subject: 'From the service', parsed: false });
	expect(email.warning).toMatch(/^The email was not parsed because .+\.$/);
	expect(files).toEqual([]);
});

test('what is too complicated keeps its own headers, and says nothing of its content in the warning', async () => {
	const { email } = await readEmail(
		readCorpus('many-parts.eml'),
		{ id: '7', subject: 'Other', text: 'Known' },
		plain,
	);
	expect(email).toMatchObject({ subject: 'Many', text: 'Known', parsed: false });
	expect(email.warning).toContain('more than 2000 parts');
});

test('endless headers are refused', async () => {
	const rawEmail = `X-Long: ${'x'.repeat(3_000_000)}\r\n${emailWithText}`;
	const { email } = await readEmail(rawEmail, { subject: 'Known' }, plain);
	expect(email).toMatchObject({ subject: 'Known', parsed: false });
});

test.each([
	['CRLF', '\r\n'],
	['LF', '\n'],
])('unencoded files keep their bytes with line ends %s', async (_name, lineEnd) => {
	const content = `a;b${lineEnd}1;ü${lineEnd}${lineEnd}`;
	const rawEmail = [
		'From: a@example.com',
		'Content-Type: multipart/mixed; boundary=x',
		'',
		'--x',
		'Content-Type: text/csv',
		'',
		`${content}`,
		'--x--',
		'',
	].join(lineEnd);
	const { files } = await readEmail(rawEmail, undefined, plain);
	expect(files.map((file) => file.content.toString())).toEqual([content]);
});

test('where the structure was misread, the whole email is read again', async () => {
	const rawEmail = lines(
		'From: a@example.com',
		'Content-Type: application/octet-stream; name=a.bin',
		'Content-Transfer-Encoding: 7bit (not base64)',
		'',
		'SGVsbG8=',
	);
	const { files } = await readEmail(rawEmail, undefined, plain);
	expect(files.map(({ content }) => content.toString().trim())).toEqual(['SGVsbG8=']);
});

test('a mail cannot smuggle in another file by guessing at marks', async () => {
	const rawEmail = readCorpus('attachment-names-hostile.eml');
	const { files } = await readEmail(rawEmail, undefined, plain);
	expect(files.map(({ content }) => content.toString())).toEqual(
		files.map((_, index) => `file ${index}`),
	);
});

describe('a message object of the service', () => {
	const observed = {
		id: 'c0ffee00-0000-4000-8000-000000000001',
		messageId: '<m@example.com>',
		inReplyTo: null,
		references: '<r1@example.com> <r2@example.com>',
		subject: 'Observed',
		text: 'Text\r\n',
		html: '',
		from: {
			text: 'Ann <ann@example.com>',
			html: '',
			value: [{ name: 'Ann', address: 'ann@example.com' }],
		},
		to: { text: '', html: '', value: [{ name: '', address: 'bob@example.org' }] },
		cc: null,
		replyTo: [],
		date: '2026-11-21T08:40:51.391Z',
		headersJson: '{"received":["one","two"],"subject":"Observed"}',
		hasAttachments: false,
	};

	test('as observed', async () => {
		const { email } = await emailFromMessage(observed, { ...plain, headers: true });
		expect(email).toMatchObject({
			id: observed.id,
			messageId: '<m@example.com>',
			inReplyTo: null,
			references: ['<r1@example.com>', '<r2@example.com>'],
			subject: 'Observed',
			from: { name: 'Ann', address: 'ann@example.com' },
			to: [{ name: '', address: 'bob@example.org' }],
			cc: [],
			date: '2026-11-21T08:40:51.391Z',
			text: 'Text',
			html: null,
			headers: { received: ['one', 'two'], subject: ['Observed'] },
			parsed: false,
		});
	});

	test('in snake_case, with addresses as text and the body apart', async () => {
		const message = {
			id: '9',
			message_id: '<m@example.com>',
			in_reply_to: '<r@example.com>',
			from_address: 'Ann <ann@example.com>',
			to: ['bob@example.org', 'Carl <carl@example.org>'],
			reply_to: { email: 'r@example.com', name: 'R' },
			created_at: '2025-11-15 10:47:23.60418+00',
			body: { html: '<p>Hi</p>', text: 'Hi' },
			headers: [{ name: 'X-A', value: '1' }],
			attachments: [{ filename: '../a.pdf', content_type: 'application/PDF', size: 5 }],
		};
		const { email } = await emailFromMessage(message, { ...plain, headers: true });
		expect(email).toMatchObject({
			messageId: '<m@example.com>',
			inReplyTo: '<r@example.com>',
			from: { name: 'Ann', address: 'ann@example.com' },
			to: [
				{ name: '', address: 'bob@example.org' },
				{ name: 'Carl', address: 'carl@example.org' },
			],
			replyTo: [{ name: 'R', address: 'r@example.com' }],
			date: '2025-11-15T10:47:23.604Z',
			text: 'Hi',
			html: '<p>Hi</p>',
			headers: { 'x-a': ['1'] },
			attachments: [
				{ fileName: 'a.pdf', mimeType: 'application/pdf', size: 5, binaryProperty: null },
			],
		});
	});

	test.each(['rawEmail', 'raw_email', 'raw'])(
		'is parsed when it brings the raw email as %s',
		async (field) => {
			const { email } = await emailFromMessage({ id: '9', [field]: emailWithText }, plain);
			expect(email).toMatchObject({ id: '9', subject: 'Hi', text: 'Hello', parsed: true });
		},
	);

	test.each([
		{},
		{
			id: 5,
			from: 3,
			to: true,
			headers: 'no json',
			attachments: {},
			date: 'never',
			text: {},
			body: [],
		},
		{ from: [[[{ value: [{ group: [{ address: 'a@b' }] }] }]]], to: null, references: [null, 7] },
	])('of any shape does not break the reading: %j', async (message) => {
		const { email } = await emailFromMessage(message, { ...plain, headers: true });
		expect(email.parsed).toBe(false);
		expect(email.date).toBeNull();
	});
});

test('the MIME library is loaded when the first email arrives, not before', async () => {
	await jest.isolateModulesAsync(async () => {
		const load = jest.fn(() => jest.requireActual('postal-mime'));
		jest.doMock('postal-mime', load);
		const fresh = await import('../../../nodes/EmailIdentity/email');
		expect(load).not.toHaveBeenCalled();
		expect((await fresh.readEmail(emailWithText, undefined, plain)).email.subject).toBe('Hi');
		expect(load).toHaveBeenCalledTimes(1);
	});
});

describe('headers for filters', () => {
	test('are decoded', async () => {
		const headers = await readHeaders(readCorpus('gmail-alternative.eml'));
		expect(headers).toMatchObject({
			from: { name: 'Jürgen Groß', address: 'alice@gmail.example' },
			subject: 'Re: Grüße aus München und ein langer Betreff über zwei Zeilen',
			hasAttachments: false,
		});
	});

	test.each([
		['an inline picture alone is no attachment', 'outlook-related.eml', false],
		['a PDF shown inline is one', 'apple-mail-mixed-inline-pdf.eml', true],
		['an email that is a file is one', 'only-attachment.eml', true],
		['a forwarded message is one', 'forwarded-rfc822-undeclared.eml', true],
		['it is found behind a wrong boundary too', 'boundary-wrong.eml', true],
		['it is found behind an unusually written boundary too', 'rfc2231-boundary.eml', true],
	])('%s', async (_name, file, expected) => {
		expect((await readHeaders(readCorpus(file))).hasAttachments).toBe(expected);
	});

	test('are empty for what is no email', async () => {
		expect(await readHeaders('')).toEqual({
			from: null,
			to: [],
			cc: [],
			subject: '',
			messageId: null,
			hasAttachments: false,
		});
	});
});

import { readEmail } from '../../../support/reading';
import { readCorpus } from '../../guarantees/support/corpus';

const lines = (...text: string[]) => text.join('\r\n');

const emailWithText = lines('From: a@example.com', 'To: b@example.com', 'Subject: Hi', '', 'Hello');

test('every documented field is there, also when the email says nothing', async () => {
	const { email } = await readEmail('Subject:\r\n\r\n');
	expect(email).toEqual({
		from: null,
		to: [],
		cc: [],
		subject: '',
		date: null,
		text: null,
		html: null,
		attachments: [],
		thread: {
			id: null,
			messageId: null,
			inReplyTo: null,
			references: [],
			replyTo: [],
			forwarded: null,
		},
	});
});

test('headers are in the output if they are wanted, with a list for a repeated one', async () => {
	const withHeaders = { headers: true };
	const { email } = await readEmail(readCorpus('repeated-headers.eml'), undefined, withHeaders);
	expect(email.headers?.received).toHaveLength(3);
	expect(email.headers?.subject).toEqual(['First subject', 'Second subject']);
	const longEmail = emailWithText + '\r\nlong'.repeat(3000);
	const long = await readEmail(longEmail, undefined, withHeaders);
	expect(Object.keys(long.email.headers ?? {})).toEqual(['from', 'to', 'subject']);
});

test('headers named like parts of JavaScript objects do no harm', async () => {
	const rawEmail = lines('Subject: x', '__proto__: polluted', 'constructor: y', '', '');
	const { email } = await readEmail(rawEmail, undefined, { headers: true });
	expect(Object.keys(email.headers ?? {})).toEqual(['subject', 'constructor']);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const NO_EMAILS = [undefined, '', ' \r\n ', 'not an email', '{"json": true}', '<p>Error</p>'];

test.each(NO_EMAILS)(
	'%j is no email: what else is known is used, with a reason',
	async (rawEmail) => {
		const { email, files } = await readEmail(rawEmail, () => ({ subject: 'From the service' }));
		expect(email).toMatchObject({ subject: 'From the service', parsed: false });
		expect(email.warning).toMatch(/^The email was not parsed because .+\.$/);
		expect(files).toEqual([]);
	},
);

test.each([
	[{ parts: 3 }, 'more than 3 parts'],
	[{ nesting: 1 }, 'more than 1 levels'],
	[{ headerLines: 10 }, 'headers are too long'],
])('an email above the limit %j keeps its own header, with a warning', async (limits, reason) => {
	const known = () => ({ subject: 'Other', text: 'Known' });
	const rawEmail = readCorpus('gmail-inline-image-and-pdf.eml');
	const { email } = await readEmail(rawEmail, known, {}, limits);
	expect(email).toMatchObject({ subject: 'Photo and PDF', text: 'Known', parsed: false });
	expect(email.warning).toContain(reason);
});

test('the header of an email is not read if it is too long', async () => {
	const known = () => ({ subject: 'Known' });
	const { email } = await readEmail(emailWithText, known, {}, { headerCharacters: 20 });
	expect(email).toMatchObject({ subject: 'Known', parsed: false });
});

test.each(['\r\n', '\n'])('unencoded files keep their bytes with line ends %j', async (lineEnd) => {
	const content = `a;b${lineEnd}1;ü${lineEnd}${lineEnd}`;
	const header = ['From: a@example.com', 'Content-Type: multipart/mixed; boundary=x', ''];
	const part = ['--x', 'Content-Type: text/csv', '', content, '--x--', ''];
	const { files } = await readEmail([...header, ...part].join(lineEnd));
	expect(files.map((file) => file.content.toString())).toEqual([content]);
});

import { openEmail, readEmail } from '../../../../support/reading';
import { readCorpus } from '../../../guarantees/support/corpus';

const HEADER = ['From: Ada <ada@example.com>', 'Subject: Hi'];

const container = (kind: string, boundary: string, ...parts: string[][]): string[] => [
	`Content-Type: multipart/${kind}; boundary=${boundary}`,
	'',
	...parts.flatMap((part) => [`--${boundary}`, ...part]),
	`--${boundary}--`,
];

const part = (type: string, content: string, ...fields: string[]): string[] => [
	`Content-Type: ${type}`,
	...fields,
	'',
	content,
];

const email = (content: string[]): string => [...HEADER, ...content].join('\r\n');

const PLAIN = part('text/plain', 'Hello');
const HTML = part('text/html', '<p>Hello</p>');

async function read(content: string[]) {
	const { email: shown } = await readEmail(email(content));
	const names = shown.attachments.map(({ fileName, inline }) =>
		inline ? `${fileName} (inline)` : fileName,
	);
	return { text: shown.text, files: names.join(', ') };
}

test.each([
	['attachment; filename=first.txt', 'inline; filename=second.txt', 'first.txt'],
	['inline', 'attachment; filename=second.txt', ''],
])('the first Content-Disposition of a part counts: %s before %s', async (first, second, files) => {
	const twice = part(
		'text/plain',
		'Hello from a part',
		`Content-Disposition: ${first}`,
		`Content-Disposition: ${second}`,
	);

	expect(await read(container('mixed', 'm', PLAIN, twice))).toMatchObject({ files });
});

describe('text with a file name', () => {
	const named = (name: string, type = 'text/plain') =>
		part(
			`${type}; name="${name}"`,
			'Hello from a file',
			`Content-Disposition: inline; filename="${name}"`,
		);

	test.each<[what: string, content: string[], text: string, files: string]>([
		[
			'beside other text is a file',
			container('mixed', 'm', PLAIN, named('a.csv')),
			'Hello',
			'a.csv',
		],
		[
			'beside HTML is a file',
			container('mixed', 'm', named('page.html', 'text/html'), HTML),
			'Hello',
			'page.html',
		],
		['is the text if there is no other', named('message.txt'), 'Hello from a file', ''],
		[
			'is the text if it is the first of several',
			container('mixed', 'm', named('a.txt'), named('b.txt')),
			'Hello from a file',
			'b.txt',
		],
		[
			'is a version of the text',
			container(
				'alternative',
				'a',
				named('message.txt'),
				part('text/html', '<p>Hello from a file</p>'),
			),
			'Hello from a file',
			'',
		],
		[
			'is the root of a version of the text',
			container('alternative', 'a', PLAIN, container('related', 'r', named('x.html', 'text/html'))),
			'Hello from a file',
			'',
		],
		[
			'is what the first part of a report says',
			container('report', 'r', named('notification.txt'), part('message/delivery-status', 'a: b')),
			'Hello from a file',
			'attachment.txt',
		],
		[
			'beside the text in one version is a file',
			container('alternative', 'a', PLAIN, container('mixed', 'm', HTML, named('log.txt'))),
			'Hello',
			'log.txt',
		],
	])('%s', async (_what, content, text, files) => {
		expect(await read(content)).toMatchObject({ text, files });
	});
});

test.each([
	['text/x-amp-html', ''],
	['text/watch-html', ''],
	['text/enriched', ''],
	['text/markdown; name=message.md', ''],
	['text/x-next; charset=utf-8', ''],
	['text/calendar; method=REQUEST', 'invite.ics'],
	['text/csv; name=export.csv', 'export.csv'],
	['application/json', 'attachment.json'],
])('a version of the text in %s gives the files: %s', async (type, files) => {
	const content = container('alternative', 'a', PLAIN, part(type, 'x'), HTML);
	expect((await read(content)).files).toBe(files);
});

test('a part that is marked as an attachment is a file, also within multipart/alternative', async () => {
	const marked = part('text/x-patch', 'x', 'Content-Disposition: attachment; filename=a.patch');
	const content = container('alternative', 'a', PLAIN, marked);
	expect((await read(content)).files).toBe('a.patch');
});

test.each([
	['its name', '; name=a.pdf', ''],
	['that of its resource fork', '', '; name=a.pdf'],
])('a file of macOS with a resource fork is one file, with %s', async (_what, ofFile, ofFork) => {
	const lines = [
		...['From: a@b.c', 'Content-Type: multipart/appledouble; boundary=b', '', '--b'],
		...[`Content-Type: application/applefile${ofFork}`, '', 'fork', '--b'],
		...[`Content-Type: application/pdf${ofFile}`, '', '%PDF', '--b--'],
	];
	const { email, files } = await readEmail(lines.join('\r\n'));
	expect(email.attachments).toMatchObject([{ fileName: 'a.pdf' }]);
	expect(files.map(({ content }) => content.toString())).toEqual(['%PDF']);
});

test('an attached email with addresses in UTF-8 is opened like others', async () => {
	const inner =
		'From: a@b.c\r\nSubject: Plan\r\nContent-Type: application/pdf; name=a.pdf\r\n\r\nx';
	const { email } = await readEmail(`From: a@b.c\r\nContent-Type: message/global\r\n\r\n${inner}`);
	expect(email.attachments).toMatchObject([
		{ fileName: 'Plan.eml' },
		{ fileName: 'a.pdf', inside: 'Plan.eml' },
	]);
});

test('an attached email without a file name is named by its subject, and its files say where they are', async () => {
	const subject = `Subject: =?utf-8?q?Offer_3/4_=E2=80=93_caf=C3=A9?=`;
	const inner = ['From: b@example.com', subject, ...part('application/pdf; name=a.pdf', 'x')];
	const attached = (...lines: string[]) => ['Content-Type: message/rfc822', '', ...lines];
	const content = container(
		'mixed',
		'm',
		PLAIN,
		attached(...inner),
		attached('From: c@d.e', '', ''),
	);
	const { email: shown } = await readEmail(email(content));
	expect(shown.attachments.map(({ fileName, inside }) => [fileName, inside])).toEqual([
		['Offer 3_4 – café.eml', undefined],
		['attachment.eml', undefined],
		['a.pdf', 'Offer 3_4 – café.eml'],
	]);
});

test.each([
	['a picture that the HTML shows is inline', 'outlook-related.eml', false],
	['a PDF that is marked as inline is not', 'apple-mail-mixed-inline-pdf.eml', true],
	['an email that is a file is not', 'only-attachment.eml', true],
	['a forwarded message is not', 'forwarded-rfc822-undeclared.eml', true],
	['a file behind a wrong boundary is not', 'boundary-wrong.eml', true],
	['a file behind an unusually written boundary is not', 'rfc2231-boundary.eml', true],
])('%s', async (_name, file, expected) => {
	const files = await (await openEmail(readCorpus(file))).listFiles();
	expect(files?.some(({ inline }) => !inline)).toBe(expected);
});

import { decodeRawEmail } from '../../../../../lib/email';
import { readEmail } from '../../../../support/reading';

const SUBJECT = 'Subject: \xcf\xf0\xe8';
const MIXED = 'Content-Type: multipart/mixed; boundary=b';
const PDF = 'Content-Type: application/pdf; name=a.pdf';
const PARTS = [
	...['--b', 'Content-Type: application/pdf; name="\xcf\xf0\xe8.pdf"', '', 'x'],
	...['--b', 'Content-Type: text/plain; charset=windows-1251', '', '\xe0'],
	...['--b', 'Content-Type: text/html; charset=koi8-r', '', 'x', '--b--'],
];

test.each([
	['of the email', [MIXED, '--b', '', 'Hello', '--b', PDF, '', 'x', '--b--']],
	[
		'of a container',
		[
			MIXED,
			'',
			'--b',
			MIXED.replace('=b', '="c"'),
			'--c',
			'',
			'Hello',
			'--c',
			PDF,
			'',
			'x',
			'--c--',
		],
	],
])('the first part is found without an empty line below the header %s', async (_what, lines) => {
	const { email } = await readEmail(['From: ada@example.org', ...lines].join('\r\n'));
	expect(email.text).toBe('Hello');
	expect(email.attachments).toMatchObject([{ fileName: 'a.pdf' }]);
});

test('an email is read if its lines end with CR alone', async () => {
	const { email } = await readEmail('From: a@b.c\rSubject: Hi\r\rTwo\rlines');
	expect(email).toMatchObject({ subject: 'Hi', text: 'Two\nlines' });
});

/** Each character is a byte. */
async function namesIn(lines: string[]) {
	const bytes = Buffer.from(['From: ada@example.org', ...lines].join('\r\n'), 'latin1');
	const { email } = await readEmail(decodeRawEmail(bytes));
	return [email.subject, ...email.attachments.map(({ fileName }) => fileName)];
}

const plain = (charset: string) => [
	SUBJECT,
	`Content-Type: text/plain; charset=${charset}`,
	'',
	'',
];

test.each<[string, string[], string[]]>([
	['of its own Content-Type', plain('windows-1251'), ['При']],
	['never UTF-16', plain('utf-16le'), ['Ïðè']],
	['never ISO-2022', plain('iso-2022-jp'), ['Ïðè']],
	['of no other field', ['X-A: charset=windows-1251', SUBJECT, '', ''], ['Ïðè']],
	[
		'of its own Content-Type before a part',
		[SUBJECT, `${MIXED}; charset=koi8-u`, '', ...PARTS],
		['оПХ', 'оПХ.pdf'],
	],
	['of its first text', [SUBJECT, MIXED, '', ...PARTS], ['При', 'При.pdf']],
	[
		'of its first text if its own is UTF-16',
		[SUBJECT, `${MIXED}; charset=utf-16`, '', ...PARTS],
		['При', 'При.pdf'],
	],
	[
		'of an attached email for its name',
		[MIXED, '', '--b', 'Content-Type: message/rfc822', '', SUBJECT, MIXED.replace('=b', '=c'), '']
			.concat(PARTS.map((line) => line.replace('--b', '--c')))
			.concat('--b--'),
		['', 'При.eml', 'При.pdf'],
	],
])(
	'header fields and names that are not UTF-8 are in the charset %s',
	async (_what, lines, expected) => {
		expect(await namesIn(lines)).toEqual(expected);
	},
);

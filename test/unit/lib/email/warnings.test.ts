import { readEmail } from '../../../support/reading';

const FROM = 'From: ada@example.org\r\n';

const warningOf = async (rawEmail: string) => (await readEmail(FROM + rawEmail)).email.warning;

test.each([
	[
		'of a text',
		'Content-Type: text/plain; charset=x-mac-ce\r\nContent-Transfer-Encoding: base64\r\n\r\n5Q==',
	],
	[
		'that is no superset of ASCII',
		'Content-Type: text/plain; charset=utf-7\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nHi Mom +Jjo-',
	],
	[
		'that is no superset of ASCII, without an encoding',
		'Content-Type: text/plain; charset=utf-7\r\n\r\nHi Mom +Jjo-',
	],
	['whose escapes are ASCII', 'Content-Type: text/plain; charset=hz-gb-2312\r\n\r\n~{<:Ky2;NpJ)~}'],
	[
		'with other escapes than those of ISO-2022-JP',
		'Content-Type: text/plain; charset=iso-2022-kr\r\nContent-Transfer-Encoding: base64\r\n\r\nGyQpQw4+SDNnDw==',
	],
	['of the subject', 'Subject: =?x-mac-ce?B?5Q==?=\r\n\r\nx'],
	['of a name', 'To: Bob <b@example.org>, =?x-mac-ce?Q?=E5?= <c@example.org>\r\n\r\nx'],
])('an unknown charset %s is named', async (_what, rawEmail) => {
	expect(await warningOf(rawEmail)).toMatch(
		/"(?:x-mac-ce|utf-7|hz-gb-2312|iso-2022-kr)" is unknown/,
	);
});

test.each([
	[
		'ASCII',
		'Content-Type: text/plain; charset=x-mac-ce\r\nContent-Transfer-Encoding: base64\r\n\r\nSGk=',
	],
	[
		'UTF-8',
		'Content-Type: text/plain; charset=unknown-8bit\r\nContent-Transfer-Encoding: base64\r\n\r\nw6Q=',
	],
	['ASCII without escapes', 'Content-Type: text/plain; charset=iso-2022-kr\r\n\r\nHello'],
	['UTF-8, in a name', 'To: =?unknown-8bit?Q?J=C3=BCrgen?= <j@example.org>\r\n\r\nx'],
])('an unknown charset of text that is %s changes nothing', async (_what, rawEmail) => {
	expect(await warningOf(rawEmail)).toBeUndefined();
});

test.each([
	[
		'a text',
		'Content-Type: text/plain; charset=euc-kr\r\nContent-Transfer-Encoding: base64\r\n\r\nyaE=',
	],
	['the subject', 'Subject: =?big5?B?gUE=?=\r\n\r\nx'],
	['a file name', 'Content-Type: application/pdf; name="=?shift_jis?B?hUA=?="\r\n\r\nx'],
])('a letter in %s that cannot be read gives a warning', async (_what, rawEmail) => {
	expect(await warningOf(rawEmail)).toMatch(/cannot be read/);
});

test('a file that lost bytes on its way is not given without a word', async () => {
	const file = (encoding: string) =>
		`Content-Type: text/csv; name=a.csv\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\nGr\ufffd\ufffde`;

	expect(await warningOf(file('8bit'))).toMatch(/bytes of files were lost/i);
	expect(await warningOf(file('base64').replace(/Gr.*/, 'SGk='))).toBeUndefined();
});

const LONG_TEXT = `Content-Type: text/plain\r\n\r\n${'x\r\n'.repeat(60_000)}> y\r\n`;

test.each([
	['Markdown', { textFormat: 'markdown' }, undefined, 'too long for Markdown'],
	[
		'Markdown, with quoted text',
		{ textFormat: 'markdown', removeQuotedText: true },
		undefined,
		'too long for Markdown',
	],
	[
		'Remove Quoted Text',
		{ removeQuotedText: true },
		{ replyLines: 100 },
		'too long for Remove Quoted Text',
	],
	['none of both', {}, undefined, undefined],
] as const)('a text that is too long: %s', async (_what, options, limits, expected) => {
	const { email } = await readEmail(FROM + LONG_TEXT, undefined, options, limits);
	expect(email.warning).toEqual(expected && expect.stringContaining(expected));
	expect(email.text).toContain('x\nx');
});

test('a list of addresses that is cut, and a report with too many recipients, are named', async () => {
	const list = `To: ${'a@example.org, '.repeat(8000)}\r\n\r\nx`;
	expect(await warningOf(list)).toMatch(/addresses are missing/);
	const recipients = ['a', 'b', 'c'].map(
		(name) => `\r\nFinal-Recipient: rfc822;${name}@example.org\r\nStatus: 5.1.1\r\n`,
	);
	const report = `Content-Type: message/delivery-status\r\n\r\n${recipients.join('')}`;
	const { email } = await readEmail(FROM + report, undefined, {}, { reportRecipients: 2 });
	expect(email.warning).toMatch(/2 recipients/);
	expect(await warningOf(report)).toBeUndefined();
});

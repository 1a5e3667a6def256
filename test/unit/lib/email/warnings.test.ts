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
	['of the subject', 'Subject: =?x-mac-ce?B?5Q==?=\r\n\r\nx'],
])('an unknown charset %s is named', async (_what, rawEmail) => {
	expect(await warningOf(rawEmail)).toMatch(/"(?:x-mac-ce|utf-7)" is unknown/);
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

import { readEmail } from '../../../../support/reading';

const base64 = (bytes: Buffer | string): string[] => [
	'Content-Transfer-Encoding: base64',
	'',
	Buffer.from(bytes as string, 'latin1').toString('base64'),
];

async function textOf(type: string, body: string[]): Promise<string | null> {
	const rawEmail = ['From: a@b.c', `Content-Type: ${type}`, ...body].join('\r\n');
	return (await readEmail(rawEmail)).email.text;
}

const CYRILLIC = '\xd1\xf7\xe5\xf2';
const JAPANESE = '\x1b$B$3$l\x1b(B';

const meta = (charset: string, text: string, before = ''): string =>
	`<html>${before}<meta http-equiv=Content-Type content="text/html; charset=${charset}"><p>${text}</p>`;

describe('a charset that only the content names', () => {
	test.each([
		['a meta element', 'text/html', base64(meta('windows-1251', CYRILLIC)), 'Счет'],
		[
			'a short meta element',
			'text/html',
			base64(`<meta charset='koi8-r'>\xf4\xc5\xd3\xd4`),
			'Тест',
		],
		['UTF-16 means UTF-8', 'text/html', base64(meta('utf-16', '\xe9\xc3\xa9')), '\ufffdé'],
		['never UTF-7', 'text/html', base64(meta('utf-7', '+AOk-')), '+AOk-'],
		[
			'not in plain text',
			'text/plain',
			base64('<meta charset=windows-1251>\xe9'),
			'<meta charset=windows-1251>é',
		],
		[
			'not behind the beginning',
			'text/html',
			base64(meta('windows-1251', '\xe9', ' '.repeat(1024))),
			'é',
		],
		['not in a comment', 'text/html', base64('<!-- <meta charset=windows-1251> --><p>\xe9'), 'é'],
		['not if the text is UTF-8', 'text/html', base64(meta('windows-1251', '\xc3\xa9')), 'é'],
		[
			'not if the header names one',
			'text/html; charset=iso-8859-1',
			base64(meta('windows-1251', '\xe9')),
			'é',
		],
		['escapes of ISO-2022-JP', 'text/plain', ['', JAPANESE], 'これ'],
		['escapes in base64', 'text/plain', base64(JAPANESE), 'これ'],
		[
			'escapes behind the beginning',
			'text/html',
			base64(`<p>${'a '.repeat(1000)}<p>${JAPANESE}`),
			'これ',
		],
		['no escapes beside other letters', 'text/plain', ['', `é${JAPANESE}`], `é${JAPANESE}`],
		['no escapes if the header names one', 'text/plain; charset=utf-8', ['', JAPANESE], JAPANESE],
	])('%s', async (_what, type, body, expected) => {
		expect((await textOf(type, body))?.split('\n').at(-1)).toBe(expected);
	});
});

const QUOTED = 'Content-Transfer-Encoding: quoted-printable';

test.each([
	[
		'broken lines',
		[QUOTED, '', 'soft=\r\n break=\r\r\n', 'a\r', 'b=0D=0A=', 'c'],
		'soft break\na\nb\nc',
	],
	[
		'letters that were decoded before',
		[QUOTED, '', 'é=E9=\r\n =00ü=FC'],
		'éé üü'.replace(' ', '  '),
	],
	['a carriage return within a line', [QUOTED, '', 'a\rb'], 'a\rb'],
])('quoted-printable text: %s', async (_what, body, expected) => {
	expect(await textOf('text/plain; charset=iso-8859-1', body)).toBe(expected);
});

test.each([
	['text/plain', 'before \0after', 'before after'],
	['text/html', 'before <b>\0after</b>', 'before after'],
])('%s has no NUL, which databases refuse', async (type, body, expected) => {
	const written = ['Subject: =?utf-8?Q?a=00b?=', QUOTED, '', body.replace('\0', '=00')];
	const rawEmail = ['From: a@b.c', `Content-Type: ${type}`, ...written].join('\r\n');
	const { email } = await readEmail(rawEmail);
	expect(email.text).toBe(expected);
	expect(JSON.stringify(email)).not.toContain('\\u0000');
});

test('letters among ISO-2022-JP that the service decoded before keep their places', async () => {
	const text = `${JAPANESE}é\x1b$B$3ü a`;
	expect(await textOf('text/plain; charset=iso-2022-jp', ['', text])).toBe('これéこü a');
});

test('a UTF-16 character with the bytes of a line break is not changed', async () => {
	const body = [QUOTED, '', '=0D=0A=00a'];
	expect(await textOf('text/plain; charset=utf-16be', body)).toBe('\u0d0aa');
});

test('a quoted-printable file keeps its line breaks, also if it is text', async () => {
	const rawEmail = [
		'From: a@b.c',
		'Content-Type: text/plain',
		'Content-Disposition: attachment',
		QUOTED,
		'',
		'a\r\nb\nc\r\r\nd=0D=0Ae=\r\n f\r',
	].join('\r\n');
	const { files } = await readEmail(rawEmail);
	expect(files[0]?.content.toString('latin1')).toBe('a\r\nb\nc\r\r\nd\r\ne f\r');
});

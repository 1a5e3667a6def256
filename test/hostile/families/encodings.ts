import { email, emailOf, fill, type Family, type Hostile } from '../family';

/** A body in one encoding, as text, as HTML and as a file. */
const flowed = (body: string): Hostile => ({
	rawEmail: emailOf('text/plain; format=flowed; delsp=yes', body),
});

const encodedWithout = (bytes: Buffer): Hostile[] => [
	{ rawEmail: emailOf('text/plain', bytes.toString('base64'), 'base64') },
];

function encoded(encoding: string, body: string, charset = 'utf-8'): Hostile[] {
	return [
		{ rawEmail: emailOf(`text/plain; charset=${charset}`, body, encoding) },
		{ rawEmail: emailOf(`text/html; charset=${charset}`, body, encoding) },
		{ rawEmail: emailOf('application/pdf', body, encoding) },
		{
			rawEmail: emailOf(
				'multipart/mixed; boundary=p',
				`--p\r\nContent-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n--p--\r\n`,
			),
		},
	];
}

const LINE = 'VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZy4gVGhlIHF1aWNr\r\n';

export const ENCODING_FAMILIES: Family[] = [
	{ name: 'base64: one character a line', make: (size) => encoded('base64', fill(size, 'Y\n')) },
	{
		name: 'base64: two characters a line',
		make: (size) => encoded('base64', fill(size, 'YQ\r\n')),
	},
	{
		name: 'base64: padding in every line',
		make: (size) => encoded('base64', fill(size, 'YQ==\r\n')),
	},
	{ name: 'base64: only padding', make: (size) => encoded('base64', fill(size, '=')) },
	{ name: 'base64: padding and blanks', make: (size) => encoded('base64', `=${fill(size, ' ')}x`) },
	{ name: 'base64: one line', make: (size) => encoded('base64', fill(size, 'YWFh')) },
	{ name: 'base64: junk', make: (size) => encoded('base64', fill(size, 'Y*\x01-_')) },
	{ name: 'base64: only junk', make: (size) => encoded('base64', fill(size, '*')) },
	{ name: 'base64: other alphabets', make: (size) => encoded('base64', fill(size, '-_-_')) },
	{ name: 'base64: ordinary lines', make: (size) => encoded('base64', fill(size, LINE)) },
	{ name: 'base64: only line breaks', make: (size) => encoded('base64', fill(size, '\r\n')) },
	{
		name: 'base64: HTML of links',
		make: (size) =>
			encoded('base64', Buffer.from(`<a ${fill(size * 0.74, 'href=')}`).toString('base64')),
	},
	{
		name: 'quoted-printable: soft line breaks',
		make: (size) => encoded('quoted-printable', fill(size, '=\r\n')),
	},
	{
		name: 'quoted-printable: soft line breaks with blanks',
		make: (size) => [
			...encoded('quoted-printable', fill(size, '= \t \r\n')),
			...encoded('quoted-printable', `=${fill(size, ' ')}x`),
			...encoded('quoted-printable', fill(size, `=${' '.repeat(1000)}`)),
		],
	},
	{
		name: 'quoted-printable: equals',
		make: (size) => encoded('quoted-printable', fill(size, '=')),
	},
	{
		name: 'quoted-printable: equals and blanks',
		make: (size) => encoded('quoted-printable', fill(size, '= ')),
	},
	{
		name: 'quoted-printable: wrong digits',
		make: (size) => encoded('quoted-printable', fill(size, '=G1=1G')),
	},
	{
		name: 'quoted-printable: one line',
		make: (size) => encoded('quoted-printable', fill(size, '=C3=A4')),
	},
	{
		name: 'quoted-printable: blanks at the end of lines',
		make: (size) => encoded('quoted-printable', fill(size, `${' '.repeat(500)}\r\n`)),
	},
	{
		name: 'encodings: nobody knows it',
		make: (size) => encoded(fill(1000, 'x-'), fill(size, 'x\r\n')),
	},
	{
		name: 'encodings: all at once',
		make: (size) => encoded('base64 quoted-printable base64', fill(size, '=41YQ\r\n')),
	},
	{
		name: 'charsets: UTF-7',
		make: (size) => [
			...encoded('8bit', fill(size, '+AGE-'), 'utf-7'),
			...encoded('8bit', fill(size, '+'), 'utf-7'),
			...encoded('8bit', `+${fill(size, 'AGEA')}`, 'utf-7'),
		],
	},
	{
		name: 'charsets: ISO-2022-JP',
		make: (size) => [
			...encoded('8bit', fill(size, '\x1b$B$3\x1b(B'), 'iso-2022-jp'),
			...encoded('8bit', fill(size, '\x1b'), 'iso-2022-jp'),
			...encoded('8bit', fill(size, '\x1b$B'), 'iso-2022-jp'),
		],
	},
	{
		name: 'charsets: UTF-16',
		make: (size) =>
			encoded(
				'base64',
				Buffer.from(fill(size / 3, '<a href='), 'utf16le').toString('base64'),
				'utf-16',
			),
	},
	{
		name: 'charsets: Windows-1252 that was lost',
		make: (size) => [
			...encoded('8bit', fill(size, '\x80\x99')),
			...encoded('8bit', fill(size, '\ufffd')),
		],
	},
	{
		name: 'charsets: none, of what is no UTF-8',
		make: (size) => encodedWithout(Buffer.alloc(Math.ceil((size * 3) / 4), 0xe9)),
	},
	{
		name: 'flowed: quoted lines that go on',
		make: (size) => [flowed(fill(size, '> a \r\n>> b \r\n')), flowed(fill(size, '> \r\n'))],
	},
	{
		name: 'flowed: marks of quoting',
		make: (size) => [flowed(`${fill(size, '>')} \r\nx`), flowed(fill(size, '>>>> \r\n> \r\n'))],
	},
	{
		name: 'charsets: one huge name',
		make: (size) => [
			{ rawEmail: emailOf(`text/plain; charset=${'x-'.repeat(size / 2)}`, 'x') },
			{ rawEmail: emailOf(`text/plain; charset="${fill(size, ' .')}"`, 'x') },
			{ rawEmail: email([`Content-Transfer-Encoding: ${fill(size, 'base6')}`], 'x') },
		],
	},
	{
		name: 'text: surrogates and marks',
		make: (size) => [
			{ rawEmail: email([], fill(size, '\ud83d\ude00\u0300')) },
			{ rawEmail: email([], fill(size, 'a\u0300')) },
		],
	},
	{
		name: 'text: NUL',
		make: (size) => [{ rawEmail: email([], fill(size, '\0')) }, { rawEmail: fill(size, '\0') }],
	},
	{
		name: 'text: carriage returns',
		make: (size) => [
			{ rawEmail: email([], fill(size, 'x\r')) },
			{ rawEmail: email([], fill(size, `x${'\r'.repeat(1000)}`)) },
		],
	},
	{
		name: 'text: blanks at the end',
		make: (size) => [
			{ rawEmail: email([], fill(size, ' ')) },
			{ rawEmail: email([], `${fill(size, ' ')}x${fill(size / 2, '\n ')}`) },
			{ message: { id: '1', text: `${fill(size, ' ')}x` } },
		],
	},
];

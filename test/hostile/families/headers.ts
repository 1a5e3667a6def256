import { around, email, familiesOf, fill, numbered, record } from '../support/family';
import type { Family, Hostile, Piece, Rows } from '../support/family';

const header = (name: string, value: string): Hostile => ({
	rawEmail: email([`${name}: ${value}`], 'Hello'),
});

/** Encoded words of the subject; each is also a name, a file name and any header. */
const words = (value: string): Hostile[] => [
	header('Subject', value),
	header('From', `${value} <ada@example.com>`),
	header('X-Any', value),
	header('Content-Type', `application/pdf; name="${value}"`),
	record({ subject: 'Hello', from: `${value} <a@example.com>`, headers: { 'x-any': value } }),
];

const WORDS: Rows = [
	['base64', '=?utf-8?B?YWFh?= '],
	['base64 that does not decode', '=?utf-8?B?/////w==?= '],
	['quoted, halves of characters', '=?utf-8?Q?=C3?= =?utf-8?Q?=A4?= '],
	['unknown charsets', numbered((index) => `=?x-${index}?Q?a?= `)],
	['charsets from tables', '=?cp437?Q?=81?= '],
	['letters that are not encoded', '=?iso-8859-2?Q?é=E9?= '],
	['beginnings', '=?'],
	['hidden line breaks', '=?utf-8?Q?=0D=0A?= '],
	['ISO-2022-JP', '=?iso-2022-jp?B?GyRCJDMbKEI=?= '],
];

const word = (start: string, piece: string) => (size: number) =>
	`=?utf-8?${start}${fill(size, piece)}?=`;

/** A domain of letters that are all different, which IDNA would compare with each other. */
const letters = (size: number) =>
	`${fill(size, (index) => String.fromCodePoint(0x4e00 + ((index * 7) % 20_000)))}.example`;

/** Marks that have to be sorted: the second kind stands below a letter, and goes before the first. */
const marks = (size: number) => `a${fill(size / 2, '\u0301')}${fill(size / 2, '\u0316')}`;

/** Values of one header. */
const VALUES: Array<[header: string, name: string, ...values: Piece[]]> = [
	['Subject', 'one encoded word', word('Q?', '=20'), word('B?', 'YWFh'), word('Q?=', ' ')],
	['Subject', 'huge', 'word ', 'x', '\x01\x02', '\r', around('a', ' ', 'b'), marks],
	['Subject', 'folded without end', 'x\r\n ', '\r\n '],
	[
		'From',
		'huge',
		around('ada@', letters),
		around('', marks, ' <a@b.c>'),
		around('', marks, '@b.c'),
	],
	['To', 'huge', around('ada@', letters), around('ada@', marks, '.example')],
	['Delivered-To', 'huge', around('ada@', letters), '<a@', around('a@', 'b.')],
	['Received', 'that names a recipient', around('by x ', 'for <'), around('by x ', '(for ')],
	['Authentication-Results', 'a huge server', around('', letters, '; dmarc=pass')],
	['DKIM-Signature', 'a huge domain', around('v=1; s=s; h=from; bh=x; b=x; d=', marks, '.example')],
	[
		'Content-Type',
		'huge',
		'x\r\n ',
		around('text/plain', ' ', 'b'),
		around('a/b; name="', marks, '"'),
	],
	['X-Any', 'blanks', around('a', ' \t', 'b')],
	['References', 'thousands', numbered((index) => `<${index}@example.com> `)],
	['References', 'thousands of long ones', numbered((index) => `<${'x'.repeat(300)}${index}@b> `)],
	['References', 'brackets, commas, blanks', '<', '<a ', ' , ', around('a', ' ', 'b')],
	['In-Reply-To', 'thousands', '<a@b> '],
	['Message-ID', 'huge', around('<', 'x', '>'), around('<', 'x'), around('<', '@', '>')],
	['Content-ID', 'huge', '<'],
	['Date', 'huge', 'Sat, ', '(', '1 '],
];

const LINES: Rows = [
	['thousands', numbered((index) => `X-${index}: value\r\n`), 'Received: by x\r\n'],
	['of one name', 'Content-Type: text/plain\r\n', 'X:\r\n', 'Content-Type\r\n', 'x', ':'],
	[
		'that name a recipient',
		'Delivered-To: no\r\n',
		'Received: by x for y; now\r\nDelivered-To: no\r\n',
	],
	['one huge name', around('Content-Type', ' ', 'x: y')],
];

const RAW: Rows = [
	['carriage returns', around('', '\r', '\nX'), around('From: a@example.com\n', '\r', 'x')],
	[
		'what stands before them',
		...['\r\n', ' '].map((piece) => around('', piece, email([], 'Hello'))),
	],
	['none, only text', '\ufeff\n', 'word word\r\n', 'x', 'x-a \t', 'to \n'],
];

export const HEADER_FAMILIES: Family[] = [
	...familiesOf('encoded words', WORDS, words),
	...VALUES.flatMap(([name, kind, ...values]) =>
		familiesOf(name, [[kind, ...values]], (value) => [header(name, value)]),
	),
	...familiesOf('headers', LINES, (lines) => [
		{ rawEmail: email([lines.replace(/\r\n$/, '')], 'Hello') },
	]),
	...familiesOf('headers', RAW, (rawEmail) => [{ rawEmail }]),
	...familiesOf('record', [['marks and letters', around('ada@', letters), marks]], (from) => [
		record({ subject: from, from, to: `${from} <a@example.com>` }),
	]),
];

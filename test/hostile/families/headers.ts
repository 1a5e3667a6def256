import { email, fill, record, toFamilies } from '../family';

const header = (name: string, value: string) => ({
	rawEmail: email([`${name}: ${value}`], 'Hello'),
});

const lines = (size: number, line: string | ((index: number) => string)) => ({
	rawEmail: email([fill(size, line).replace(/\r\n$/, '')], 'Hello'),
});

/** Encoded words of the subject; each is also a name, a file name and any header. */
const words = (size: number, word: string | ((index: number) => string)) => {
	const value = fill(size, word);
	return [
		header('Subject', value),
		header('From', `${value} <ada@example.com>`),
		header('X-Any', value),
		header('Content-Type', `application/pdf; name="${value}"`),
		record({ subject: 'Hello', from: `${value} <a@example.com>`, headers: { 'x-any': value } }),
	];
};

/** Marks that have to be sorted: the second kind stands below a letter, and goes before the first. */
const marks = (size: number) => {
	const half = Math.ceil(size / 2);
	return `a${'\u0301'.repeat(half)}${'\u0316'.repeat(half)}`;
};

/** A domain of letters that are all different, which IDNA would compare with each other. */
const letters = (size: number) =>
	fill(size, (index) => String.fromCodePoint(0x4e00 + ((index * 7) % 20_000)));

const WORDS: Array<[name: string, word: string | ((index: number) => string)]> = [
	['base64', '=?utf-8?B?YWFh?= '],
	['base64 that does not decode', '=?utf-8?B?/////w==?= '],
	['quoted, halves of characters', '=?utf-8?Q?=C3?= =?utf-8?Q?=A4?= '],
	['unknown charsets', (index) => `=?x-${index}?Q?a?= `],
	['charsets from tables', '=?cp437?Q?=81?= '],
	['letters that are not encoded', '=?iso-8859-2?Q?é=E9?= '],
	['beginnings', '=?'],
	['hidden line breaks', '=?utf-8?Q?=0D=0A?= '],
	['ISO-2022-JP', '=?iso-2022-jp?B?GyRCJDMbKEI=?= '],
];

export const HEADER_FAMILIES = [
	...WORDS.map(([name, word]) => ({
		name: `encoded words: ${name}`,
		make: (size: number) => words(size, word),
	})),
	...toFamilies({
		'encoded words: one huge': (size) => [
			header('Subject', `=?utf-8?Q?${fill(size, '=20')}?=`),
			header('Subject', `=?utf-8?B?${fill(size, 'YWFh')}?=`),
			header('Subject', `=?utf-8?Q?${fill(size, '= ')}?=`),
			header('Subject', `=?utf-8?Q?=${fill(size, ' ')}?=`),
		],
		'headers: one huge domain in another script': (size) => [
			header('From', `ada@${letters(size)}.example`),
			header('To', `ada@${letters(size)}.example`),
			header('Delivered-To', `ada@${letters(size)}.example`),
			header('Authentication-Results', `${letters(size)}.example; dmarc=pass`),
			record({ from: `ada@${letters(size)}.example`, to: `a@${letters(size)}.example` }),
		],
		'headers: marks on one letter': (size) => [
			header('Subject', marks(size)),
			header('From', `${marks(size)} <ada@example.com>`),
			header('From', `${marks(size)}@example.com`),
			header('To', `ada@${marks(size)}.example`),
			header('Content-Type', `application/pdf; name="${marks(size)}.pdf"`),
			header(
				'DKIM-Signature',
				`v=1; a=rsa-sha256; s=s; h=from; bh=x; b=x; d=${marks(size)}.example`,
			),
			record({ subject: marks(size), from: `${marks(size)} <a@example.com>` }),
		],
		'headers: thousands': (size) => [
			lines(size, (index) => `X-${index}: value\r\n`),
			lines(size, 'Received: by x\r\n'),
			lines(size, 'Content-Type: text/plain\r\n'),
			lines(size, 'X:\r\n'),
			lines(size, 'Content-Type\r\n'),
		],
		'headers: thousands that name a recipient': (size) => [
			lines(size, 'Delivered-To: not one\r\n'),
			lines(size, 'Received: by x for y; now\r\nDelivered-To: no\r\n'),
			header('Received', `by x ${fill(size, 'for <')}`),
			header('Received', `by x ${fill(size, '(for ')}`),
			header('Delivered-To', fill(size, '<a@')),
			header('X-Original-To', `a@${fill(size, 'b.')}`),
		],
		'headers: one huge': (size) => [
			header('Subject', fill(size, 'word ')),
			header('Subject', fill(size, 'x')),
			header('Subject', fill(size, '\x01\x02')),
			lines(size, 'x'),
			lines(size, ':'),
		],
		'headers: blanks': (size) => [
			header('Subject', `a${fill(size, ' ')}b`),
			header('Content-Type', `text/plain${fill(size, ' ')}b`),
			header('X-Any', `a${fill(size, ' \t')}b`),
			{ rawEmail: email([`Content-Type${fill(size, ' ')}x: y`], 'Hello') },
		],
		'headers: folded without end': (size) => [
			header('Subject', fill(size, 'x\r\n ')),
			header('Content-Type', fill(size, 'x\r\n ')),
			header('Subject', fill(size, '\r\n ')),
		],
		'headers: carriage returns': (size) => [
			header('Subject', fill(size, '\r')),
			{ rawEmail: `${fill(size, '\r')}\nX` },
			{ rawEmail: `From: a@example.com\n${fill(size, '\r')}x` },
		],
		'headers: line breaks before the first': (size) => [
			{ rawEmail: fill(size, '\r\n') + email([], 'Hello') },
			{ rawEmail: fill(size, ' ') + email([], 'Hello') },
			{ rawEmail: fill(size, '\ufeff\n') },
		],
		'headers: none, only text': (size) => [
			{ rawEmail: fill(size, 'word word\r\n') },
			{ rawEmail: fill(size, 'x') },
			{ rawEmail: fill(size, 'x-a \t') },
			{ rawEmail: fill(size, 'to \n') },
		],
		'references: thousands': (size) => [
			header(
				'References',
				fill(size, (index) => `<${index}@example.com> `),
			),
			header('In-Reply-To', fill(size, '<a@b> ')),
			header(
				'References',
				fill(size, (index) => `<${'x'.repeat(300)}${index}@b> `),
			),
		],
		'references: angle brackets, commas and blanks': (size) => [
			header('References', fill(size, '<')),
			header('References', fill(size, '<a ')),
			header('References', fill(size, ' , ')),
			header('References', `a${fill(size, ' ')}b`),
		],
		'message ID: huge': (size) => [
			header('Message-ID', `<${fill(size, 'x')}>`),
			header('Message-ID', `<${fill(size, 'x')}`),
			header('Message-ID', `<${fill(size, '@')}>`),
			header('Content-ID', fill(size, '<')),
		],
		'date: huge': (size) => [
			header('Date', fill(size, 'Sat, ')),
			header('Date', fill(size, '(')),
			header('Date', fill(size, '1 ')),
		],
	}),
];

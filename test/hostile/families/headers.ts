import { email, fill, type Family } from '../family';

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
		{
			message: {
				id: '1',
				subject: 'Hello',
				from: `${value} <a@example.com>`,
				headers: { 'x-any': value },
			},
		},
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

export const HEADER_FAMILIES: Family[] = [
	{
		name: 'headers: one huge domain in another script',
		make: (size) => [
			header('From', `ada@${letters(size)}.example`),
			header('To', `ada@${letters(size)}.example`),
			header('Delivered-To', `ada@${letters(size)}.example`),
			header('Authentication-Results', `${letters(size)}.example; dmarc=pass`),
			{
				message: {
					id: '1',
					from: `ada@${letters(size)}.example`,
					to: `a@${letters(size)}.example`,
				},
			},
		],
	},
	{
		name: 'headers: marks on one letter',
		make: (size) => [
			header('Subject', marks(size)),
			header('From', `${marks(size)} <ada@example.com>`),
			header('From', `${marks(size)}@example.com`),
			header('To', `ada@${marks(size)}.example`),
			header('Content-Type', `application/pdf; name="${marks(size)}.pdf"`),
			header(
				'DKIM-Signature',
				`v=1; a=rsa-sha256; s=s; h=from; bh=x; b=x; d=${marks(size)}.example`,
			),
			{ message: { id: '1', subject: marks(size), from: `${marks(size)} <a@example.com>` } },
		],
	},
	{ name: 'headers: thousands', make: (size) => [lines(size, (index) => `X-${index}: value\r\n`)] },
	{ name: 'headers: thousands of one name', make: (size) => [lines(size, 'Received: by x\r\n')] },
	{
		name: 'headers: thousands of content types',
		make: (size) => [lines(size, 'Content-Type: text/plain\r\n')],
	},
	{
		name: 'headers: thousands that name a recipient',
		make: (size) => [
			lines(size, 'Delivered-To: not one\r\n'),
			lines(size, 'Received: by x for y; now\r\nDelivered-To: no\r\n'),
			header('Received', `by x ${fill(size, 'for <')}`),
			header('Received', `by x ${fill(size, '(for ')}`),
			header('Delivered-To', fill(size, '<a@')),
			header('X-Original-To', `a@${fill(size, 'b.')}`),
		],
	},
	{ name: 'headers: names without value', make: (size) => [lines(size, 'Content-Type\r\n')] },
	{ name: 'headers: empty values', make: (size) => [lines(size, 'X:\r\n')] },
	{ name: 'headers: one huge', make: (size) => [header('Subject', fill(size, 'word '))] },
	{
		name: 'headers: one huge without blanks',
		make: (size) => [header('Subject', fill(size, 'x'))],
	},
	{ name: 'headers: one huge name', make: (size) => [lines(size, 'x')] },
	{
		name: 'headers: blanks in a name',
		make: (size) => [{ rawEmail: email([`Content-Type${fill(size, ' ')}x: y`], 'Hello') }],
	},
	{
		name: 'headers: blanks within a value',
		make: (size) => [
			header('Subject', `a${fill(size, ' ')}b`),
			header('Content-Type', `text/plain${fill(size, ' ')}b`),
			header('X-Any', `a${fill(size, ' \t')}b`),
		],
	},
	{
		name: 'headers: folded without end',
		make: (size) => [
			header('Subject', fill(size, 'x\r\n ')),
			header('Content-Type', fill(size, 'x\r\n ')),
		],
	},
	{
		name: 'headers: folded over blank lines',
		make: (size) => [header('Subject', fill(size, '\r\n '))],
	},
	{
		name: 'headers: carriage returns',
		make: (size) => [
			header('Subject', fill(size, '\r')),
			{ rawEmail: `${fill(size, '\r')}\nX` },
			{ rawEmail: `From: a@example.com\n${fill(size, '\r')}x` },
		],
	},
	{
		name: 'headers: line breaks before the first',
		make: (size) => [
			{ rawEmail: fill(size, '\r\n') + email([], 'Hello') },
			{ rawEmail: fill(size, ' ') + email([], 'Hello') },
			{ rawEmail: fill(size, '\ufeff\n') },
		],
	},
	{
		name: 'headers: none, only text',
		make: (size) => [
			{ rawEmail: fill(size, 'word word\r\n') },
			{ rawEmail: fill(size, 'x') },
			{ rawEmail: fill(size, 'x-') },
			{ rawEmail: fill(size, 'x-a \t') },
			{ rawEmail: fill(size, 'to \n') },
		],
	},
	{ name: 'headers: colons', make: (size) => [lines(size, ':')] },
	{
		name: 'headers: control characters',
		make: (size) => [header('Subject', fill(size, '\x01\x02'))],
	},
	{ name: 'encoded words: base64', make: (size) => words(size, '=?utf-8?B?YWFh?= ') },
	{ name: 'encoded words: base64 with padding', make: (size) => words(size, '=?utf-8?B?YQ==?= ') },
	{
		name: 'encoded words: base64 that does not decode',
		make: (size) => words(size, '=?utf-8?B?/////w==?= '),
	},
	{ name: 'encoded words: quoted', make: (size) => words(size, '=?utf-8?Q?a=20b?= ') },
	{
		name: 'encoded words: quoted, halves of characters',
		make: (size) => words(size, '=?utf-8?Q?=C3?= =?utf-8?Q?=A4?= '),
	},
	{ name: 'encoded words: without blanks', make: (size) => words(size, '=?utf-8?Q?a?=') },
	{
		name: 'encoded words: one huge',
		make: (size) => [
			header('Subject', `=?utf-8?Q?${fill(size, '=20')}?=`),
			header('Subject', `=?utf-8?B?${fill(size, 'YWFh')}?=`),
		],
	},
	{
		name: 'encoded words: charsets that nobody knows',
		make: (size) => words(size, (index) => `=?x-${index}?Q?a?= `),
	},
	{ name: 'encoded words: beginnings', make: (size) => words(size, '=?') },
	{ name: 'encoded words: beginnings with charset', make: (size) => words(size, '=?utf-8?Q?') },
	{ name: 'encoded words: question marks', make: (size) => words(size, '?=') },
	{
		name: 'encoded words: blanks after equals',
		make: (size) => [
			header('Subject', `=?utf-8?Q?${fill(size, '= ')}?=`),
			header('Subject', `=?utf-8?Q?=${fill(size, ' ')}?=`),
		],
	},
	{ name: 'encoded words: languages', make: (size) => words(size, '=?utf-8*en?Q?a?= ') },
	{ name: 'encoded words: hidden line breaks', make: (size) => words(size, '=?utf-8?Q?=0D=0A?= ') },
	{
		name: 'encoded words: ISO-2022-JP',
		make: (size) => words(size, '=?iso-2022-jp?B?GyRCJDMbKEI=?= '),
	},
	{
		name: 'references: thousands',
		make: (size) => [
			header(
				'References',
				fill(size, (index) => `<${index}@example.com> `),
			),
		],
	},
	{
		name: 'references: angle brackets',
		make: (size) => [
			header('References', fill(size, '<')),
			header('References', fill(size, '<a ')),
			header('In-Reply-To', fill(size, '<a@b> ')),
		],
	},
	{
		name: 'references: commas and blanks',
		make: (size) => [
			header('References', fill(size, ' , ')),
			header('References', `a${fill(size, ' ')}b`),
		],
	},
	{
		name: 'message ID: huge',
		make: (size) => [
			header('Message-ID', `<${fill(size, 'x')}>`),
			header('Message-ID', `<${fill(size, 'x')}`),
			header('Message-ID', `<${fill(size, '@')}>`),
		],
	},
	{ name: 'content ID: huge', make: (size) => [header('Content-ID', fill(size, '<'))] },
	{
		name: 'date: huge',
		make: (size) => [
			header('Date', fill(size, 'Sat, ')),
			header('Date', fill(size, '(')),
			header('Date', fill(size, '1 ')),
		],
	},
];

import { email, fill, type Family, type Hostile } from '../family';

/** Addresses in every header that holds some, and in the service's record. */
function addressed(value: string): Hostile[] {
	return [
		{ rawEmail: email([`From: ${value}`], 'Hello') },
		{ rawEmail: email([`To: ${value}`, `Cc: x@example.com`], 'Hello') },
		{ message: { id: '1', from: value, subject: 'Hello', headers: { from: value } } },
	];
}

/** An object within itself, as deep as JSON of this size can be. */
function nestedObject(size: number, open: string, close: string, innermost: string): unknown {
	const depth = Math.floor(size / (open.length + close.length));
	return JSON.parse(open.repeat(depth) + innermost + close.repeat(depth));
}

const PIECES: Array<[name: string, value: string | ((size: number) => string)]> = [
	['thousands', 'Ada <ada@example.com>, '],
	['thousands without names', 'ada@example.com,'],
	['commas', ','],
	['semicolons', ';'],
	['colons', ':'],
	['groups within each other', 'g:'],
	[
		'groups within each other, closed',
		(size) => `${fill(size / 2, 'g:')}a@b${fill(size / 2, ';')}`,
	],
	['groups, one after the other', 'g: a@b, c@d;'],
	['groups of encoded words', '=?utf-8?Q?g?=: a@b;'],
	['quotes', '"'],
	['quoted names', '"Ada" '],
	['a quote that never ends', (size) => `"${fill(size, 'x')}`],
	['backslashes in quotes', (size) => `"${fill(size, '\\')}`],
	['comments', '(c) '],
	['comments within each other', '('],
	[
		'comments within each other, closed',
		(size) => `${fill(size / 2, '(')}${fill(size / 2, ')')}a@b`,
	],
	['angle brackets', '<'],
	['closing angle brackets', '>'],
	['angle brackets with signs', '<@'],
	['routes', '<@a,@b:c@d>,'],
	['names before commas', 'Smith, '],
	['names before commas and an address', (size) => `${fill(size, 'Smith, ')}Bob <a@b>`],
	['domain literals', 'a@[IPv6:1:2'],
	['at signs', '@'],
	['at signs and blanks', 'a@ '],
	['words', 'word '],
	['words with signs', 'a@b@c '],
	['blanks', (size) => `a${fill(size, ' ')}b@c`],
	['one huge address', (size) => `<${fill(size, 'x')}@example.com>`],
	['one huge address without brackets', (size) => `${fill(size, 'x')}@example.com`],
	['dots', (size) => `${fill(size, '.')}@${fill(size, '.')}`],
	['addresses in encoded words', '=?utf-8?Q?=3Ca@b=3E?= '],
	['addresses in encoded words, with commas', '=?utf-8?Q?=3Ca@b=3E?=, '],
	['lists in one encoded word', (size) => `=?utf-8?Q?${fill(size, '=3Ca@b=3E,')}?=`],
];

export const ADDRESS_FAMILIES: Family[] = [
	...PIECES.map(([name, value]) => ({
		name: `addresses: ${name}`,
		make: (size: number) => addressed(typeof value === 'string' ? fill(size, value) : value(size)),
	})),
	{
		name: 'addresses: lists within each other in the record',
		make: (size) => [
			{ message: { id: '1', from: nestedObject(size, '[', ']', '"a@b"'), to: 'c@d' } },
		],
	},
	{
		name: 'addresses: objects within each other in the record',
		make: (size) => [
			{ message: { id: '1', from: nestedObject(size, '{"value":', '}', '"a@b"'), to: 'c@d' } },
			{ message: { id: '1', to: nestedObject(size, '{"group":[', ']}', '"a@b"') } },
			{ message: { id: '1', to: { name: nestedObject(size, '[', ']', '1'), address: 'a@b' } } },
			{
				message: {
					id: '1',
					subject: nestedObject(size, '[', ']', '1'),
					references: nestedObject(size, '[', ']', '"<a@b>"'),
				},
			},
		],
	},
	{
		name: 'addresses: thousands in the record',
		make: (size) => [
			{
				message: {
					id: '1',
					to: Array.from({ length: size / 10 }, (_, index) => ({ email: `a${index}@b` })),
				},
			},
			{
				message: {
					id: '1',
					to: Array.from({ length: size / 10 }, (_, index) => `"A" <a${index}@b>`),
				},
			},
		],
	},
];

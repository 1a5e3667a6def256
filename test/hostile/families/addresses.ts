import { around, email, familiesOf, fill, nest, record, toFamilies } from '../support/family';
import type { Family, Hostile, Rows } from '../support/family';

/** Addresses in every header that contains some, and in the service's record. */
const addressed = (value: string): Hostile[] => [
	{ rawEmail: email([`From: ${value}`], 'Hello') },
	{ rawEmail: email([`To: ${value}`, `Cc: x@example.com`], 'Hello') },
	{ rawEmail: email([`Reply-To: ${value}`], 'Hello') },
	record({ from: value, subject: 'Hello', headers: { from: value } }),
];

const nested = (size: number, open: string, close: string, innermost: string): unknown =>
	JSON.parse(nest(size, open, close, innermost));

const PIECES: Rows = [
	['thousands', 'Ada <ada@example.com>, '],
	['commas', ','],
	['colons', ':'],
	['groups within each other', 'g:'],
	['groups within each other, closed', (size) => nest(size, 'g:', ';', 'a@b')],
	['quotes', '"'],
	['a quote that never ends', around('"', 'x')],
	['backslashes in quotes', around('"', '\\')],
	['comments', '(c) '],
	['comments within each other', '('],
	['comments within each other, closed', (size) => nest(size, '(', ')', 'a@b')],
	['angle brackets', '<'],
	['routes', '<@a,@b:c@d>,'],
	['names before commas and an address', around('', 'Smith, ', 'Bob <a@b>')],
	['domain literals', 'a@[IPv6:1:2'],
	['at signs', '@'],
	['blanks', around('a', ' ', 'b@c')],
	['one huge address', around('<', 'x', '@example.com>')],
	['dots', (size) => `${fill(size, '.')}@${fill(size, '.')}`],
	['addresses in encoded words, with commas', '=?utf-8?Q?=3Ca@b=3E?=, '],
	['lists in one encoded word', around('=?utf-8?Q?', '=3Ca@b=3E,', '?=')],
];

export const ADDRESS_FAMILIES: Family[] = [
	...familiesOf('addresses', PIECES, addressed),
	...toFamilies({
		'addresses: lists within each other in the record': (size) => [
			record({ from: nested(size, '[', ']', '"a@b"'), to: 'c@d' }),
			record({ references: nested(size, '[', ']', '"<a@b>"') }),
		],
		'addresses: objects within each other in the record': (size) => [
			record({ from: nested(size, '{"value":', '}', '"a@b"'), to: 'c@d' }),
			record({ to: nested(size, '{"group":[', ']}', '"a@b"') }),
			record({ to: { name: nested(size, '[', ']', '1'), address: 'a@b' } }),
		],
		'addresses: thousands in the record': (size) => [
			record({ to: Array.from({ length: size / 10 }, (_, index) => ({ email: `a${index}@b` })) }),
			record({ to: Array.from({ length: size / 10 }, (_, index) => `"A" <a${index}@b>`) }),
		],
	}),
];

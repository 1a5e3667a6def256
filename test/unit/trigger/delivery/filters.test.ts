import { openEmail } from '../../../reading';
import {
	failedFilter,
	filterProblem,
} from '../../../../nodes/EmailIdentity/trigger/delivery/filters';
import type { Filters } from '../../../../nodes/EmailIdentity/trigger/options';

const FROM_ZOE = { from: '=?utf-8?Q?Zo=C3=AB_Sender?= <zoe.s@mail.example.com>' };

const email = ({ from = 'Ada <ada@example.com>', to = 'B <b@b.b>', subject = 'Hello' }) =>
	[`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, '', 'Hi'].join('\r\n');

const failing = async (filters: Filters, parts: Parameters<typeof email>[0]) =>
	(await failedFilter({ filters, senderCheck: 'off' }, await openEmail(email(parts)), null))?.filter;

test.each<[string, string, Parameters<typeof email>[0], boolean]>([
	['a name', 'Zoë Sender', FROM_ZOE, true],
	['part of a name', 'sender', FROM_ZOE, true],
	['a name in other letters', 'ZOË  SENDER', FROM_ZOE, true],
	['a name composed otherwise', 'Zoë Sender'.normalize('NFD'), FROM_ZOE, true],
	['another name', 'Zora', FROM_ZOE, false],
	['a name that looks alike', 'Zoë Ѕender', FROM_ZOE, false],
	['a name among addresses', 'a@b.c, zoë', FROM_ZOE, true],
	['a name with a comma', '"Sender, Zoë"', { from: '"Sender, Zoë" <z@z.example>' }, true],
	['what stands before the @', 'noreply', { from: 'noreply@example.com' }, true],
	['an address, name and all', 'Zoë Sender <zoe.s@mail.example.com>', FROM_ZOE, true],
	['a domain below another', '.example.com', FROM_ZOE, true],
	['a domain with a dot at its end', 'mail.example.com.', FROM_ZOE, true],
	[
		'a domain is no part of a name',
		'bank.example',
		{ from: '"bank.example" <eve@evil.example>' },
		false,
	],
	[
		'an address is no part of a name',
		'ada@bank.example',
		{ from: '"ada@bank.example" <e@e.example>' },
		false,
	],
	[
		'an address in quotation marks',
		'"ada@bank.example"',
		{ from: '"ada@bank.example" <e@e.example>' },
		false,
	],
	[
		'a pattern for addresses, which is none for names',
		'*@bank.example',
		{ from: '"ada@bank.example" <eve@evil.example>' },
		false,
	],
	['a name that is nearly a domain', 'team.co1', { from: '"The Team.co1" <e@e.example>' }, true],
	['a pattern for names', 'zoë*', FROM_ZOE, true],
	['several on lines', 'x@y.z\r\nSender', FROM_ZOE, true],
	['several with semicolons', 'x@y.z; mail.example.com', FROM_ZOE, true],
])('From with %s', async (_what, written, parts, expected) => {
	expect(await failing({ from: written }, parts)).toBe(expected ? undefined : 'From');
	expect(await failing({ excludeFrom: written }, parts)).toBe(
		expected ? 'Exclude From' : undefined,
	);
	expect(filterProblem({ from: written, excludeFrom: written })).toBeUndefined();
});

test.each([
	['evil.example', 'eve@EVIL.example'],
	['evil.example', 'eve@ev\u00ADil.example'],
	['evil.example', 'eve@evil\u3002example'],
	['evil.example', 'eve@evil\uFF0Eexample'],
	['evil.example', 'eve@\uFF45vil.example'],
	['evil.example', 'eve@evil.example.'],
	['eve@evil.example', 'eve@ev\u00ADil.example.'],
	['*@evil.example', 'eve@ev\u00ADil.example'],
	['*.evil.example', 'eve@mail.ev\u00ADil.example'],
	['bücher.example', 'eve@xn--bcher-kva.example'],
	['xn--bcher-kva.example', 'eve@bücher.example'],
	['*.bücher.example', 'eve@mail.xn--bcher-kva.example'],
])('Exclude From "%s" excludes %s', async (excludeFrom, address) => {
	expect(await failing({ excludeFrom }, { from: `Eve <${address}>` })).toBe('Exclude From');
});

test('Exclude From passes an email without a sender', async () => {
	const opened = await openEmail('Subject: Hello\r\n\r\nHi');
	expect(
		await failedFilter(
			{ filters: { excludeFrom: 'example.com' }, senderCheck: 'off' },
			opened,
			null,
		),
	).toBeUndefined();
});

test.each<[string, string, string, boolean]>([
	['one of several', 'receipt, invoice', 'Your invoice', true],
	['none of several', 'receipt, invoice', 'Hello', false],
	['what is excluded', 'invoice, -reminder', 'Reminder: invoice', false],
	['nothing that is excluded', 'invoice, -reminder', 'Invoice 4', true],
	['only exclusions', '-newsletter, -"sales, weekly"', 'Hello', true],
	['one of only exclusions', '-newsletter, -"sales, weekly"', 'Sales, weekly', false],
	['a comma in quotation marks', '"hello, world"', 'Hello, World!', true],
	['a comma in quotation marks, otherwise', '"hello, world"', 'Hello', false],
	['a star', 'invoice*2026', 'Invoice of 3 May 2026', true],
	['a star in quotation marks', '"5*"', 'Room 5', false],
	['a sign in quotation marks', '"-5"', 'Now -5 degrees', true],
	['quotation marks at its end alone', 'size "L"', 'A prize "L', false],
	['quotation marks at its end alone, as written', 'size "L"', 'In size "L"', true],
])('Subject Contains with %s', async (_what, written, subject, expected) => {
	expect(await failing({ subject: written }, { subject })).toBe(
		expected ? undefined : 'Subject Contains',
	);
	expect(filterProblem({ subject: written })).toBeUndefined();
});

test.each<[Filters, RegExp]>([
	[{ from: '*@' }, /From can never match: "\*@" has nothing after the @\. Write an address/],
	[{ from: '@' }, /"@" has nothing after the @/],
	[{ from: 'ada @example.com' }, /"ada @example\.com" is an address with a blank in it/],
	[{ from: 'a@b@c' }, /"a@b@c" has more than one @/],
	[{ from: 'a@b..c' }, /"a@b\.\.c" has no such domain/],
	[{ from: '*.pdf' }, /"\*\.pdf" names a file, which is for the filter Attachments/],
	[
		{ from: '-ada@example.com' },
		/has a - before it\. To leave senders out, use the filter Exclude From/,
	],
	[{ from: 'https://example.com' }, /is the address of a page/],
	[{ from: '...' }, /"\.\.\." is neither an address nor a name/],
	[{ from: 'x@y.z, "Sender, Zoë' }, /From can never match: a quotation mark is missing/],
	[{ excludeFrom: '@' }, /Exclude From/],
	[{ to: 'a@b@c' }, /The filter To /],
	[{ subject: '-' }, /Subject Contains can never match: there is nothing after a -/],
	[{ subject: 'invoice, -inv' }, /"invoice" is also excluded/],
	[
		{ attachments: 'image/' },
		/"image\/" is neither a type nor the name of a file\. Write an ending/,
	],
	[{ attachments: 'a/b/c.pdf' }, /Attachments can never match/],
	[{ attachments: 'invoice?.pdf' }, /no file has \? in its name/],
	[{ attachments: '-*.exe' }, /nothing can be excluded here/],
	[{ attachments: '.' }, /is no name of a file/],
])('%j can never match, and the error says what to write', (filters, problem) => {
	expect(filterProblem(filters)).toMatch(problem);
});

test('filters that are empty or not set have no problem', () => {
	expect(filterProblem({})).toBeUndefined();
	expect(filterProblem({ from: ' ', to: ',', subject: '', hasAttachments: false })).toBeUndefined();
});

import { rows } from '../../../support/rows';
import { matchesAnyAddress } from '../../../../nodes/EmailIdentity/trigger/settings/addressPatterns';
import { filterProblem } from '../../../../nodes/EmailIdentity/trigger/settings/checkSettings';
import { FILTER_FIELDS } from '../../../../nodes/EmailIdentity/trigger/settings/collections';
import { failedFilters } from '../../../../nodes/EmailIdentity/trigger/settings/filters';
import { withEmail } from '../../../../nodes/EmailIdentity/shared/reading/messageWithEmail';
import type {
	DeliveryParameters,
	Filters,
} from '../../../../nodes/EmailIdentity/trigger/settings/settings';
import { outcomeOf, PARAMETERS } from '../delivery/support/requests';

const ADA = 'Ada <ada@example.com>';
const ZOE = '=?utf-8?Q?Zo=C3=AB_Sender?= <zoe.s@mail.example.com>';

async function failing(
	filters: Filters,
	header: Record<string, string> = {},
	senderCheck: DeliveryParameters['senderCheck'] = 'off',
): Promise<string | undefined> {
	const fields = { From: ADA, To: 'inbox@example.org', Subject: 'Hello', ...header };
	const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
	const message = { deliveredTo: 'bcc@example.net' };
	const received = { id: null, message, rawEmail: `${lines.join('')}\r\nHi` };
	const email = withEmail(received, async () => await Promise.resolve());
	const parameters = { ...PARAMETERS, filters, senderCheck };
	const failed = await failedFilters(email, parameters);
	return failed.map(({ filter }) => filter).join() || undefined;
}

const cases = (passing: string, others: string) => {
	const of = (table: string, does: string) =>
		rows(table).map(([written = '', compared = '']) => [written, does, compared]);
	return [...of(passing, 'passes'), ...of(others, 'does not pass')];
};

const FOR_SENDER = `
	ada@example.com             | ${ADA}
	ADA@Example.COM             | ${ADA}
	example.com                 | ${ADA}
	@example.com                | ${ADA}
	*.example.com               | a@mail.example.com
	.example.com                | ${ZOE}
	mail.example.com.           | ${ZOE}
	a*@example.*                | ${ADA}
	ada*                        | ${ADA}
	*                           | ${ADA}
	x@y.z, ada@example.com      | ${ADA}
	x@y.z; mail.example.com     | ${ZOE}
	Zoë Sender                  | ${ZOE}
	sender                      | ${ZOE}
	ZOË  SENDER                 | ${ZOE}
	${'Zoë Sender'.normalize('NFD')} | ${ZOE}
	a@b.c, zoë                  | ${ZOE}
	zoë*                        | ${ZOE}
	Zoë Sender <zoe.s@mail.example.com> | ${ZOE}
	"Sender, Zoë"               | "Sender, Zoë" <z@z.example>
	noreply                     | noreply@example.com
	exam*                       | ${ADA}
	"Bank.example"              | "The Bank.example" <e@e.example>
	team.co1                    | "The Team.co1" <e@e.example>
	evil.example                | Eve <eve@EVIL.example>
	evil.example                | Eve <eve@ev\u00ADil.example>
	evil.example                | Eve <eve@evil\u3002example>
	evil.example                | Eve <eve@evil.example.>
	eve@evil.example            | Eve <eve@ev\u00ADil.example.>
	*.evil.example              | Eve <eve@mail.ev\u00ADil.example>
	bücher.example              | Eve <eve@xn--bcher-kva.example>
	*.bücher.example            | Eve <eve@mail.xn--bcher-kva.example>`;

/** Anyone can write an address or a domain into a display name. */
const NOT_FOR_SENDER = `
	bob@example.com             | ${ADA}
	ample.com                   | ${ADA}
	*.example.com               | ${ADA}
	x@y.z; y.z                  | ${ADA}
	Zora                        | ${ZOE}
	Zoë Ѕender                  | ${ZOE}
	bank.example                | "bank.example" <eve@evil.example>
	ada@bank.example            | "ada@bank.example" <eve@evil.example>
	"ada@bank.example"          | "ada@bank.example" <eve@evil.example>
	*@bank.example              | "ada@bank.example" <eve@evil.example>`;

test.each([...cases(FOR_SENDER, NOT_FOR_SENDER), ['x@y.z\r\nSender', 'passes', ZOE]])(
	'From with %s %s %s, and From Excludes does the opposite',
	async (written, does, From = '') => {
		const isListed = does === 'passes';
		expect(await failing({ from: written }, { From })).toBe(isListed ? undefined : 'From');
		expect(await failing({ excludeFrom: written }, { From })).toBe(
			isListed ? 'From Excludes' : undefined,
		);
		expect(filterProblem({ from: written })).toBeUndefined();
		expect(filterProblem({ excludeFrom: written })).toBeUndefined();
		const both = { from: written, excludeFrom: written };
		expect(filterProblem(both)).toContain('is also excluded, by');
	},
);

test('From Excludes passes an email without a sender', async () => {
	expect(await failing({ excludeFrom: 'example.com' }, { From: '' })).toBeUndefined();
});

const FOR_PROVED = `
	ada@example.com        | ada@example.com
	ada@example.com        | ADA@Example.COM
	Ada <ada@example.com>  | ada@example.com
	bob@example.com, ada@example.com | ada@example.com
	example.com            | anybody@example.com
	@example.com           | anybody@example.com
	*.example.com          | ada@mail.example.com
	*@example.com          | ada@example.com
	invoices-*@example.com | invoices-42@example.com
	bücher.example         | ada@xn--bcher-kva.example
	xn--bcher-kva.example  | ada@bücher.example
	*.bücher.example       | ada@mail.xn--bcher-kva.example
	ada@bücher.example     | ada@BÜCHER.example`;

const NOT_FOR_PROVED = `
	ada@example.com        | eve@example.com
	example.com            | ada@mail.example.com
	example.com            | ada@example.com.evil.example
	example.com            | ada@evilexample.com
	*@example.com          | "x@example.com"@evil.example
	ada@example.com        | ada@example.com@evil.example
	paypal.com             | service@раураl.com
	kate@example.com       | \u212Aate@example.com
	example.com            | example.com
	*@*                    |
	Ada                    | ada@evil.example
	"ada@example.com"      | ada@evil.example
	ada*                   | ada@evil.example
	*example*              | ada@evil.example`;

test.each(cases(FOR_PROVED, NOT_FOR_PROVED))(
	'with Sender Check set to Require, From with %s %s %s',
	(from = '', does, address = '') => {
		const sender = { name: 'Ada ada@example.com example', address };
		expect(matchesAnyAddress(from, [sender], true)).toBe(does === 'passes');
	},
);

test.each(rows(FOR_PROVED))('with Sender Check set to Require, %s in From is published', (from) => {
	expect(filterProblem({ from }, { senderCheck: 'require' })).toBeUndefined();
});

test.each(['Ada Lovelace', 'ada@example.com, Ada', 'ada*', '"Lovelace, Ada"'])(
	'with Sender Check set to Require, publishing refuses the name %s in From',
	(from) => {
		expect(filterProblem({ from }, { senderCheck: 'require' })).toMatch(
			/names can be forged.*ada@example\.com/,
		);
		expect(
			filterProblem({ from: 'example.com', excludeFrom: from }, { senderCheck: 'require' }),
		).toBeUndefined();
	},
);

const crowd = Array.from({ length: 5000 }, (_, index) => `${index}@a.a`).join(',\r\n ');

test.each([
	['inbox@example.org', {}, true],
	['nobody@example.org', {}, false],
	['b@b.b', { To: 'A <a@a.a>, B <b@b.b>' }, true],
	['copy@c.c', { Cc: 'copy@c.c' }, true],
	['bcc@example.net', {}, true],
	['last@b.b, *@*.c', { To: `${crowd}, last@b.b` }, false],
])('To with %s', async (to, header, expected) => {
	expect(await failing({ to }, header)).toBe(expected ? undefined : 'To');
});

const FOR_SUBJECT = `
	hell                              | Hello
	GRÜSSE                            | =?utf-8?B?R3LDvHNzZSBhdXMgS8O2bG4=?=
	receipt, invoice                  | Your invoice
	"hello, world"                    | Hello, World!
	invoice*2026                      | Invoice of 3 May 2026
	"-5"                              | Now -5 degrees
	size "L"                          | In size "L"`;

const NOT_FOR_SUBJECT = `
	receipt, invoice                  | Hello
	"sales, weekly"                   | Sales weekly
	"hello, world"                    | Hello
	"5*"                              | Room 5
	size "L"                          | A prize "L`;

test.each(cases(FOR_SUBJECT, NOT_FOR_SUBJECT))(
	'Subject Contains with %s %s %s, and Subject Excludes does the opposite',
	async (subject, does, Subject = '') => {
		const passes = does === 'passes';
		expect(await failing({ subject }, { Subject })).toBe(passes ? undefined : 'Subject Contains');
		expect(await failing({ excludeSubject: subject }, { Subject })).toBe(
			passes ? 'Subject Excludes' : undefined,
		);
		expect(filterProblem({ subject })).toBeUndefined();
		expect(filterProblem({ excludeSubject: subject })).toBeUndefined();
	},
);

test.each<[Filters, string | undefined, string?]>([
	[{}, undefined],
	[{ hasAttachments: true }, 'Has Attachments'],
	[{ hasAttachments: true }, undefined, 'attachment'],
	[{ hasAttachments: false }, 'Has Attachments', 'attachment'],
	[{ hasAttachments: false }, undefined],
	[{ from: 'example.com', subject: 'hello', hasAttachments: false }, undefined],
	[{ from: 'example.com', subject: 'other' }, 'Subject Contains'],
])(
	'of the filters %j, the first that does not match is %s',
	async (filters, failed, disposition = 'inline') => {
		expect(await failing(filters, { 'Content-Disposition': disposition })).toBe(failed);
	},
);

const EMPTY = ['', ' \t', ' , ;\n', '""', '" ", ""'];

describe.each(EMPTY)('an added filter with the value %j', (value) => {
	test.each([
		['From', { from: value }],
		['To', { to: value }],
		['Subject Contains', { subject: value }],
		['Attachments', { attachments: value }],
	])('in %s passes no email, and publishing refuses it', async (label, filters) => {
		expect(await failing(filters, { 'Content-Disposition': 'attachment' })).toBe(label);
		expect(filterProblem(filters)).toMatch(
			new RegExp(`^The filter '${label}' is empty\\. Enter .* or remove`),
		);
	});

	test.each([
		['From Excludes', { excludeFrom: value }],
		['Subject Excludes', { excludeSubject: value }],
	])('in %s excludes no email, and publishing refuses it', async (label, filters) => {
		expect(await failing(filters)).toBeUndefined();
		expect(filterProblem(filters)).toMatch(new RegExp(`^The filter '${label}' is empty`));
	});
});

test('Has Attachments without a readable value passes no email', async () => {
	expect(await failing({ hasAttachments: null })).toBe('Has Attachments');
});

test('an email without raw email is filtered by the fields of the message', async () => {
	const answers = ['ada@example.com', 'eve@evil.example'].map(async (address) => {
		const message = { from: { text: address, value: [{ name: '', address }] } };
		const parameters = { filters: { from: 'ada@example.com' } };
		return await outcomeOf({ message, rawEmail: '', parameters });
	});
	expect(await Promise.all(answers)).toEqual(['started', 'filtered']);
});

const COVERED = `
	ada@example.com        | example.com
	ada@example.com        | eve@evil.example, ada*
	ada@example.com        | *@example.*
	noreply@example.com    | noreply
	example.com            | *.com
	*.example.com          | *.com
	*@example.com          | @example.com
	bücher.example         | *@xn--bcher-kva.example
	Ada Lovelace           | lovelace
	ada*                   | *`;

const NOT_COVERED = `
	ada@example.com        | bob@example.com
	example.com            | ada@example.com
	example.com            | noreply
	*.example.com          | mail.example.com
	*@example.com          | a*@example.com
	Lovelace               | Ada Lovelace
	Ada Lovelace           | ada@example.com
	ada*                   | *@example.com
	*                      | *@*`;

test.each(rows(COVERED))(
	'publishing refuses %s in From, because %s in From Excludes excludes all of it',
	(from, excludeFrom) => {
		const problem = filterProblem({ from: `x@y.z, ${from}`, excludeFrom });
		expect(problem).toMatch(/^The filter 'From' can never match: .* 'From Excludes'. Remove one/);
	},
);

test.each(rows(NOT_COVERED))(
	'%s in From is published with %s in From Excludes, which leaves some of it',
	(from, excludeFrom) => {
		expect(filterProblem({ from, excludeFrom })).toBeUndefined();
	},
);

test.each([
	['invoice', 'invoice', true],
	['Invoice', 'voice', true],
	['invoice*2026', 'invoice', true],
	['"invoice*"', 'in*ice', true],
	['invoice', '"invoice 2026"', false],
	['invoice', 'invoice*2026', false],
	['invoice*', '"invoice*"', false],
])(
	'publishing with %s in Subject Contains and %s in Subject Excludes is refused: %j',
	(subject, excludeSubject, isRefused) => {
		const problem = filterProblem({ subject, excludeSubject });
		expect(problem?.includes('is also excluded')).toBe(isRefused || undefined);
	},
);

const NEVER = `
	From             | *@                | neither an address nor a name. Enter an address
	From             | ada @example.com  | neither
	From             | a@b@c             | neither
	From             | https://example.com | neither
	From             | Ada <>            | neither
	From             | -ada@example.com  | Use the filter 'From Excludes'
	From             | x@y.z, "Sender, Zoë | a closing quotation mark is missing
	From Excludes     | @                 | neither
	To               | a@b@c             | neither
	Subject Contains | -reminder         | belong in 'Subject Excludes'
	Subject Excludes | -reminder         | starts with a -
	Attachments      | image/            | neither a file type nor a file name. Enter an extension
	Attachments      | -*.exe            | "-*.exe" starts with a -, but this filter cannot exclude attachments`;

test.each(rows<[string, string, string]>(NEVER))(
	'publishing refuses %s with %s, which can never match, and says what to enter',
	(label, written, says) => {
		const named = Object.entries(FILTER_FIELDS).find(
			([, { field }]) => field.displayName === label,
		);
		const [name = ''] = named ?? [];
		const problem = filterProblem({ [name]: written });
		expect(problem).toMatch(new RegExp(`^The filter '${label}' can never match: `));
		expect(problem).toContain(says);
		expect(filterProblem({ [name]: written }, { senderCheck: 'require' })).toBe(problem);
	},
);

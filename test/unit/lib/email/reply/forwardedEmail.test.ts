import { openEmail, splitEmail, type Email } from '../../../../../lib/email';
import { readEmail } from '../../../../support/reading';

type Forwarded = NonNullable<Email['thread']['forwarded']>;

const USUAL = { attachments: false, headers: false, binaryPrefix: '' };

const ADA = { name: 'Ada Lovelace', address: 'ada@example.org' };
const SALES = { name: '', address: 'sales@example.com' };

const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

const rawEmail = (subject: string, body: string, ...headers: string[]) =>
	[
		'From: Grace <grace@example.com>',
		`Subject: ${encoded(subject)}`,
		...headers,
		'Content-Type: text/plain; charset=utf-8',
		'Content-Transfer-Encoding: base64',
		'',
		Buffer.from(body).toString('base64'),
	].join('\r\n');

const forwardedBy = async (raw: string): Promise<Forwarded | null> =>
	(await readEmail(raw, undefined, USUAL)).email.thread.forwarded;

const inText = async (subject: string, body: string, ...headers: string[]) =>
	await forwardedBy(rawEmail(subject, body, ...headers));

const HEADER = `From: Ada Lovelace <ada@example.org>
Date: Mon, Nov 23, 2026 at 10:00 AM
Subject: Offer
To: <sales@example.com>`;

const OFFER = { from: ADA, to: [SALES], cc: [], subject: 'Offer', date: null };

test.each([
	['Gmail', 'Fwd: Offer', `---------- Forwarded message ---------\n${HEADER}\n\nWhich day?`],
	[
		'Gmail, with a subject of its own',
		'Please read',
		`Hello.\n\n---------- Forwarded message ---------\n${HEADER}`,
	],
	[
		'Apple Mail',
		'Fwd: Offer',
		`Begin forwarded message:\n\n${HEADER.replace(/^/gm, '> ')}\n>\n> Which day?`,
	],
	[
		'Apple Mail, all of it quoted',
		'Offer',
		`> Begin forwarded message:\n>\n${HEADER.replace(/^/gm, '> ')}`,
	],
	[
		'Outlook without a rule',
		'WG: Offer',
		'Bitte.\n\nVon: Ada Lovelace <ada@example.org>\nGesendet: Montag\nAn: sales@example.com\nBetreff: Offer\nWhich day?',
	],
	[
		'Outlook on the web, with links',
		'FW: Offer',
		'________________________________\nFrom: Ada Lovelace<mailto:ada@example.org> <ada@example.org<mailto:ada@example.org>>\nSent: Monday\nTo: sales@example.com <sales@example.com>\nSubject: Offer',
	],
	[
		'Outlook in a language without labels',
		'FW: Offer',
		'________________________________\nNuo: Ada Lovelace <ada@example.org>\nIšsiųsta: 2026\nTo: sales@example.com\nTema: Offer',
	],
	[
		'Outlook 2010',
		'FW: Offer',
		'-----Original Message-----\nFrom: Ada Lovelace [mailto:ada@example.org]\nSent: Monday\nTo: sales@example.com\nSubject: Offer',
	],
	[
		'Samsung Email, on one line',
		'Fwd: Offer',
		'See below.\n-------- Original message --------From: Ada Lovelace <ada@example.org> Date: 23/11/2026  10:00  (GMT+01:00) To: sales@example.com Subject: Offer \nWhich day?',
	],
	[
		'Yahoo Mail, on one line without blanks',
		'Fw: Offer',
		' ----- Přeposlaná zpráva ----- Od: Ada Lovelace <ada@example.org>Komu: "sales@example.com" <sales@example.com>Datum: pondělí 10:00 SEČPředmět: Offer\n Which day?',
	],
	[
		'Thunderbird, with a folded subject and other fields',
		'Fwd: Offer',
		'-------- Forwarded Message --------\nSubject: \tOffer\nDate: \tMon, 23 Nov 2026 10:00:00 +0100\nFrom: \tAda Lovelace <ada@example.org>\nReply-To: \tother@example.org\nTo: \tsales@example.com',
	],
	[
		'a phone that writes empty lines into the header',
		'Fwd: Offer',
		'-----Original Message-----\nFrom: "Ada Lovelace" <ada@example.org>\n\nDate: Sat, 22 Nov 2026\nTo:<sales@example.com>\n\nSubject: Offer\n\nWhich day?',
	],
	['nothing above the header', 'Fwd: Offer', HEADER],
])('the header of a forwarded email is read: %s', async (_name, subject, body) => {
	expect(await inText(subject, body)).toEqual(OFFER);
});

test.each([
	['"Ada <ada@example.org>" <bob@example.com>'],
	['Ada <ada@example.org> <bob@example.com>'],
	['"Ada (ada@example.org)" <bob@example.com>'],
	['Ada [ada@example.org] [mailto:bob@example.com]'],
	['Ada <ada@example.org>, Sales <bob@example.com>'],
	['<ada@example.org>Ada <bob@example.com>'],
	['ada@example.org (bob@example.com)'],
	['ada@example.org<mailto:bob@example.com>'],
	['Ada <ada@example.org> on behalf of Bob <bob@example.com>'],
	['Ada <ada@example.org> on behalf of bob@example.com<mailto:bob@example.com>'],
	['A > B Ltd <bob@example.com>'],
	['bob@example.com (Ada)'],
])(
	'the address of the sender is the last one, because a name may have others: %s',
	async (from) => {
		const header = HEADER.replace('Ada Lovelace <ada@example.org>', from);
		const forwarded = await inText(
			'Fwd: Offer',
			`---------- Forwarded message ---------\n${header}`,
		);
		expect(forwarded).toMatchObject({ from: { address: 'bob@example.com' } });
	},
);

test('a text directly below the sender is not the sender', async () => {
	const header = 'Date: Monday\nSubject: Offer\nFrom: Bob <bob@example.com>\n<ada@example.org>';
	expect(await inText('Fwd: Offer', header)).toMatchObject({
		from: { address: 'bob@example.com' },
	});
});

test('a name in front of the address has all its words', async () => {
	const header = HEADER.replace('Ada Lovelace <ada', 'A > B Ltd <info');
	expect(await inText('Fwd: Offer', header)).toMatchObject({
		from: { name: 'A > B Ltd', address: 'info@example.org' },
	});
});

test.each([
	['"x>"@example.com', '<"x>"@example.com>'],
	['an address of two at signs', '<x@y@example.com>'],
])('without a plain address at the end, none is known: %s', async (_name, address) => {
	const header = HEADER.replace(
		'Ada Lovelace <ada@example.org>',
		`Ada <ada@example.org> ${address}`,
	);
	expect(await inText('Fwd: Offer', header)).toMatchObject({ from: { address: null } });
});

test.each([
	['"Ada <ada@example.org>" <bob@example.com> wrote:', 'bob@example.com'],
	['Ada <ada@example.org> <bob@example.com> wrote:', 'bob@example.com'],
	['Bob <bob@example.com> wrote: Hello <ada@example.org>', undefined],
	['Ada <ada@example.org> wrote: Hello <bob@example.com> wrote:', undefined],
])('words of others are no sender of an attribution: %s', async (words, address) => {
	const forwarded = await inText('FW: Offer', `On 23/11/2026 10:00, ${words}\n\n${HEADER}`);
	expect(forwarded?.from?.address).toBe(address);
});

test.each([
	['On 23/11/2026 10:00, "Ada Lovelace" <ada@example.org> wrote:'],
	['Le 23/11/2026 10:00, « Ada Lovelace » <ada@example.org> a écrit :'],
	['Ada Lovelace <ada@example.org> kirjoitti 23/11/2026 10.00:'],
	['23/11/2026 10:00 időpontban Ada Lovelace (ada@example.org) ezt írta:'],
	['On Mon, Nov 23, 2026 at 10:00 AM Ada Lovelace <ada@example.org> wrote:'],
])('the sender is read from an attribution: %s', async (line) => {
	const none = { to: [], cc: [], subject: null, date: null };
	expect(await inText('FW: Offer', `\uFEFF${line}\n\n    Which day?`)).toEqual({
		from: ADA,
		...none,
	});
});

test('a name in an attribution may be in single quotation marks and have an apostrophe', async () => {
	const line = "On 23/11/2026 10:00, 'Ada O'Brien' <ada@example.org> wrote:";
	expect(await inText('FW: Offer', `${line}\n\n> Which day?`)).toMatchObject({
		from: { name: "Ada O'Brien", address: 'ada@example.org' },
	});
});

test('a folded subject with a colon behind more words than a label has is whole', async () => {
	const folded = 'for all of the summer in a town by the sea: rooms';
	const header = HEADER.replace('Subject: Offer', `Subject: Offer\n${folded}`);
	const forwarded = await inText('FW: Offer', `---------- Forwarded message ---------\n${header}`);
	expect(forwarded).toMatchObject({ subject: `Offer ${folded}` });
});

test('people of a forwarded email have the name and address that its header shows', async () => {
	const forwarded = await inText(
		'FW: Offer',
		`From: Lovelace, Ada
Sent: Monday
Subject: Offer for two
 lines and a bit
Importance: High
To: Doe, John; 'Hopper, Grace' <grace@example.com>; bob@example.com <bob@example.com>;
 Zoë (Sales)
Cc: undisclosed-recipients:; Smith, Al [mailto:al@example.com]; /o=Example/cn=zoe

Which day?`,
	);
	expect(forwarded).toEqual({
		from: { name: 'Lovelace, Ada', address: null },
		to: [
			{ name: 'Doe, John', address: null },
			{ name: 'Hopper, Grace', address: 'grace@example.com' },
			{ name: '', address: 'bob@example.com' },
			{ name: 'Zoë (Sales)', address: null },
		],
		cc: [
			{ name: 'Smith, Al', address: 'al@example.com' },
			{ name: '/o=Example/cn=zoe', address: null },
		],
		subject: 'Offer for two lines and a bit',
		date: null,
	});
});

test('Notes writes the sender above the labels', async () => {
	const body = `----- Forwarded by Grace/Sales on 10/09/2026 02:16 PM -----


Ada Lovelace/Sales@Example
10/06/2026 06:59 AM
To: Grace/Sales@Example, Bob/Sales@Example
cc:
Subject: Offer`;
	expect(await inText('Offer', body)).toEqual({
		from: { name: 'Ada Lovelace/Sales@Example', address: null },
		to: [
			{ name: 'Grace/Sales@Example', address: null },
			{ name: 'Bob/Sales@Example', address: null },
		],
		cc: [],
		subject: 'Offer',
		date: null,
	});
});

test.each([
	[
		'a form with an address',
		'Subject: Offer\nName: Bob\nEmail: bob@example.com\nNote: Hello\n\n_____\n',
	],
	['contact data', 'Hello\nContact: bob@example.com\nTel: 123\nOrder: Offer\n\n-- \n\n'],
])('what stands above a header is not the header: %s', async (_name, above) => {
	expect(await inText('Fwd: Offer', `${above}${HEADER}`)).toEqual(OFFER);
});

test('a line below the words of a forward is no sender if the header has a date', async () => {
	const header = HEADER.replace(/^From: .*\n/, 'Please answer soon.\n');
	const forwarded = await inText('Fwd: Offer', `---------- Forwarded message ---------\n${header}`);
	expect(forwarded).toEqual({ ...OFFER, from: null });
});

test('the outermost of a chain counts', async () => {
	const inner = `---------- Forwarded message ---------\n${HEADER.replaceAll('Ada', 'Bob')}`;
	const chain = `---------- Forwarded message ---------\n${HEADER}\n\n${inner}`;
	expect(await inText('Fwd: Fwd: Offer', chain)).toEqual(OFFER);
});

test.each([
	['a reply', 'Re: Offer', `Yes.\n\n---------- Forwarded message ---------\n${HEADER}`, []],
	['a reply with an unknown prefix', 'Qwx: Offer', `Yes.\n\n${HEADER}`, ['In-Reply-To: <1@b.c>']],
	[
		'a reply that quotes a forwarded email',
		'Offer',
		`> ---------- Forwarded message ---------\n${HEADER.replace(/^/gm, '> ')}\n\nYes.`,
		['References: <1@b.c>'],
	],
	[
		'a forward within what is answered',
		'Offer',
		`Yes.\n\nOn 23/11/2026 10:00, Bob <b@example.com> wrote:\n\n---------- Forwarded message ---------\n${HEADER}`,
		[],
	],
	['words alone', 'Offer', '---------- Forwarded message ---------\n\nAda sent it.', []],
	['a prefix alone', 'Fwd: Offer', 'See the attachment.', []],
	['a journey', 'Fwd: Trip', 'From: Vienna\nTo: Graz\nDate: Saturday', []],
	['a header without a sign of a forward', 'Offer', `This is it:\n\n${HEADER}`, []],
	[
		'a bounce',
		'Undeliverable: Offer',
		`Failed.\n\n---------- Forwarded message ---------\n${HEADER}`,
		['Return-Path: <>'],
	],
])('%s forwards nothing', async (_name, subject, body, headers) => {
	expect(await inText(subject, body, ...headers)).toBeNull();
});

test('a prefix that means a reply in another language counts below labels of its own language', async () => {
	const header = (from: string) => `${from}: Ada Lovelace <ada@example.org>\nDato: 23\nEmne: Offer`;
	const body = `Se her.\n\n${header('Fra')}\nTil: sales@example.com`;
	expect(await inText('VS: Offer', body)).toEqual(OFFER);
	expect(await inText('VS: Offer', body.replace('Fra', 'Lähettäjä'))).toBeNull();
});

const ATTACHED = `From: Ada Lovelace <ada@example.org>\r\nTo: sales@example.com\r\nSubject: Offer\r\nDate: Mon, 23 Nov 2026 10:00:00 +0100\r\n\r\nWhich day?`;

const FAILED = `From: mailer-daemon@example.org\r\nSubject: Failed\r\n\r\nNobody.`;

const withFiles = (subject: string, text: string, ...emails: string[]) =>
	[
		'From: Grace <grace@example.com>',
		`Subject: ${subject}`,
		'Content-Type: multipart/mixed; boundary=b',
		'',
		...[
			`\r\n${text}`,
			...emails.map((email) => `Content-Type: message/rfc822\r\n\r\n${email}`),
		].map((part) => `--b\r\n${part}`),
		'--b--',
	].join('\r\n');

const FILE = { ...OFFER, date: '2026-11-23T09:00:00.000Z' };

test.each<[string, string, string, string[], Forwarded | null]>([
	['with a prefix', 'Fwd: Offer', 'Please answer.', [ATTACHED], FILE],
	['without any text', 'Some words', '', [ATTACHED], FILE],
	['beside a report', 'Fwd: Offer', 'Please answer.', [FAILED, ATTACHED], FILE],
	['with text alone', 'Some words', 'Please answer.', [ATTACHED], null],
	['two of them', 'Fwd: Offer', '', [ATTACHED, ATTACHED], null],
	['in a reply', 'Re: Offer', '', [ATTACHED], null],
	['a report', 'Fwd: Failed', '', [FAILED], null],
	['without a sender', 'Fwd: Offer', '', ['Subject: Offer\r\n\r\nHello'], null],
])('an attached email is forwarded: %s', async (_name, subject, text, emails, expected) => {
	expect(await forwardedBy(withFiles(subject, text, ...emails))).toEqual(expected);
});

test('the header in the text counts more than an attached email', async () => {
	const other = ATTACHED.replace('Ada Lovelace', 'Bob');
	expect(await forwardedBy(withFiles('Fwd: Offer', HEADER, other))).toEqual(OFFER);
});

test('an email that could not be read has the header in the text that the service knows', async () => {
	const known = () => ({ subject: 'Fwd: Offer', text: HEADER });
	const { email } = await readEmail(undefined, known, USUAL);
	expect(email.thread.forwarded).toEqual(OFFER);
});

test('an address that a program writes twice, in any case, is no name', async () => {
	const header = HEADER.replace('Ada Lovelace <ada', '"ADA@Example.org" <ada');
	const forwarded = await inText('Fwd: Offer', `---------- Forwarded message ---------\n${header}`);
	expect(forwarded).toMatchObject({ from: { name: '', address: 'ada@example.org' } });
});

test('the lines of an email that may be forwarded are judged with pauses', async () => {
	const pause = jest.fn(async () => {});
	const raw = rawEmail('Fwd: Offer', 'Label: x\n'.repeat(1000));
	await (await openEmail(splitEmail(raw), { pause })).read(USUAL);
	expect(pause.mock.calls.length).toBeGreaterThan(20);
});

import fc from 'fast-check';

import { findAnswer, type ReplyFields } from '../../../../../lib/email';
import { isSameMailbox } from '../../../../../lib/basics/addresses';
import { openEmail } from '../../../../support/reading';

type Header = Record<string, string>;

const OWN = 'sales@example.com';

const rawEmail = (header: Header) => {
	const fields = { From: 'Ada <ada@example.org>', 'Message-ID': '<own@b.c>', ...header };
	const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
	return [...lines, '', 'Text'].join('\r\n');
};

const answering = async (header: Header, isReplyToTrusted = true) => {
	const opened = await openEmail(rawEmail(header));
	const isOwn = async (address: string) => isSameMailbox(OWN, address);
	return await findAnswer(opened, opened, { isOwn, isReplyToTrusted });
};

const without = (noAnswer: string) => ({ answer: null, noAnswer });

const answerTo = async (header: Header, isReplyToTrusted = true) =>
	(await answering(header, isReplyToTrusted)).answer;

test('an answer goes to the sender, with the subject and thread of the email', async () => {
	expect(await answerTo({ Subject: 'Stamps' })).toEqual({
		to: 'ada@example.org',
		subject: 'Re: Stamps',
		inReplyTo: '<own@b.c>',
		references: '<own@b.c>',
	});
});

test.each<[string, Header, string | undefined]>([
	['Reply-To', { 'Reply-To': 'Orders <orders@EXAMPLE.org>' }, 'orders@example.org'],
	['the first of several in Reply-To', { 'Reply-To': '"D, E" <d@e.f>, a@b.c' }, 'd@e.f'],
	['an own address among them', { 'Reply-To': `${OWN}, a@b.c` }, 'a@b.c'],
	['only own ones, with a tag', { 'Reply-To': 'Sales+orders@Example.com' }, undefined],
	['an own address in From', { From: OWN }, undefined],
	['From where Reply-To has no address', { 'Reply-To': 'nobody:;' }, 'ada@example.org'],
	['no address', { From: 'Ada' }, undefined],
	['a quoted mailbox', { From: '"a,b@c.d"@e.f' }, undefined],
	['an own address as a comment hides it', { From: 'sales(x)@example.com' }, undefined],
	['an encoded word', { From: '=?utf-8?q?sales?=@example.com' }, undefined],
	['an invisible character', { From: 'sales\u200b@example.com' }, undefined],
	['a domain of its own script', { From: 'ada@bücher.example' }, 'ada@bücher.example'],
])('whom an answer goes to: %s', async (_what, header, to) => {
	expect((await answerTo(header))?.to).toBe(to);
});

test.each([
	'no-reply@example.org',
	'noreply@example.org',
	'do-not-reply@example.org',
	'DoNotReply@example.org',
	'orders-noreply@example.org',
	'noreply-orders@example.org',
	'no.reply2@example.org',
	'orders+noreply@example.org',
	'ne-pas-repondre@example.org',
	'nicht_antworten@example.org',
	'MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org',
])('%s gets no answer, because nobody reads it', async (address) => {
	expect(await answering({ From: address })).toEqual(without('noReplyAddress'));
	expect(await answering({ 'Reply-To': address })).toEqual(without('noReplyAddress'));
	expect((await answerTo({ From: address, 'Reply-To': 'a@b.c' }))?.to).toBe('a@b.c');
});

test.each(['reply@example.org', 'casino-reply@example.org', 'noreplacement@example.org'])(
	'%s gets an answer',
	async (address) => {
		expect((await answerTo({ From: address }))?.to).toBe(address);
	},
);

test.each<[string, Header]>([
	['automatic', { 'Auto-Submitted': 'auto-replied' }],
	['noAddress', { From: 'Ada' }],
	['ownAddress', { From: OWN }],
])('the reason for no answer is told: %s', async (reason, header) => {
	expect(await answering(header)).toEqual(without(reason));
});

test('a Reply-To that is not trusted does not count', async () => {
	expect((await answerTo({ 'Reply-To': 'eve@evil.example' }, false))?.to).toBe('ada@example.org');
});

test.each([
	['', 'Re:'],
	['Re: Stamps', 'Re: Stamps'],
	['RE: Re: AW: Re[3]: Stamps', 'RE: Stamps'],
	['Re^4: Re (3): Re*2: Stamps', 'Re^4: Stamps'],
	['AW: Stamps', 'AW: Stamps'],
	['SV: Frimærker', 'SV: Frimærker'],
	['回复：邮票', '回复： 邮票'],
	['Fwd: Re: Stamps', 'Re: Fwd: Re: Stamps'],
	['[List] Stamps', 'Re: [List] Stamps'],
	['Re: [List] Re: Stamps', '[List] Re: Stamps'],
	['Result: 42', 'Re: Result: 42'],
	['=?utf-8?Q?Stamps=0D=0ABcc:_eve@evil.example?=', 'Re: Stamps Bcc: eve@evil.example'],
])('the subject of an answer to %j', async (subject, expected) => {
	expect((await answerTo({ Subject: subject }))?.subject).toBe(expected);
});

test.each<[string, Header]>([
	['an out-of-office notice', { 'Auto-Submitted': 'auto-replied' }],
	['what a program wrote', { 'Auto-Submitted': 'auto-generated' }],
	['a bounce', { 'X-Failed-Recipients': 'bob@example.org' }],
	['a newsletter', { 'List-Id': '<news.example.org>' }],
	['what nothing returns to', { 'Return-Path': '<>' }],
	['what nothing returns to, in Postfix', { 'Return-Path': '<MAILER-DAEMON>' }],
	['what returns to a mail server', { 'Return-Path': '<MAILER-DAEMON@a.b>' }],
])('%s is not answered', async (_what, header) => {
	expect(await answerTo(header)).toBeNull();
});

test('an email that says it is not automatic is answered', async () => {
	expect(await answerTo({ 'Auto-Submitted': 'no' })).not.toBeNull();
});

const LONG_ID = `<${'x'.repeat(400)}@b.c>`;
const answeredBy = (references: string) => ({ inReplyTo: '', references });

test.each<[string, Header, Partial<ReplyFields>]>([
	['References', { References: '<1@b.c> <2@b.c>' }, { references: '<1@b.c> <2@b.c> <own@b.c>' }],
	['only In-Reply-To', { 'In-Reply-To': '<1@b.c>' }, { references: '<1@b.c> <own@b.c>' }],
	['no Message-ID', { References: '<1@b.c>', 'Message-ID': '' }, answeredBy('<1@b.c>')],
	['IDs not in ASCII', { References: '<ü@b.c>', 'Message-ID': '<ü@b.c>' }, answeredBy('')],
	['IDs that no line can hold', { References: LONG_ID, 'Message-ID': LONG_ID }, answeredBy('')],
])('the thread of an answer to an email with %s', async (_what, header, expected) => {
	expect(await answerTo(header)).toMatchObject(expected);
});

/** RFC 5322, 3.6.4, and RFC 5537, 3.4.4. */
test.each([
	[140, 7],
	[141, 6],
	[109, 8],
])(
	'of IDs with %i characters, a line of References holds %i: the first and the last',
	async (length, kept) => {
		const ids = Array.from(
			{ length: 12 },
			(_, index) => `<${String(index).padEnd(length - 6, 'x')}@b.c>`,
		);
		const answer = await answerTo({
			References: ids.slice(0, -1).join(' '),
			'Message-ID': ids.at(-1)!,
		});
		expect(answer).toMatchObject({ inReplyTo: ids.at(-1) });
		expect(answer?.references.split(' ')).toEqual([ids[0], ...ids.slice(1 - kept)]);
	},
);

test('nothing in an answer starts another header field, whatever the email says', async () => {
	const letters = 'a@b.c<>,;:"\\()[]= \t\r\n\0\u0085\u2028\u202e\u200b';
	const unit = fc.constantFrom(...letters, '=?utf-8?Q?=0D=0A?=');
	const hostile = fc.string({ unit, maxLength: 60 });
	const names = ['From', 'Reply-To', 'Subject', 'Message-ID', 'In-Reply-To', 'References'];
	const header = fc.record(Object.fromEntries(names.map((name) => [name, hostile])));
	await fc.assert(
		fc.asyncProperty(header, async (fields) => {
			const answer = await answerTo({ ...fields, From: `${fields.From} <ada@example.org>` });
			const { to = '', subject = '', inReplyTo = '', references = '' } = answer ?? {};
			expect([to, subject, inReplyTo, references].join()).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
			expect(to).toMatch(/^(?:[^\s,"<>()]+@[^\s,"<>()@]+(?:, (?!$)|$))*$/);
			expect(`${inReplyTo} ${references}`).toMatch(/^(?:<[!-;=?-~]+>)?(?: <[!-;=?-~]+>)* ?$/);
		}),
	);
});

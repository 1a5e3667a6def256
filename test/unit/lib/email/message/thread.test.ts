import { openEmail, readEmail } from '../../../../support/reading';
import { rows } from '../../../../support/rows';

const ROOT = '<root@example.com>';

const threadOf = async (...header: string[]) =>
	(await openEmail(['Subject: Hi', ...header, '', 'Text'].join('\r\n'))).thread;

describe('all emails of a conversation have the same ID', () => {
	test.each(
		rows(`
			the first one | Message-ID: ROOT
			a reply | Message-ID: <1@b.c> | In-Reply-To: ROOT | References: ROOT
			a reply to a reply | Message-ID: <2@b.c> | In-Reply-To: <1@b.c> | References: ROOT <1@b.c>
			a reply of a program that knows In-Reply-To alone | In-Reply-To: ROOT
			a list of which the middle was left out | References: ROOT <8@b.c> <9@b.c>
			a list that was cut within an ID | References: ROOT <8@b.c> <9@b
			a list that was cut within its first bracket | References: ROOT <
			a list with commas, folded | References: ROOT,/<1@b.c>
			a list without blanks | References: ROOT<1@b.c>
			an ID that was folded | References: <root/@example.com> <1@b.c>
			words behind it | References: ROOT (was: the offer)
			the answered email in front | In-Reply-To: <9@b.c> | References: <9@b.c> ROOT <8@b.c>
			the sender before it | In-Reply-To: Message from Ada <ada@example.com> of "Monday" ROOT
			words before it | In-Reply-To: Message of ada@example.com, Monday ROOT
			lost angle brackets | References: root@example.com <1@b.c>
			all angle brackets lost | References: root@example.com 1@b.c
			half the angle brackets lost | Message-ID: <root@example.com
			doubled angle brackets | References: <ROOT> <1@b.c>
			encoded words | References: =?us-ascii?Q?=3Croot=40example=2Ecom=3E?=
			an empty References | References: | In-Reply-To: ROOT | Message-ID: <1@b.c>
			References without any ID | References: <> , < | In-Reply-To: ROOT
		`),
	)('%s', async (_name, ...header) => {
		// A slash is a fold.
		const lines = header.map((line) => line.replaceAll('ROOT', ROOT).replace('/', '\r\n '));
		expect((await threadOf(...lines)).id).toBe(ROOT);
	});

	test('is in the fields of the service without a raw email', async () => {
		const { email } = await readEmail('', () => ({ references: 'root@example.com <1@b.c>' }));
		expect(email.thread).toMatchObject({ id: ROOT, references: [ROOT, '<1@b.c>'] });
	});
});

test.each([
	['no header', 'X: y'],
	['a sentence', 'In-Reply-To: Your message of <some time ago>'],
	['longer than a line can be', `Message-ID: <${'x'.repeat(1000)}@b.c>`],
])('an email with %s for its IDs has none', async (_name, header) => {
	const nothing = { id: null, messageId: null, inReplyTo: null, references: [], replyTo: [] };
	expect(await threadOf(header)).toEqual(nothing);
});

test('an ID without @ counts where it stands alone or in brackets', async () => {
	const thread = await threadOf('Message-ID: abc', 'References: <first> and <second>');
	const references = ['<first>', '<second>'];
	expect(thread).toMatchObject({ id: '<first>', messageId: '<abc>', references });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { DeliveryReport } from '../../../nodes/EmailIdentity/email';
import { readEmail } from '../../reading';

const SENT = '<order-1@shop.example>';

const OPTIONS = { attachments: false, headers: false, binaryPrefix: '', removeQuotedText: true };

const reportOf = async (rawEmail: string) => (await readEmail(rawEmail, undefined, OPTIONS)).report;

const readFile = (name: string) => readFileSync(join(__dirname, 'reports', `${name}.eml`), 'utf8');

type Recipient = [recipient: string, status: string | null, diagnostic: string | null];

const ADA = 'ada@example.org';
const BOB = 'bob@example.com';

/** As real servers write them: a file, and what it says. */
const FILES: Array<[file: string, kind: DeliveryReport['kind'], recipients: Recipient[]]> = [
	[
		'postfix-bounce',
		'bounce',
		[
			[ADA, '5.1.1', '550 5.1.1 <ada.byron@example.org>: Recipient address rejected: User unknown'],
			[BOB, '5.4.4', 'Host or domain name not found.'],
		],
	],
	[
		'postfix-delay',
		'delay',
		[[ADA, '4.4.1', 'connect to mail.example.org[192.0.2.7]:25: Connection timed out']],
	],
	['postfix-delivered', 'delivered', [[ADA, '2.0.0', '250 2.0.0 Ok: queued as 4F1B2C0D3F']]],
	[
		'mixed-results',
		'bounce',
		[
			[ADA, '2.1.5', null],
			[BOB, '5.2.2', null],
			['eve@example.com', '4.2.0', null],
		],
	],
	[
		'exim-status',
		'bounce',
		[[ADA, '5.1.1', '550-5.1.1 The account does not exist. 550 5.1.1 Please check the address.']],
	],
	[
		'exim',
		'bounce',
		[
			[ADA, '5.1.1', '550 5.1.1 <ada@example.org>: User unknown'],
			[BOB, null, 'Unrouteable address'],
		],
	],
	[
		'qmail',
		'bounce',
		[
			[ADA, '5.1.1', '550 5.1.1 <ada@example.org>... User Unknown'],
			[BOB, '5.1.1', 'Sorry, no mailbox here by that name. (#5.1.1)'],
		],
	],
	['sendmail', 'bounce', [[ADA, '5.2.1', '550 5.2.1 Mailbox disabled']]],
	['gmx', 'bounce', [[ADA, '5.1.1', '550 5.1.1 User unknown']]],
	[
		'kundenserver',
		'bounce',
		[
			[
				ADA,
				null,
				'Mail size limit exceeded. For explanation visit http://postmaster.kundenserver.example/error-messages',
			],
		],
	],
	[
		'yahoo',
		'bounce',
		[
			[
				ADA,
				null,
				"554: delivery error: dd This user doesn't have a yahoo.example account (ada@example.org) [0]",
			],
		],
	],
	['opensmtpd', 'bounce', [[ADA, '5.1.1', '550 5.1.1 No such user']]],
	['mail-ru', 'bounce', [[ADA, null, '550 User unknown']]],
	[
		'gmail-status',
		'bounce',
		[[ADA, '5.1.1', expect.stringMatching(/^550-5\.1\.1 The email account .* - gsmtp$/)]],
	],
	[
		'gmail-text',
		'bounce',
		[[ADA, '5.1.1', '550 5.1.1 The email account that you tried to reach does not exist.']],
	],
	['gmail-until-2016', 'bounce', [[ADA, '5.1.1', '550 5.1.1 <ada@example.org>... User Unknown']]],
	['gmail-delay-until-2016', 'delay', [[ADA, null, 'Message will be retried for 2 more day(s)']]],
	[
		'exchange-online',
		'bounce',
		[
			[
				'Ada@example.org',
				'5.1.10',
				'550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
			],
		],
	],
	[
		'exchange-without-status',
		'bounce',
		[[ADA, '5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found']],
	],
	['status-in-base64', 'bounce', [['ゑ@例え.example', '5.1.1', null]]],
	[
		'complaint',
		'complaint',
		[
			[ADA, null, 'abuse'],
			[BOB, null, 'abuse'],
		],
	],
	['complaint-redacted', 'complaint', []],
	['complaint-to-outlook', 'complaint', [['ada@outlook.example', null, null]]],
	['receipt-thunderbird', 'read', [[ADA, null, null]]],
	['receipt-outlook-unread', 'delivered', [[ADA, null, null]]],
];

/** Of these, the email that was sent is not returned, and not named. */
const WITHOUT_ID: typeof FILES = [
	[
		'exim-delay',
		'delay',
		[[ADA, '4.7.1', '451 4.7.1 Greylisting in action, please come back later']],
	],
	[
		'exchange-2003',
		'bounce',
		[
			[
				ADA,
				'5.1.1',
				'The e-mail account does not exist at the organization this message was sent to. <mail.example.org #5.1.1>',
			],
			[BOB, null, 'The recipient name is not recognized'],
		],
	],
	['domino', 'bounce', [[ADA, null, 'User ada (ada@example.org) not listed in Domino Directory']]],
	['communigate', 'bounce', [[ADA, '5.1.1', '550 5.1.1 User unknown']]],
	['unknown-words', 'bounce', [[ADA, null, null]]],
	['nothing-known', 'bounce', []],
];

const toReport = (kind: DeliveryReport['kind'], messageId: string | null, told: Recipient[]) => ({
	...{ kind, messageId },
	recipients: told.map(([recipient, status, diagnostic]) => ({ recipient, status, diagnostic })),
});

test.each(FILES)('%s', async (file, kind, recipients) => {
	expect(await reportOf(readFile(file))).toEqual(toReport(kind, SENT, recipients));
});

test.each(WITHOUT_ID)('%s, which does not name the email', async (file, kind, recipients) => {
	expect(await reportOf(readFile(file))).toEqual(toReport(kind, null, recipients));
});

/** What other servers write: who, the words, what is said about Ada. */
const WORDS: Array<[who: string, words: string, kind: DeliveryReport['kind'], reason: Recipient]> =
	[
		[
			'Postfix without parts',
			'be delivered to one or more recipients.\n\n<ada@example.org>: host a.b said: 550 5.1.1\n  Unknown',
			'bounce',
			[ADA, '5.1.1', '550 5.1.1 Unknown'],
		],
		[
			'sendmail, delayed',
			'--- The following addresses had transient non-fatal errors ---\n<ada@example.org>\n  (reason: 451 4.7.1 Later)',
			'delay',
			[ADA, '4.7.1', '451 4.7.1 Later'],
		],
		[
			'Courier',
			'Your message to the following recipients cannot be delivered:\n\n<ada@example.org>:\n  a.b [192.0.2.7]:\n<<< 550 5.1.1 Unknown',
			'bounce',
			[ADA, '5.1.1', '550 5.1.1 Unknown'],
		],
		[
			'iCloud',
			'to the following recipients:\n\n  Recipient address: ada@example.org\n  Reason: Rejected\n  Diagnostic code: smtp;550 5.1.1 Unknown',
			'bounce',
			[ADA, '5.1.1', '550 5.1.1 Unknown'],
		],
		[
			'Exchange Online',
			"Your message to ada@example.org couldn't be delivered.\n\nShe was not found.",
			'bounce',
			[ADA, null, "couldn't be delivered."],
		],
		[
			'MDaemon',
			'Failed address: ada@example.org\n\nUnknown user',
			'bounce',
			[ADA, null, 'Unknown user'],
		],
		[
			'Zoho',
			'This is a permanent error.\n\nada@example.org Invalid Address, ERROR_CODE :550',
			'bounce',
			[ADA, null, 'Invalid Address, ERROR_CODE :550'],
		],
	];

test.each(WORDS)('the words of %s', async (_who, words, kind, recipient) => {
	const rawEmail = `From: MAILER-DAEMON@a.b\r\nSubject: Mail\r\n\r\n${words.replace(/\n/g, '\r\n')}`;
	expect(await reportOf(rawEmail)).toEqual(toReport(kind, null, [recipient]));
});

test.each(['authentication-failure', 'dmarc-aggregate'])(
	'%s is about no single email that was sent',
	async (file) => {
		expect(await reportOf(readFile(file))).toBeUndefined();
	},
);

test('an email of a person is no report, even if it has one attached', async () => {
	const [, ...lines] = readFile('postfix-bounce').split('\r\n');
	const rawEmail = lines
		.join('\r\n')
		.replace(/^From: .*$/m, 'From: Ada <ada@example.org>')
		.replace(/^(?:Auto-Submitted|Subject): .*\r\n/gm, '')
		.replace('multipart/report', 'multipart/mixed');
	expect(await reportOf(rawEmail)).toBeUndefined();
});

test('a report names a thousand recipients at most, each in short words without line breaks', async () => {
	const recipient = 'Final-Recipient: rfc822;ada@example.org\r\nAction: failed\r\n';
	const reason = `Diagnostic-Code: smtp; 550 \u0007\u2028no ${'x '.repeat(5000)}\r\n\r\n`;
	const group = `${recipient}${reason}`;
	const rawEmail = readFile('postfix-delay').replace(
		/Final-Recipient[^]*?\r\n\r\n/,
		`${group}${`${recipient}\r\n`.repeat(3000)}`,
	);
	const { recipients = [] } = (await reportOf(rawEmail)) ?? {};
	expect(recipients).toHaveLength(1000);
	expect(recipients[0]?.diagnostic).toMatch(/^550 no (?:x )+x?$/);
	expect(recipients[0]?.diagnostic?.length).toBe(500);
});

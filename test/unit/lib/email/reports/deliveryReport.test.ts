import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { BOUNCE_SERVERS } from '../../../../../lib/email/reports/bounceServers';
import { readEmail } from '../../../../support/reading';
import { rows } from '../../../../support/rows';

const SENT = '<order-1@shop.example>';

const reportOf = async (rawEmail: string) => (await readEmail(rawEmail)).report;

const readFile = (name: string) => readFileSync(join(__dirname, 'samples', `${name}.eml`), 'utf8');

/** A row without a name is about another recipient of the report above. */
function readReports(table: string) {
	const reports: Array<[what: string, kind: string, recipients: object[]]> = [];
	for (const [what = '', kind = '', recipient, ...reason] of rows(table)) {
		if (what !== '') reports.push([what, kind, []]);
		const [status, diagnostic] = reason.map((text) => text || null);
		if (recipient) reports.at(-1)?.[2].push({ recipient, status, diagnostic });
	}
	return reports;
}

/** As real servers write them: file, kind, recipient, status, diagnostic. */
const FILES = readReports(`
	postfix-bounce | bounce | ada@example.org | 5.1.1 | 550 5.1.1 <ada.byron@example.org>: Recipient address rejected: User unknown
	 | | bob@example.com | 5.4.4 | Host or domain name not found.
	postfix-delay | delay | ada@example.org | 4.4.1 | connect to mail.example.org[192.0.2.7]:25: Connection timed out
	postfix-delivered | delivered | ada@example.org | 2.0.0 | 250 2.0.0 Ok: queued as 4F1B2C0D3F
	mixed-results | bounce | ada@example.org | 2.1.5 |
	 | | bob@example.com | 5.2.2 | mailbox full
	 | | eve@example.com | 4.2.0 |
	exim-status | bounce | ada@example.org | 5.1.1 | 550-5.1.1 The account does not exist. 550 5.1.1 Please check the address.
	exim | bounce | ada@example.org | 5.1.1 | 550 5.1.1 <ada@example.org>: User unknown
	 | | bob@example.com | | Unrouteable address
	qmail | bounce | ada@example.org | 5.1.1 | 550 5.1.1 <ada@example.org>... User Unknown
	 | | bob@example.com | 5.1.1 | Sorry, no mailbox here by that name. (#5.1.1)
	sendmail | bounce | ada@example.org | 5.2.1 | 550 5.2.1 Mailbox disabled
	gmx | bounce | ada@example.org | 5.1.1 | 550 5.1.1 User unknown
	kundenserver | bounce | ada@example.org | | Mail size limit exceeded. For explanation visit http://postmaster.kundenserver.example/error-messages
	yahoo | bounce | ada@example.org | | 554: delivery error: dd This user doesn't have a yahoo.example account (ada@example.org) [0]
	opensmtpd | bounce | ada@example.org | 5.1.1 | 550 5.1.1 No such user
	mail-ru | bounce | ada@example.org | | 550 User unknown
	gmail-status | bounce | ada@example.org | 5.1.1 | 550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address for typos or 550 5.1.1 unnecessary spaces. d75a77b69052e-1 - gsmtp
	gmail-text | bounce | ada@example.org | 5.1.1 | 550 5.1.1 The email account that you tried to reach does not exist.
	gmail-until-2016 | bounce | ada@example.org | 5.1.1 | 550 5.1.1 <ada@example.org>... User Unknown
	gmail-delay-until-2016 | delay | ada@example.org | | Message will be retried for 2 more day(s)
	exchange-online | bounce | Ada@example.org | 5.1.10 | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup
	exchange-without-status | bounce | ada@example.org | 5.1.10 | 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found
	status-in-base64 | bounce | ゑ@例え.example | 5.1.1 |
	complaint | complaint | ada@example.org | | abuse
	 | | bob@example.com | | abuse
	complaint-redacted | complaint | | |
	complaint-to-outlook | complaint | ada@outlook.example | |
	receipt-thunderbird | read | ada@example.org | |
	receipt-outlook-unread | delivered | ada@example.org | |
`);

/** Of these, the email that was sent is not returned, and not named. */
const WITHOUT_ID = readReports(`
	exim-delay | delay | ada@example.org | 4.7.1 | 451 4.7.1 Greylisting in action, please come back later
	exchange-2003 | bounce | ada@example.org | 5.1.1 | The e-mail account does not exist at the organization this message was sent to. <mail.example.org #5.1.1>
	 | | bob@example.com | | The recipient name is not recognized
	domino | bounce | ada@example.org | | User ada (ada@example.org) not listed in Domino Directory
	unknown-words | bounce | ada@example.org | |
	nothing-known | bounce | | |
`);

/** They are about no email that was sent. */
const NO_REPORTS = ['authentication-failure', 'dmarc-aggregate'];

test('each sample is read', () => {
	const reports = [...FILES, ...WITHOUT_ID].map(([file]) => file);
	const read = [...reports, ...NO_REPORTS].map((file) => `${file}.eml`);

	expect(read.sort()).toEqual(readdirSync(join(__dirname, 'samples')).sort());
});

test.each(FILES)('%s', async (file, kind, recipients) => {
	expect(await reportOf(readFile(file))).toEqual({ kind, messageId: SENT, recipients });
});

test.each(WITHOUT_ID)('%s, which does not name the email', async (file, kind, recipients) => {
	expect(await reportOf(readFile(file))).toEqual({ kind, messageId: null, recipients });
});

/** What other servers write (line breaks as a slash), and what is said about Ada. */
const WORDS = readReports(`
	be delivered to one or more recipients.//<ada@example.org>: host a.b said: 550 5.1.1/  Unknown | bounce | ada@example.org | 5.1.1 | 550 5.1.1 Unknown
	--- The following addresses had transient non-fatal errors ---/<ada@example.org>/  (reason: 451 4.7.1 Later) | delay | ada@example.org | 4.7.1 | 451 4.7.1 Later
	Your message to the following recipients cannot be delivered://<ada@example.org>:/  a.b [192.0.2.7]:/<<< 550 5.1.1 Unknown | bounce | ada@example.org | 5.1.1 | 550 5.1.1 Unknown
	to the following recipients://  Recipient address: ada@example.org/  Reason: Rejected/  Diagnostic code: smtp;550 5.1.1 Unknown | bounce | ada@example.org | 5.1.1 | 550 5.1.1 Unknown
	Your message to ada@example.org couldn't be delivered.//She was not found. | bounce | ada@example.org | | Your message to ada@example.org couldn't be delivered.
	There was an error delivering your mail to <ada@example.org>.//a.b [192.0.2.7] did not like our RCPT TO:/550 5.1.1 Unknown//Message headers follow. | bounce | ada@example.org | 5.1.1 | 550 5.1.1 Unknown
	A message is delayed for more than 10 minutes for the following/  list of recipients://ada@example.org: Network error | delay | ada@example.org | | Network error
	The/following address(es) failed://  ada@example.org:/    host a.b [192.0.2.7]:/    553 5.1.1 unknown/    user | bounce | ada@example.org | 5.1.1 | 553 5.1.1 unknown user
	550 b.c (smtp)... 550 Host unknown/554 <ada@example.org>... 550 Host unknown/554 <bob@example.com>... Protocol error//-- Unsent message follows --/Received: by a.b/To: list@b.c | bounce | ada@example.org | | 554 <ada@example.org>... 550 Host unknown
	 | | bob@example.com | | 554 <bob@example.com>... Protocol error
	Nicht zugestellt: ada@example.org/550 5.1.1 Unknown//Fragen: help@a.b//Received: by a.b/To: Ada <ada@example.org> | bounce | ada@example.org | 5.1.1 | 550 5.1.1 Unknown
	Nicht zugestellt: 550 5.1.1 Unknown//Received: by a.b for <ada@example.org>/To: list@b.c | bounce | ada@example.org | 5.1.1 | 550 5.1.1 Unknown
	Nicht zugestellt: an eve@example.com//Received: by a.b for <eve@example.com>/From: MAILER-DAEMON@a.b | bounce | | |
	--- Failure Reasons  ---//Not listed/ada@example.org | bounce | ada@example.org | | Not listed
	The mailbox of this user is full: <ada@example.org> | bounce | ada@example.org | | The mailbox of this user is full: <ada@example.org>
	Disabled.//<ada@example.org> | bounce | ada@example.org | | Disabled.
	the following address failed:/ada@example.org: 554 4.4.7 Old <421 4.4.2 Late> | bounce | ada@example.org | 4.4.2 | 554 4.4.7 Old <421 4.4.2 Late>
	Nicht zugestellt: 421 4.4.2 Late//Received: by a.b/To: ada@example.org | bounce | ada@example.org | 4.4.2 | 421 4.4.2 Late
	Nicht zugestellt: 421 4.4.2 Late//Received: by a.b/List-Id: <list.b.c>/To: list@b.c | bounce | | |
	undeliverable to//550-REJECTED/550-F=[eve@example.com] T=[ada@example.org] | bounce | | |
`);

test.each(WORDS)('the words %j', async (words, kind, recipients) => {
	const rawEmail = `From: MAILER-DAEMON <>\r\nSubject: Mail\r\n\r\n${words.replaceAll('/', '\r\n')}`;
	expect(await reportOf(rawEmail)).toEqual({ kind, messageId: null, recipients });
});

test.each(BOUNCE_SERVERS)('the words of $name', async ({ kind = 'bounce', sample }) => {
	const words = sample.lines.join('\r\n');
	const rawEmail = `From: MAILER-DAEMON <>\r\nSubject: Mail\r\n\r\n${words}`;
	expect(await reportOf(rawEmail)).toMatchObject({
		kind,
		recipients: [{ recipient: 'ada@example.org', diagnostic: sample.reason }],
	});
});

test.each(['Message-ID: ', '> Message-ID: ', ' \t>> message-id:\t'])(
	'a bounce names the email that its text quotes behind %j',
	async (before) => {
		const quoted = `Nicht zugestellt: ada@example.org\r\n\r\n> Hi,\r\n${before}${SENT}`;
		const rawEmail = `From: MAILER-DAEMON <>\r\nSubject: Mail\r\n\r\n${quoted}`;
		expect((await reportOf(rawEmail))?.messageId).toBe(SENT);
	},
);

test.each([
	['in Status', 'Status: 5.4.4 (No such host)', '', '5.4.4', 'No such host'],
	['in the text', 'Status: 5.0.0', 'ada@example.org: 550 5.7.26 Bad', '5.7.26', '550 5.7.26 Bad'],
	['in the text about another', 'Status: 5.0.0', 'bob@b.c: 550 5.7.1 Bad', '5.0.0', null],
])('a reason %s is the reason', async (_name, field, words, status, diagnostic) => {
	const type = 'multipart/report; report-type=delivery-status; boundary=b';
	const text = `the following list of recipients:\r\n\r\n${words}`;
	const group = `Final-Recipient: rfc822;ada@example.org\r\nAction: failed\r\n${field}`;
	const part = `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns;a.b\r\n\r\n${group}`;
	const rawEmail = `Content-Type: ${type}\r\n\r\n--b\r\n\r\n${text}\r\n--b\r\n${part}\r\n--b--`;
	expect(await reportOf(`Subject: Mail\r\n${rawEmail}`)).toMatchObject({
		recipients: [{ recipient: 'ada@example.org', status, diagnostic }],
	});
});

test.each([
	['', 'redacted@example.org'],
	['Removal-Recipient: ada@example.org\r\n', 'ada@example.org'],
])('a complaint with "%s" names %s', async (field, recipient) => {
	const rawEmail = readFile('complaint-redacted').replace(/^Redacted-Address: .*\r\n/m, field);
	expect(await reportOf(rawEmail)).toMatchObject({ recipients: [{ recipient }] });
});

test.each(NO_REPORTS)('%s is no report', async (file) => {
	expect(await reportOf(readFile(file))).toBeUndefined();
});

test('an email of a person with a report attached is no report', async () => {
	const [, ...lines] = readFile('postfix-bounce').split('\r\n');
	const rawEmail = lines
		.join('\r\n')
		.replace(/^From: .*$/m, 'From: Ada <ada@example.org>')
		.replace(/^(?:Auto-Submitted|Subject): .*\r\n/gm, '')
		.replace('multipart/report', 'multipart/mixed');
	expect(await reportOf(rawEmail)).toBeUndefined();
});

test('a report of very many recipients names some, each with a short reason on one line', async () => {
	const recipient = 'Final-Recipient: rfc822;ada@example.org\r\nAction: failed\r\n';
	const reason = `Diagnostic-Code: smtp; 550 \u0007\u2028no ${'x '.repeat(5000)}\r\n\r\n`;
	const group = `${recipient}${reason}`;
	const others = [1, 2, 3, 4, 5].map((number) => recipient.replace('ada', `ada${number}`));
	const groups = `${group}${others.map((other) => `${other}\r\n`).join('')}`;
	const rawEmail = readFile('postfix-delay').replace(/Final-Recipient[^]*?\r\n\r\n/, groups);
	const { report } = await readEmail(rawEmail, undefined, {}, { reportRecipients: 3 });
	const { recipients = [] } = report ?? {};
	expect(recipients).toHaveLength(3);
	expect(recipients[0]?.diagnostic).toMatch(/^550 no (?:x )+x?$/);
	expect(recipients[0]?.diagnostic?.length).toBe(500);
});

const bounceOf = (text: string, subject = 'Undelivered', from = 'mailer-daemon@example.net') =>
	[`From: ${from}`, 'To: Zoë <zoe@example.com>', `Subject: ${subject}`, '', text].join('\r\n');

const recipientsOf = async (rawEmail: string) =>
	(await reportOf(rawEmail))?.recipients.map(({ recipient }) => recipient);

const COPIED = 'From: Zoë <zoe@example.com>\nSubject: Fwd\n\n<eve@example.net>:\n550 User unknown';

test.each([
	['copied below dashes', `--- Below this line is a copy of the message.\n\n${COPIED}`],
	['copied below words', `Original message follows.\n\n${COPIED}`],
	['of a contact', 'For help, write to help@example.net.'],
])('an address is no recipient: %s', async (_name, text) => {
	const listed = `<ada@example.org>:\n550 5.1.1 Unknown\n\n${text}`;
	expect(await recipientsOf(bounceOf(listed))).toEqual(['ada@example.org']);
});

test.each([
	['the sender', 'Dear zoe@example.com,\nyour email failed.'],
	['an example', 'It failed.\n\nUse an address such as ada@example.org.'],
	['a contact', 'It failed.\n\nPlease write to postmaster@example.net.'],
])('%s alone is no recipient', async (_name, text) => {
	expect(await recipientsOf(bounceOf(text))).toEqual([]);
});

test('the sender is no recipient beside the only other address', async () => {
	const text = 'zoe@example.com: your email failed.\nIt was sent to ada@example.org: 550 Unknown';
	expect(await recipientsOf(bounceOf(text))).toEqual(['ada@example.org']);
});

test('a recipient is named once, with the reason', async () => {
	const group = 'Final-Recipient: rfc822; <Ada@example.org>\r\nAction: failed\r\n';
	const groups = `${group}\r\n${group.toLowerCase()}Diagnostic-Code: smtp; 550 Unknown\r\n\r\n`;
	const rawEmail = readFile('postfix-delay').replace(/Final-Recipient[^]*?\r\n\r\n/, groups);
	expect((await reportOf(rawEmail))?.recipients).toMatchObject([{ diagnostic: '550 Unknown' }]);
});

test.each([
	[
		'MDaemon',
		bounceOf('ada@example.org - no such user here.', 'Warning: ada - User unknown!', 'MDaemon@a.b'),
	],
	[
		'Microsoft 365',
		bounceOf(
			'An: ada@example.org\nVon: zoe@example.com\nFehler: 550 5.1.10 ada@example.org not found\nID: <1@a.b>',
			'Unzustellbar: Angebot',
			'MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.net',
		),
	],
])('a bounce of %s that is no report names its recipient', async (_name, rawEmail) => {
	expect(await recipientsOf(`Precedence: bulk\r\n${rawEmail}`)).toEqual(['ada@example.org']);
});

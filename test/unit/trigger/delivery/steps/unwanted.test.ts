import { createDeliveryMemory } from '../../../../../nodes/EmailIdentity/trigger/delivery/deliveryHost';
import { rows } from '../../../../support/rows';
import { EMAIL, emailWith, outcomeOf, type Told } from '../support/requests';

const ALL = ['drafts', 'sent', 'spam', 'trash', 'autoReplies', 'bounces', 'lists'] as const;

const withHeader = (...header: string[]) => emailWith(...header, 'From: Ada <ada@sender.example>');

const IDENTITIES = [
	{ id: '1', value: 'sales@example.org' },
	{ id: '2', value: 'office@example.org' },
];

async function outcome(message: object, rawEmail?: string, told: Told = {}): Promise<string> {
	return await outcomeOf({
		message,
		rawEmail,
		service: { listIdentities: async () => await Promise.resolve(IDENTITIES) },
		...told,
		parameters: { ignoreDuplicates: 'off', ...told.parameters },
	});
}

const imap = (mailboxPath: string, ...flags: string[]) => ({
	metaData: { imap: { mailboxPath, flags } },
});
const gmail = (...labelIds: string[]) => ({ metaData: { gmail: { labelIds } } });

test.each<[string, object]>([
	['draft', { draft: true }],
	['draft', imap('INBOX', '\\Seen', '\\Draft')],
	['spam', imap('INBOX', '$Junk')],
	// Of Thunderbird.
	['spam', imap('INBOX', 'junk')],
	['started', imap('INBOX', '$NotJunk', 'NonJunk', '\\Seen')],
	['draft', imap('Drafts')],
	['sent', imap('[Gmail]/Sent Mail')],
	['started', imap('INBOX')],
	['sent', gmail('SENT')],
	['spam', gmail('SPAM', 'UNREAD')],
	['draft', gmail('DRAFT')],
	['trash', gmail('TRASH', 'INBOX')],
	// A note to oneself.
	['started', gmail('SENT', 'INBOX', 'UNREAD')],
	['draft', { state: 'draft' }],
	['sent', { state: 'queued' }],
	['spam', { state: 'Spam' }],
])('%s: %j', async (expected, message) => {
	expect(await outcome(message)).toBe(expected);
});

const HEADERS = `
	spam    | X-Spam-Flag: YES
	started | X-Spam-Flag: NO
	spam    | X-Spam-Status: Yes, score=9.1 required=5.0
	started | X-Spam-Status: No, score=-1.9 tests=SPAM_YES
	spam    | X-Rspamd-Action: add header
	started | X-Rspamd-Action: greylist
	spam    | X-Forefront-Antispam-Report: CIP:192.0.2.1;LANG:en;SCL:5;SFV:SPM;\\r\\n\tH:mail.example;CAT:SPM;DIR:INB;
	started | X-Forefront-Antispam-Report: CIP:192.0.2.1;LANG:en;SCL:1;SRV:;SFV:NSPM;DIR:INB;
	spam    | X-Microsoft-Antispam-Mailbox-Delivery: ucf:0;jmr:0;auth:0;dest:J;ENG:(1);
	spam    | X-Gm-Phishy: 1
	started | X-Gm-Spam: 0
	spam    | X-SES-Spam-Verdict: FAIL
	spam    | X-SES-Spam-Verdict: GRAY
	spam    | X-SES-Virus-Verdict: PROCESSING_FAILED
	started | X-SES-Spam-Verdict: PASS
	spam    | X-Apple-MoveToFolder: Junk
	spam    | X-VR-SPAMSTATE: SPAM
	spam    | X-UI-Filterresults: junk:10;V03:K0:abc
	started | X-UI-Filterresults: notjunk:1;V03:K0:abc
	started | X-Spam-Flag: NO\\r\\nReceived: from sender\\r\\nX-Spam-Flag: YES
	spam    | X-Spam-Flag: YES\\r\\nReceived: from sender\\r\\nX-Spam-Flag: NO
	spam    | X-Spam: Yes
	spam    | X-Spam-Action: reject
	spam    | X-Spamd-Result: default: True [9.1 / 15.0]
	spam    | X-Microsoft-Antispam: BCL:0;SCL:6;
	spam    | X-MS-Exchange-Organization-SCL: 5
	started | X-MS-Exchange-Organization-SCL: 1
	spam    | X-Gm-Spam: 1
	spam    | X-PM-Spam-Action: phishing
	spam    | X-OVH-SPAM-STATUS: SPAM
	spam    | X-GND-Status: SPAM
	spam    | X-Yandex-Spam: 4
	started | X-Yandex-Spam: 1
	spam    | X-YahooFilteredBulk: 192.0.2.1
	spam    | X-AOL-Global-Disposition: S
	spam    | X-Mailgun-SFlag: Yes
	spam    | X-Barracuda-Spam-Flag: YES
	spam    | X-Barracuda-Spam-Status: Yes, SCORE=9
	spam    | X-Proofpoint-Spam-Details: rule=spam policy=default
	spam    | X-TM-AS-Result: Yes--12.3
	spam    | X-MailScanner-SpamCheck: spam, SBL+XBL
	spam    | X-Bogosity: Spam, tests=bogofilter
	spam    | X-DSPAM-Result: Spam
	started | Auto-Submitted: auto-replied
	started | List-Id: <a.b>`;

test.each(rows(HEADERS))('%s: %s', async (expected, header = '') => {
	expect(await outcome({}, withHeader(header.replaceAll('\\r\\n', '\r\n')))).toBe(expected);
});

test('a spam verdict counts in the headers of a message without raw email, but not in the text', async () => {
	expect(await outcome({}, `${EMAIL}X-Spam-Flag: YES`)).toBe('started');
	expect(await outcome({ headersJson: { 'x-spam-flag': 'YES' } }, '')).toBe('spam');
});

test('a spam verdict counts in headers as JSON text, however many follow it', async () => {
	const others = Array.from({ length: 50_000 }, (_, index) => [`x-${index}`, 'other']);
	const headers = { 'x-spam-flag': 'YES', ...(Object.fromEntries(others) as object) };
	expect(await outcome({ headersJson: JSON.stringify(headers) }, '')).toBe('spam');
});

/** Sent mail in a JMAP account. */
const BARE = 'From: Sales <sales@example.org>\r\nTo: office@example.org\r\n\r\nHi';
const OF_ADA = BARE.replace('sales@', 'ada@');
const THROUGH_A_SERVER = 'Received: by mx.example\r\n';
const ALL_MAIL = imap('[Gmail]/All Mail');

test.each<[string, string, object, string]>([
	['sent', 'in All Mail, without a server', ALL_MAIL, OF_ADA],
	[
		'started',
		'in All Mail, received',
		ALL_MAIL,
		`Delivered-To: a@b.c\r\n${THROUGH_A_SERVER}${BARE}`,
	],
	['sent', 'by an own identity, without folder and server', {}, BARE],
	['started', 'by an own identity, through a server', {}, THROUGH_A_SERVER + BARE],
	['started', 'by an own identity, in a folder', imap('INBOX'), BARE],
	['started', 'by somebody else, without a server', {}, OF_ADA],
	['started', 'without a server and a sender', {}, 'To: sales@example.org\r\n\r\nHi'],
])('%s: an email %s', async (expected, _what, message, rawEmail) => {
	expect(await outcome(message, rawEmail)).toBe(expected);
});

test.each([
	['autoReplies', 'autoReply', 'Auto-Submitted: auto-replied'],
	['autoReplies', 'autoReply', 'Content-Type: text/vnd.google.email-reaction+json'],
	['bounces', 'bounce', 'X-Failed-Recipients: nobody@example.com'],
	['bounces', 'report', 'Content-Type: multipart/report; report-type=disposition-notification'],
	['lists', 'list', 'List-Id: <dev.lists.example>'],
] as const)('%s are ignored only if they are chosen', async (ignored, reason, header) => {
	const others = ALL.filter((one) => one !== ignored);
	const of = async (ignore: typeof others) =>
		await outcome({}, withHeader(header), { parameters: { ignore } });
	expect(await of([ignored])).toBe(reason);
	expect(await of(others)).toBe('started');
	expect(await of([])).toBe('started');
});

test('an email that was ignored in one folder is not a duplicate in the inbox', async () => {
	const told: Told = {
		memory: createDeliveryMemory(),
		parameters: { ignoreDuplicates: 'sameEmail' },
	};
	expect(await outcome({ id: 'one', ...imap('Junk') }, EMAIL, told)).toBe('spam');
	expect(await outcome({ id: 'one' }, withHeader('X-Spam-Flag: YES'), told)).toBe('spam');
	expect(await outcome({ id: 'one', ...imap('INBOX') }, EMAIL, told)).toBe('started');
	expect(await outcome({ id: 'one', ...imap('Trash') }, EMAIL, told)).toBe('trash');
});

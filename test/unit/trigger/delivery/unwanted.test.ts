import { createDeliveryMemory } from '../../../../nodes/EmailIdentity/trigger/delivery/request';
import { receive } from '../../../../nodes/EmailIdentity/trigger/delivery/receive';
import type { EmailIdentityService } from '../../../../nodes/EmailIdentity/api/service';
import { EMAIL, emailWith, requestOf, type LogLine, type Told } from './requests';

type Message = Record<string, unknown>;

const ALL = ['drafts', 'sent', 'spam', 'trash', 'autoReplies', 'bounces', 'lists'] as const;

const withHeader = (...header: string[]) => emailWith(...header, 'From: Ada <ada@sender.example>');

/** Why a delivery does not start the workflow, or `started`. */
async function outcome(message: Message, rawEmail?: string, told: Told = {}): Promise<string> {
	const service = { listIdentities: async () => await Promise.resolve(IDENTITIES) };
	const answer = await receive(
		requestOf({
			message: { deliveredTo: 'inbox@example.org', ...message },
			rawEmail,
			service: service as Partial<EmailIdentityService>,
			...told,
			parameters: { ignoreDuplicates: 'off', ...told.parameters },
		}),
	);
	if (answer.status === 'refused') return String(answer.refusal.status);
	return answer.status === 'ignored' ? answer.ignored.reason : answer.status;
}

const IDENTITIES = [
	{ id: '1', value: 'sales@example.org' },
	{ id: '2', value: 'office@example.org' },
];

const imap = (mailboxPath: string) => ({ metaData: { imap: { mailboxPath } } });
const flags = (...flags: string[]) => ({ metaData: { imap: { mailboxPath: 'INBOX', flags } } });
const gmail = (...labelIds: string[]) => ({ metaData: { gmail: { labelIds } } });

/** As JMAP accounts have one's own sent mail. */
const BARE = 'From: Sales <sales@example.org>\r\nTo: office@example.org\r\n\r\nHi';

test.each<[string, Message, string | undefined, string]>([
	['a draft', { draft: true }, undefined, 'draft'],
	['a draft by its flag', flags('\\Seen', '\\Draft'), undefined, 'draft'],
	['spam by its keyword', flags('$Junk'), undefined, 'spam'],
	['spam by the keyword of Thunderbird', flags('junk'), undefined, 'spam'],
	['no spam by its keyword', flags('$NotJunk', 'NonJunk', '\\Seen'), undefined, 'started'],
	['no draft', { draft: false }, undefined, 'started'],
	['in a folder of drafts', imap('Drafts'), undefined, 'draft'],
	['in a sent folder', imap('[Gmail]/Sent Mail'), undefined, 'sent'],
	['in a junk folder', imap('INBOX.Junk'), undefined, 'spam'],
	['in the trash', imap('Papierkorb'), undefined, 'trash'],
	['in the inbox', imap('INBOX'), undefined, 'started'],
	["in a user's folder", imap('Projects/Sent offers'), undefined, 'started'],
	['labelled as sent', gmail('SENT'), undefined, 'sent'],
	['labelled as spam', gmail('SPAM', 'UNREAD'), undefined, 'spam'],
	['labelled as a draft', gmail('DRAFT'), undefined, 'draft'],
	['in the trash of Gmail', gmail('TRASH', 'INBOX'), undefined, 'trash'],
	['a note to oneself in Gmail', gmail('SENT', 'INBOX', 'UNREAD'), undefined, 'started'],
	['a note to oneself in an inbox', imap('INBOX'), emailWith('From: sales@example.org'), 'started'],
	['being written', { state: 'draft' }, undefined, 'draft'],
	['queued by the service', { state: 'queued' }, undefined, 'sent'],
	['in its normal state', { state: 'normal' }, undefined, 'started'],
	['in the state of spam', { state: 'Spam' }, undefined, 'spam'],
	['flagged by SpamAssassin', {}, withHeader('X-Spam-Flag: YES'), 'spam'],
	['not flagged', {}, withHeader('X-Spam-Flag: NO'), 'started'],
	['rated by SpamAssassin', {}, withHeader('X-Spam-Status: Yes, score=9.1 required=5.0'), 'spam'],
	['rated well', {}, withHeader('X-Spam-Status: No, score=-1.9 tests=SPAM_YES'), 'started'],
	['named by rspamd', {}, withHeader('X-Rspamd-Action: add header'), 'spam'],
	['greylisted by rspamd', {}, withHeader('X-Rspamd-Action: greylist'), 'started'],
	[
		'taken for spam by Exchange Online',
		{},
		withHeader(
			'X-Forefront-Antispam-Report: CIP:192.0.2.1;CTRY:XX;LANG:en;SCL:5;SRV:;IPV:NLI;SFV:SPM;\r\n\tH:mail.example;PTR:;CAT:SPM;SFS:(1);DIR:INB;',
		),
		'spam',
	],
	[
		'taken for mail by Exchange Online',
		{},
		withHeader('X-Forefront-Antispam-Report: CIP:192.0.2.1;LANG:en;SCL:1;SRV:;SFV:NSPM;DIR:INB;'),
		'started',
	],
	[
		'put into the junk folder by Outlook.com',
		{},
		withHeader('X-Microsoft-Antispam-Mailbox-Delivery: ucf:0;jmr:0;auth:0;dest:J;ENG:(1);'),
		'spam',
	],
	['phishing for Google Workspace', {}, withHeader('X-Gm-Phishy: 1'), 'spam'],
	['mail for Google Workspace', {}, withHeader('X-Gm-Spam: 0'), 'started'],
	['spam for Amazon SES', {}, withHeader('X-SES-Spam-Verdict: FAIL'), 'spam'],
	['unclear for Amazon SES', {}, withHeader('X-SES-Spam-Verdict: GRAY'), 'spam'],
	['not scanned by Amazon SES', {}, withHeader('X-SES-Virus-Verdict: PROCESSING_FAILED'), 'spam'],
	['mail for Amazon SES', {}, withHeader('X-SES-Spam-Verdict: PASS'), 'started'],
	['junk for iCloud', {}, withHeader('X-Apple-MoveToFolder: Junk '), 'spam'],
	['spam for OVH', {}, withHeader('X-VR-SPAMSTATE: SPAM'), 'spam'],
	['junk for GMX', {}, withHeader('X-UI-Filterresults: junk:10;V03:K0:abc'), 'spam'],
	['mail for GMX', {}, withHeader('X-UI-Filterresults: notjunk:1;V03:K0:abc'), 'started'],
	[
		'not spam for the last server, whatever one before wrote',
		{},
		withHeader('X-Spam-Flag: NO\r\nReceived: from sender\r\nX-Spam-Flag: YES'),
		'started',
	],
	[
		'spam for the last server, whatever the sender wrote',
		{},
		withHeader('X-Spam-Flag: YES\r\nReceived: from sender\r\nX-Spam-Flag: NO'),
		'spam',
	],
	['spam in its text only', {}, `${EMAIL}X-Spam-Flag: YES`, 'started'],
	[
		'spam by the headers of a message without raw email',
		{ headersJson: { 'x-spam-flag': 'YES' } },
		'',
		'spam',
	],
	[
		"one's own in All Mail, which no server took",
		imap('[Gmail]/All Mail'),
		BARE.replace('sales@', 'ada@'),
		'sent',
	],
	[
		'received in All Mail',
		imap('[Gmail]/All Mail'),
		withHeader('Delivered-To: inbox@example.org\r\nReceived: by mx.google.com'),
		'started',
	],
	[
		'an auto-reply, which is not ignored unless asked for',
		{},
		withHeader('Auto-Submitted: auto-replied'),
		'started',
	],
	[
		'a newsletter, which is not ignored unless asked for',
		{},
		withHeader('List-Id: <a.b>'),
		'started',
	],
	['sent by oneself, without folder and server', {}, BARE, 'sent'],
	['sent to oneself, through a server', {}, `Received: by mx.example\r\n${BARE}`, 'started'],
	['sent by oneself, in a folder', imap('INBOX'), BARE, 'started'],
	['of somebody else without a server', {}, BARE.replace('sales@', 'ada@'), 'started'],
	['without a server and a sender', {}, 'To: sales@example.org\r\n\r\nHi', 'started'],
])('%s', async (_what, message, rawEmail, expected) => {
	expect(await outcome(message, rawEmail)).toBe(expected);
	expect(await outcome(message, rawEmail, { parameters: { simplify: false } })).toBe(expected);
});

test.each([
	['autoReplies', 'autoReply', 'Auto-Submitted: auto-replied'],
	['bounces', 'bounce', 'X-Failed-Recipients: nobody@example.com'],
	['bounces', 'report', 'Content-Type: multipart/report; report-type=disposition-notification'],
	['lists', 'list', 'List-Id: <dev.lists.example>'],
] as const)(
	'%s are ignored when they are chosen, and only then',
	async (ignored, reason, header) => {
		const others = ALL.filter((one) => one !== ignored);
		const of = async (ignore: typeof others) =>
			await outcome({}, withHeader(header), { parameters: { ignore } });
		expect(await of([ignored])).toBe(reason);
		expect(await of(others)).toBe('started');
		expect(await of([])).toBe('started');
	},
);

test('what was ignored in one folder is not a duplicate in the inbox', async () => {
	const told: Told = {
		memory: createDeliveryMemory(),
		parameters: { ignoreDuplicates: 'sameEmail' },
	};
	expect(await outcome({ id: 'one', ...imap('Junk') }, EMAIL, told)).toBe('spam');
	expect(await outcome({ id: 'one' }, withHeader('X-Spam-Flag: YES'), told)).toBe('spam');
	expect(await outcome({ id: 'one', ...imap('INBOX') }, EMAIL, told)).toBe('started');
	expect(await outcome({ id: 'one', ...imap('Trash') }, EMAIL, told)).toBe('trash');
});

test('it is looked at before the filters, and the log names nothing but the reason', async () => {
	const lines: LogLine[] = [];
	const told: Told = { lines, parameters: { filters: { from: 'nobody@example.com' } } };
	expect(await outcome({}, withHeader('X-Spam-Flag: YES'), told)).toBe('spam');
	expect(await outcome({}, EMAIL, told)).toBe('filtered');
	expect(lines).toEqual([
		{ level: 'info', outcome: 'ignored', why: 'spam' },
		{ level: 'info', outcome: 'ignored', why: 'filtered (From)' },
	]);
});

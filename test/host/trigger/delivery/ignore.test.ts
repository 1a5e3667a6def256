import { mail, startDeliveryHost, type DeliveryHost, type MailParts } from './deliveries';

type Message = Record<string, unknown>;

const ALL = ['drafts', 'sent', 'spam', 'trash', 'autoReplies', 'bounces', 'lists'];

let host: DeliveryHost;

afterEach(async () => {
	jest.restoreAllMocks();
	await host.stop();
});

const withHeader = (header: string, parts: MailParts = {}) => `${header}\r\n${mail(parts)}`;

let ids = 0;

/** No two have the same bytes. */
const delivery = (message: Message, rawEmail = mail()) => ({
	event: 'message.received',
	data: {
		message: { id: `m-${++ids}`, ...message },
		rawEmail: rawEmail.replace('<mail@example.com>', `<mail-${ids}@example.com>`),
	},
});

/** Why a delivery starts nothing; `started` when it starts the workflow. */
async function outcome(message: Message, rawEmail?: string): Promise<string> {
	const before = host.started().length;
	const answer = await host.post(delivery(message, rawEmail));
	const started = host.started().length > before;
	expect(answer.status).toBe(200);
	if (started) return 'started';
	return ((await answer.json()) as { reason: string }).reason;
}

const imap = (mailboxPath: string) => ({ metaData: { imap: { mailboxPath } } });
const gmail = (...labelIds: string[]) => ({ metaData: { gmail: { labelIds } } });

describe.each([
	['with Simplify', true],
	['with Simplify off', false],
])('%s', (_how, simplify) => {
	test.each<[string, Message, string | undefined, string]>([
		['a draft', { draft: true }, undefined, 'draft'],
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
		[
			'a note to oneself in an inbox',
			imap('INBOX'),
			mail({ from: 'inbox@example.org' }),
			'started',
		],
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
		['spam in its text only', {}, mail({ text: 'X-Spam-Flag: YES' }), 'started'],
		[
			'spam by the headers of a message without raw email',
			{ headersJson: { 'x-spam-flag': 'YES' } },
			'',
			'spam',
		],
		["one's own in All Mail, which no server took", imap('[Gmail]/All Mail'), undefined, 'sent'],
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
	])('%s', async (_what, message, rawEmail, expected) => {
		host = await startDeliveryHost({ simplify });
		expect(await outcome(message, rawEmail)).toBe(expected);
	});

	test.each([
		['autoReplies', 'autoReply', 'Auto-Submitted: auto-replied'],
		['bounces', 'bounce', 'X-Failed-Recipients: nobody@example.com'],
		['bounces', 'report', 'Content-Type: multipart/report; report-type=disposition-notification'],
		['lists', 'list', 'List-Id: <dev.lists.example>'],
	])('%s are ignored when they are chosen, and only then', async (ignored, reason, header) => {
		host = await startDeliveryHost({ simplify, ignore: [ignored] });
		expect(await outcome({}, withHeader(header))).toBe(reason);
		await host.stop();
		host = await startDeliveryHost({ simplify, ignore: ALL.filter((one) => one !== ignored) });
		expect(await outcome({}, withHeader(header))).toBe('started');
	});
});

test('whatever is taken out of the list starts the workflow', async () => {
	host = await startDeliveryHost({ ignore: [] });
	const all: Array<[Message, string?]> = [
		[{ draft: true }],
		[imap('Sent')],
		[gmail('SPAM')],
		[{ state: 'trash' }],
		[{}, withHeader('X-Spam-Flag: YES')],
		[{}, withHeader('List-Id: <a.b>')],
	];
	for (const [message, rawEmail] of all) expect(await outcome(message, rawEmail)).toBe('started');
});

test('what was ignored in one folder is not a duplicate in the inbox', async () => {
	host = await startDeliveryHost();
	expect(await outcome({ id: 'one', ...imap('Junk') })).toBe('spam');
	expect(await outcome({ id: 'one' }, withHeader('X-Spam-Flag: YES'))).toBe('spam');
	expect(await outcome({ id: 'one', ...imap('INBOX') })).toBe('started');
	expect(await outcome({ id: 'one', ...imap('Trash') })).toBe('trash');
});

test('it is looked at before the filters', async () => {
	host = await startDeliveryHost({ filters: { from: 'nobody@example.com' } });
	expect(await outcome({}, withHeader('X-Spam-Flag: YES'))).toBe('spam');
	expect(await outcome(imap('Sent'))).toBe('sent');
	expect(await outcome({})).toBe('filtered');
});

test('the log names the reason, and nothing of the email', async () => {
	host = await startDeliveryHost();
	await outcome(imap('Sent'));
	await outcome({}, withHeader('X-Spam-Flag: YES'));
	expect(host.logLines().map(({ message }) => message)).toEqual([
		expect.stringMatching(/1 delivery was ignored: sent$/),
		expect.stringMatching(/1 delivery was ignored: spam$/),
	]);
	expect(JSON.stringify(host.logLines())).not.toContain('example');
});

test('who listens for a test event goes on listening for it after its drafts and its sent copy', async () => {
	host = await startDeliveryHost({}, { isTest: true });
	await host.post(delivery({ draft: true }));
	await host.post(delivery(imap('Sent')));
	expect(host.started()).toEqual([]);
	await host.post(delivery(imap('Junk')));
	expect(host.started()).toMatchObject([
		[[{ json: { emailIdentityHeldBack: { reason: 'spam' } } }]],
	]);
});

test('simplified, the email says what kind of automatic mail it is', async () => {
	host = await startDeliveryHost();
	await outcome({}, withHeader('List-Id: <dev.lists.example>'));
	await outcome({});
	const items = host.started().flat(2);
	expect(items.map(({ json }) => json.delivery)).toMatchObject([
		{ automatic: 'list' },
		{ automatic: null },
	]);
});

describe('a robot that answers answers', () => {
	const HOUR = 60 * 60_000;
	const reply = (from: string) => withHeader('Auto-Submitted: auto-replied', { from });
	const bounce = (about: string) =>
		withHeader(`X-Failed-Recipients: ${about}`, { from: 'mailer-daemon@mx.example.com' });
	const repeat = async (times: number, rawEmail: string) => {
		const outcomes: string[] = [];
		for (let time = 0; time < times; time++) outcomes.push(await outcome({}, rawEmail));
		return outcomes;
	};
	const TEN = Array.from({ length: 10 }, () => 'started');

	test.each([
		['a reply', reply('robot@example.com')],
		['a bounce', bounce('robot@example.com')],
		[
			'a bounce that says it in its text',
			withHeader('From: MAILER-DAEMON@a.example', {
				text: 'Final-Recipient: rfc822; robot@example.com',
			}),
		],
		['a reply, whatever the case of its letters', reply('Robot <ROBOT@example.com>')],
	])('is not answered for ever: %s', async (_what, rawEmail) => {
		host = await startDeliveryHost();
		expect(await repeat(12, rawEmail)).toEqual([...TEN, 'loop', 'loop']);
	});

	test('an hour later it may write again', async () => {
		host = await startDeliveryHost();
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 21));
		await repeat(11, reply('robot@example.com'));
		now.mockReturnValue(Date.UTC(2026, 10, 21) + HOUR);
		expect(await outcome({}, reply('robot@example.com'))).toBe('started');
	});

	test('others are no part of it: other senders, other bounces, lists, people, other nodes', async () => {
		host = await startDeliveryHost();
		await repeat(11, reply('robot@example.com'));
		await repeat(11, bounce('nobody@example.com'));
		expect(await outcome({}, reply('other@example.com'))).toBe('started');
		expect(await outcome({}, bounce('other@example.com'))).toBe('started');
		expect(await repeat(11, withHeader('List-Id: <a.b>'))).not.toContain('loop');
		expect(await repeat(11, mail({ from: 'robot@example.com' }))).not.toContain('loop');
		await host.stop();
		host = await startDeliveryHost();
		expect(await outcome({}, reply('robot@example.com'))).toBe('started');
	});

	test('what is ignored or filtered counts for nothing', async () => {
		host = await startDeliveryHost({ filters: { subject: 'wanted' } });
		await repeat(11, reply('robot@example.com'));
		const wanted = withHeader('Auto-Submitted: auto-replied', {
			from: 'robot@example.com',
			subject: 'wanted',
		});
		expect(await outcome({}, wanted)).toBe('started');
	});
});

import { createTransport } from 'nodemailer';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { identityId, subscribe } from './client';
import { type HookReceiver, startHookReceiver } from './receiver';

const SALES = 'sales@example.test';
const SUPPORT = 'support@example.test';
const FOREIGN = 'person@other.test';

const mail = (id: string, more = 'Subject: Hello\r\n', body = 'Good morning') =>
	`Message-ID: <${id}@sender.example>\r\nFrom: Ann <ann@sender.example>\r\nTo: ${SALES}\r\n${more}\r\n${body}`;

let sandbox: Sandbox;
let receiver: HookReceiver;

beforeEach(async () => {
	sandbox = await startSandbox({ dialect: 'observed' });
	receiver = await startHookReceiver();
});
afterEach(() => Promise.all([sandbox.stop(), receiver.stop()]));

type MailOptions = Partial<Parameters<Sandbox['receiveMail']>[1]>;

/** All that was delivered so far, this email too. */
const delivered = async (raw: string, options: MailOptions = {}) => {
	const { deliveries } = await sandbox.receiveMail(raw, { to: SALES, ...options });
	await deliveries;
	return receiver.received.map(({ body }) => JSON.parse(body).data);
};

const urls = () => receiver.received.map(({ url }) => url);

test('mail by SMTP becomes a delivery as the running service sends it', async () => {
	await subscribe(sandbox, `${receiver.url}/hook`);
	const mailer = createTransport({ host: '127.0.0.1', port: sandbox.smtpPort });
	await mailer.sendMail({ from: 'Ann <ann@example.com>', to: SALES, subject: 'Grüße', text: 'Hi' });
	await expect(mailer.sendMail({ to: 'nobody@nowhere.test', text: 'x' })).rejects.toThrow();
	mailer.close();
	await sandbox.waitForDelivery(({ status }) => status === 200);
	const [request] = receiver.received;
	expect(request?.headers).toMatchObject({
		'content-type': 'text/plain;charset=UTF-8',
		'user-agent': 'node',
	});
	const { event, data } = JSON.parse(request?.body ?? '');
	expect(event).toBe('message.received');
	expect(data.message).toMatchObject({ subject: 'Grüße', html: '', cc: null });
	expect(data.rawEmail).toMatch(/^Delivered-To: sales@example\.test\r\nReceived: .*\r\n\tfor </);
});

test('a message has the fields that were seen, and null for what is not there', async () => {
	await subscribe(sandbox, receiver.url);
	const [{ message }] = await delivered(mail('plain'));
	const { userId: ownerId, workspaceId } = sandbox.accounts.owner;
	expect(message).toEqual({
		...{ id: expect.any(String), publicId: expect.any(String), threadId: expect.any(String) },
		...{ mailboxId: expect.any(String), rawStorageKey: expect.any(String) },
		...{ ownerId, workspaceId, deliveredTo: SALES, metaData: null },
		...{ messageId: '<plain@sender.example>', inReplyTo: null, references: null },
		...{ subject: 'Hello', snippet: 'Good morning', text: 'Good morning', html: '' },
		textAsHtml: '<p>Good morning</p>',
		from: expect.objectContaining({ value: [{ name: 'Ann', address: 'ann@sender.example' }] }),
		to: expect.objectContaining({ value: [{ name: '', address: SALES }] }),
		...{ cc: null, bcc: null, replyTo: [], date: null, priority: null },
		...{ sizeBytes: expect.any(Number), hasAttachments: false, state: 'received' },
		...{ seen: false, answered: false, flagged: false, draft: false },
		headersJson: expect.objectContaining({ subject: 'Hello', from: expect.any(Object) }),
		...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
	});
	const [, html] = await delivered(mail('html', 'Content-Type: text/html\r\n', '<p>Hi</p>'));
	expect(html.message).toMatchObject({ text: null, html: '<p>Hi</p>', snippet: '<p>Hi</p>' });
});

test('subscriptions hear what the dialect lets them hear', async () => {
	const hook = async (path: string, identity?: [string, 'owner' | 'other']) =>
		await subscribe(sandbox, `${receiver.url}${path}`, {
			...(identity && { identityId: identityId(sandbox, ...identity) }),
		});
	await hook('/all');
	await hook('/sales', [SALES, 'owner']);
	await hook('/domain', ['example.test', 'owner']);
	await hook('/foreign', [FOREIGN, 'other']);
	await delivered(mail('own'));
	expect(urls()).toEqual(['/all', '/sales']);
	const [, , event] = await delivered(mail('foreign'), { to: FOREIGN });
	expect(urls().slice(2)).toEqual(['/all', '/foreign']);
	expect(event.message).toMatchObject({ ownerId: sandbox.accounts.other.userId });
	sandbox.setDialect('contract');
	await delivered(mail('again'), { to: FOREIGN });
	expect(urls()).toHaveLength(4);
});

test('one email to two identities is two messages; the same one again, or without an ID, is dropped', async () => {
	await subscribe(sandbox, receiver.url);
	const events = await delivered(mail('both'), { to: [SALES, SUPPORT] });
	expect(events.map(({ rawEmail }) => rawEmail.split('\r\n', 1)[0])).toEqual([
		`Delivered-To: ${SALES}`,
		`Delivered-To: ${SUPPORT}`,
	]);
	expect(events[0].message.id).not.toBe(events[1].message.id);
	await delivered(mail('both'));
	expect(await delivered('Subject: none\r\n\r\nHello')).toHaveLength(2);
	sandbox.setDialect({ dropsRepeats: false });
	expect(await delivered(mail('both'))).toHaveLength(3);
});

test.each<[string, MailOptions, object[]]>([
	[
		'in a folder read by IMAP',
		{ folder: 'Drafts', flags: ['\\Draft'] },
		[{ metaData: { imap: { mailboxPath: 'Drafts', flags: ['\\Draft'] } }, draft: false }],
	],
	['in an account read by JMAP', { jmap: true }, [{ metaData: null }]],
	[
		'under two labels at Gmail',
		{ labels: ['INBOX', 'IMPORTANT'] },
		[
			{ metaData: { gmail: { labelIds: ['INBOX', 'IMPORTANT'] } } },
			{ metaData: { gmail: { labelIds: ['INBOX', 'IMPORTANT'] } } },
		],
	],
])('mail %s is delivered as it is', async (_, options, messages) => {
	await subscribe(sandbox, receiver.url);
	const events = await delivered(mail('kept'), options);
	expect(events.map(({ message }) => message)).toMatchObject(
		messages.map((message) => ({ deliveredTo: null, ...message })),
	);
	expect(events.map(({ rawEmail }) => rawEmail)).toEqual(messages.map(() => mail('kept')));
});

test('the recipient may be told by no field and no header', async () => {
	sandbox.setDialect({ fillsDeliveredTo: false, stampsCopies: false });
	await subscribe(sandbox, receiver.url);
	const [event] = await delivered(mail('plain'));
	expect([event.message.deliveredTo, event.rawEmail]).toEqual([null, mail('plain')]);
});

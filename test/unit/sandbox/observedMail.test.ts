import { type Sandbox, startSandbox } from '../../../sandbox';
import { identityId, subscribe } from './client';
import { type HookReceiver, startHookReceiver } from './receiver';

const SALES = 'sales@example.test';

const mail = (id: string, more = 'Subject: Hello\r\n', body = 'Good morning') =>
	`Message-ID: <${id}@sender.example>\r\nFrom: Ann <ann@sender.example>\r\nTo: ${SALES}\r\n${more}\r\n${body}`;

describe('mail in the observed dialect', () => {
	let sandbox: Sandbox;
	let receiver: HookReceiver;
	beforeEach(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
		receiver = await startHookReceiver();
	});
	afterEach(() => Promise.all([sandbox.stop(), receiver.stop()]));

	const delivered = async (
		raw: string,
		options: Partial<Parameters<Sandbox['receiveMail']>[1]> = {},
	) => {
		const { deliveries } = await sandbox.receiveMail(raw, { to: SALES, ...options });
		await deliveries;
		return receiver.received.map(({ body }) => JSON.parse(body).data);
	};

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
	});

	test('mail with HTML only has no text, and its markup for a snippet', async () => {
		await subscribe(sandbox, receiver.url);
		const [{ message }] = await delivered(
			mail(
				'html',
				'Content-Type: text/html\r\nReferences: <a@b> <c@d>\r\nReply-To: r@s.example\r\n',
				'<p>Hi</p>',
			),
		);
		expect(message).toMatchObject({
			...{ text: null, textAsHtml: null, html: '<p>Hi</p>', snippet: '<p>Hi</p>' },
			references: ['<a@b>', '<c@d>'],
			replyTo: { value: [{ address: 'r@s.example' }], text: 'r@s.example' },
		});
	});

	test("without a restriction, a subscription hears of every account's mail", async () => {
		const foreign = 'person@other.test';
		const own = identityId(sandbox, SALES);
		await subscribe(sandbox, `${receiver.url}/all`);
		await subscribe(sandbox, `${receiver.url}/own`, { identityId: own });
		const [event] = await delivered(mail('foreign'), { to: foreign });
		expect(receiver.received.map(({ url }) => url)).toEqual(['/all']);
		const { userId: ownerId, workspaceId } = sandbox.accounts.other;
		expect(event.message).toMatchObject({ ownerId, workspaceId, deliveredTo: foreign });
	});

	test("a subscription for a domain never matches, another account's identity does", async () => {
		await subscribe(sandbox, `${receiver.url}/domain`, {
			identityId: identityId(sandbox, 'example.test'),
		});
		await subscribe(sandbox, `${receiver.url}/foreign`, {
			identityId: identityId(sandbox, 'person@other.test', 'other'),
		});
		await delivered(mail('one'));
		expect(receiver.received).toEqual([]);
		await delivered(mail('two'), { to: 'person@other.test' });
		expect(receiver.received.map(({ url }) => url)).toEqual(['/foreign']);
	});

	test('one email to two identities is two messages, each with a copy of its own', async () => {
		await subscribe(sandbox, receiver.url);
		const events = await delivered(mail('both'), { to: [SALES, 'support@example.test'] });
		const [first, second] = events;
		expect(events).toHaveLength(2);
		expect(first.message.id).not.toBe(second.message.id);
		expect(first.message.messageId).toBe(second.message.messageId);
		expect(first.rawEmail).toMatch(/^Delivered-To: sales@example\.test\r\n/);
		expect(second.rawEmail).toMatch(/^Delivered-To: support@example\.test\r\n/);
		expect(second.rawEmail).toMatch(/\r\nReceived: [^]*for <support@example\.test>/);
	});

	test('mail without Message-ID, or with the same one in the same mailbox, is dropped', async () => {
		await subscribe(sandbox, receiver.url);
		await delivered('Subject: none\r\n\r\nHello');
		expect(receiver.received).toEqual([]);
		await delivered(mail('same'));
		await delivered(mail('same', 'Subject: Another\r\n'));
		expect(receiver.received).toHaveLength(1);
		await delivered(mail('same'), { to: 'support@example.test' });
		expect(receiver.received).toHaveLength(2);
	});

	test('what an account read by IMAP keeps in a folder is delivered as it is', async () => {
		await subscribe(sandbox, receiver.url);
		const [sent] = await delivered(mail('sent'), { folder: 'Sent' });
		expect(sent.rawEmail).toBe(mail('sent'));
		expect(sent.message).toMatchObject({
			...{ deliveredTo: null, metaData: { imap: { mailboxPath: 'Sent' } } },
		});
		const events = await delivered(mail('draft'), {
			folder: 'Drafts',
			fields: { draft: true, state: 'draft' },
		});
		expect(events[1].message).toMatchObject({ draft: true, state: 'draft' });
	});

	test('in a Gmail account an email is one message for each label, with the same bytes, and again for a new one', async () => {
		await subscribe(sandbox, receiver.url);
		const labels = ['INBOX', 'IMPORTANT'];
		const [first, second] = await delivered(mail('gmail'), { labels });
		expect(first.rawEmail).toBe(second.rawEmail);
		expect(first.message.id).not.toBe(second.message.id);
		expect(second.message.metaData).toEqual({ gmail: { labelIds: labels } });
		const events = await delivered(mail('gmail'), { labels: ['TRASH', 'IMPORTANT'] });
		expect(events).toHaveLength(3);
		expect(events[2].rawEmail).toBe(first.rawEmail);
	});
});

import { type Sandbox, startSandbox } from '../../../sandbox';
import { ask, entryOf, identityId, subscribe } from './client';
import { type HookReceiver, startHookReceiver } from './receiver';

const SALES = 'sales@example.test';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const MAIL = [
	'Message-ID: <one@sender.example>',
	'Subject: Report',
	'Content-Type: multipart/mixed; boundary=b',
	'',
	'--b',
	'Content-Type: text/plain',
	'',
	'Here it is',
	'--b',
	'Content-Type: text/csv; name=r.csv',
	'Content-Disposition: attachment; filename=r.csv',
	'',
	'a,b',
	'--b--',
	'',
].join('\r\n');

describe('the fork', () => {
	let sandbox: Sandbox;
	let receiver: HookReceiver;
	beforeEach(async () => {
		sandbox = await startSandbox({ dialect: 'fork' });
		receiver = await startHookReceiver();
	});
	afterEach(() => Promise.all([sandbox.stop(), receiver.stop()]));
	const receive = async (raw = MAIL, to = SALES) => {
		const { messages, deliveries } = await sandbox.receiveMail(raw, { to });
		await deliveries;
		return messages[0]!.fields;
	};

	test.each([
		['has been revoked', { isRevoked: true }],
		['has expired', { expiresAt: '2026-01-01T00:00:00Z' }],
	])('a key that %s is refused with the reason', async (reason, changes) => {
		sandbox.editAccount('owner', changes);
		const { status, json } = await ask(sandbox, 'GET /me');
		expect(status).toBe(401);
		expect(json).toMatchObject({ message: `API key ${reason}` });
		expect(json).not.toHaveProperty('data');
		sandbox.setDialect({ restrictsKeys: false });
		expect((await ask(sandbox, 'GET /me')).status).toBe(200);
	});

	test('a key needs a scope for what it does, unless it has none at all', async () => {
		const { id } = await receive();
		sandbox.editAccount('owner', { scopes: ['emails:send'] });
		expect((await ask(sandbox, 'GET /webhooks')).status).toBe(200);
		const { status, json } = await ask(sandbox, `GET /messages/${id}`);
		expect(status).toBe(403);
		expect(json).toMatchObject({
			data: { error: { code: 'INSUFFICIENT_SCOPE', requiredScopes: ['emails:receive'] } },
		});
		sandbox.editAccount('owner', { scopes: ['emails:receive'] });
		expect((await ask(sandbox, `GET /messages/${id}`)).status).toBe(200);
		sandbox.editAccount('owner', { scopes: ['contacts:read'] });
		expect((await ask(sandbox, 'GET /identities')).status).toBe(403);
	});

	test("POST takes workspace and owner from the key, and refuses another account's identity", async () => {
		const { userId, workspaceId } = sandbox.accounts.owner;
		const body = { url: receiver.url, events: ['message.received'], ownerId: UNKNOWN };
		const created = await ask(sandbox, 'POST /webhooks', { body });
		expect(entryOf(created)).toMatchObject({ ownerId: userId, workspaceId });
		const foreign = identityId(sandbox, 'person@other.test', 'other');
		for (const identity of [foreign, UNKNOWN]) {
			const refused = await ask(sandbox, 'POST /webhooks', {
				body: { ...body, identityId: identity },
			});
			expect(refused.status).toBe(403);
		}
	});

	test('a message goes to subscriptions of those who may read it, and names its owner', async () => {
		const { other, owner } = sandbox.accounts;
		await subscribe(sandbox, `${receiver.url}/owner`);
		const to = 'person@other.test';
		const raw = (id: string) => MAIL.replace('<one@', `<${id}@`);
		await receive(raw('a'), to);
		expect(receiver.received).toEqual([]);

		sandbox.editAccount('other', { workspaceId: owner.workspaceId });
		const id = identityId(sandbox, to, 'other');
		sandbox.editIdentity(id, { workspaceId: owner.workspaceId });
		await receive(raw('b'), to);
		expect(receiver.received).toEqual([]);

		sandbox.editIdentity(id, { members: [owner.userId] });
		const { id: read } = await receive(raw('c'), to);
		sandbox.editIdentity(id, { members: [], sharedWithWorkspace: true });
		await receive(raw('d'), to);
		const messages = receiver.received.map(({ body }) => JSON.parse(body).data.message);
		expect(messages).toMatchObject([{ ownerId: other.userId }, { ownerId: other.userId }]);
		expect((await ask(sandbox, `GET /messages/${read}`)).status).toBe(200);
	});

	test('a delivery is JSON and says what it is about', async () => {
		await subscribe(sandbox, receiver.url);
		await receive();
		expect(receiver.received[0]?.headers).toMatchObject({
			...{ 'content-type': 'application/json', 'user-agent': 'Kurrier-Webhooks' },
			'x-kurrier-event': 'message.received',
		});
	});

	test('a message is read by its ID or public ID, with attachments, without where it is kept', async () => {
		const { id, publicId } = await receive();
		const message = entryOf(await ask(sandbox, `GET /messages/${id}`));
		expect(message).toMatchObject({
			...{ id, publicId, subject: 'Report', text: 'Here it is', html: '' },
			attachments: [
				{
					...{ id: expect.any(String), messageId: id, filename: 'r.csv', contentType: 'text/csv' },
					...{ sizeBytes: 3, cid: null, isInline: false },
				},
			],
		});
		for (const hidden of [
			'rawEmail',
			'metaData',
			'ownerId',
			'workspaceId',
			'headersJson',
			'headers',
		]) {
			expect(message).not.toHaveProperty(hidden);
		}
		expect(entryOf(await ask(sandbox, `GET /messages/${publicId}`))).toEqual(message);
		const whole = entryOf(await ask(sandbox, `GET /messages/${id}?includeHeaders=true`));
		expect(whole.headers).toMatchObject({ subject: 'Report' });
	});

	test("another account's message, and one that is not there, are 404", async () => {
		const { id } = await receive(MAIL, 'person@other.test');
		for (const asked of [id, UNKNOWN, 'nothing']) {
			const { status, json } = await ask(sandbox, `GET /messages/${asked}`);
			expect(status).toBe(404);
			expect(json).toMatchObject({ data: { error: { code: 'MESSAGE_NOT_FOUND' } } });
		}
	});

	test('messages are listed, the newest first', async () => {
		for (const id of ['1', '2', '3']) await receive(MAIL.replace('<one@', `<${id}@`));
		await receive(MAIL, 'person@other.test');
		const { messages, pagination } = entryOf(await ask(sandbox, 'GET /messages?limit=2')) as {
			messages: Array<{ messageId: string }>;
			pagination: object;
		};
		const ids = messages.map(({ messageId }) => messageId);
		expect(ids).toEqual(['<3@sender.example>', '<2@sender.example>']);
		expect(pagination).toEqual({ limit: 2, offset: 0, nextOffset: 2 });
		expect(messages[0]).not.toHaveProperty('text');
	});
});

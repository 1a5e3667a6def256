import { createTransport } from 'nodemailer';
import type { DialectName } from '../../../sandbox';
import { FOREIGN, SALES, startScene, UNKNOWN, type Scene } from './rig';

const mail = (id: string, more = 'Subject: Hello\r\n', body = 'Good morning') =>
	`Message-ID: <${id}@sender.example>\r\nFrom: Ann <ann@sender.example>\r\nTo: ${SALES}\r\n${more}\r\n${body}`;

const WITH_FILE = mail(
	'file',
	'Subject: Report\r\nContent-Type: multipart/mixed; boundary=b\r\n',
	'--b\r\n\r\nHere it is\r\n--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=r.csv\r\n\r\na,b\r\n--b--\r\n',
);

let scene: Scene;
afterEach(() => scene.stop());
const speaking = (dialect: DialectName) => async () => {
	scene = await startScene(dialect);
};
const hook = (more: object = {}) => ({
	url: 'https://hooks.example.com/x',
	events: ['message.received'],
	ownerId: scene.sandbox.accounts.owner.userId,
	...more,
});

test.each<[DialectName, string, object | string | undefined, number]>([
	['contract', 'POST /webhooks', { url: 'nowhere' }, 422],
	['contract', 'GET /identities/nope', undefined, 404],
	['contract', 'GET /identities/', undefined, 404],
	['contract', 'PUT /webhooks', {}, 404],
	['observed', 'GET /identities/nope', undefined, 500],
	['observed', 'DELETE /webhooks/nope', undefined, 500],
	['observed', 'GET /messages/some-id', undefined, 404],
	['observed', 'GET /identities/', undefined, 200],
	['observed', 'PUT /webhooks', {}, 405],
	['observed', 'POST /webhooks', '{"url":', 400],
	['observed', 'POST /webhooks', { url: 'https://a.example', events: [] }, 400],
])('%s: %s with %j is answered %d', async (dialect, route, body, status) => {
	scene = await startScene(dialect);
	expect((await scene.ask(route, body)).status).toBe(status);
});

describe('the contract', () => {
	beforeEach(speaking('contract'));

	test('an identity has exactly the fields of the contract', async () => {
		const identity = await scene.entry(`GET /identities/${scene.idOf('example.test')}`);
		expect(Object.keys(identity).sort()).toEqual([
			...['created_at', 'dns_records', 'domain_identity_id', 'id', 'incoming_domain', 'kind'],
			...['meta', 'owner_id', 'provider_id', 'public_id', 'smtp_account_id', 'status'],
			...['updated_at', 'value'],
		]);
		expect(identity).toMatchObject({
			created_at: '2025-11-15 10:47:23.60418+00',
			dns_records: expect.stringMatching(/^\[\{"type":"TXT"/),
			meta: '{"team":"sales"}',
		});
	});

	test('mail for any address of a domain is delivered to its owner, with snake_case and empty text', async () => {
		await scene.subscribe();
		await scene.receive(mail('any', 'Content-Type: text/html\r\n', '<p>Hi</p>'), {
			to: 'any@example.test',
		});
		const { message } = scene.received[0]!.data;
		expect(message).toMatchObject({ message_id: '<any@sender.example>', text: '', references: [] });
		expect(message).not.toHaveProperty('owner_id');
		expect(await scene.entry(`GET /messages/${String(message.id)}`)).toEqual(message);
	});
});

describe('the observed service', () => {
	beforeEach(speaking('observed'));

	test('an identity is camelCase with real JSON, ISO times and a workspace', async () => {
		const id = scene.idOf('example.test');
		const { userId: ownerId, workspaceId } = scene.sandbox.accounts.owner;
		expect(await scene.entry(`GET /identities/${id}`)).toEqual({
			...{ id, ownerId, workspaceId, kind: 'domain', value: 'example.test', status: 'verified' },
			...{ publicId: expect.any(String), incomingDomain: true, domainIdentityId: null },
			...{ providerId: expect.any(String), smtpAccountId: expect.any(String) },
			dnsRecords: [
				expect.objectContaining({ type: 'TXT' }),
				expect.objectContaining({ type: 'MX' }),
			],
			...{ metaData: { team: 'sales' }, displayName: 'Example', sharedWithWorkspace: false },
			createdAt: '2025-11-15T10:47:23.604Z',
			updatedAt: '2025-11-15T10:47:23.604Z',
		});
	});

	test.each([
		[{ value: 'one@inbound.test', providerId: null }, 'verified'],
		[{ value: 'two@gmail.test', providerId: 'p' }, 'unverified'],
		[{ value: 'three@own.test', providerId: null, domainIdentityId: 'd' }, 'unverified'],
	])('%j is %s for ever', async (given, status) => {
		const { id } = scene.sandbox.addIdentity(given);
		expect(await scene.entry(`GET /identities/${id}`)).toMatchObject({ status });
	});

	test("another account's identity is 403, its webhook 404", async () => {
		const path = `/webhooks/${await scene.subscribe()}`;
		const { status, json } = await scene.ask(`GET /identities/${scene.idOf(FOREIGN)}`);
		expect([status, json.message, json.data]).toEqual([403, expect.any(String), undefined]);
		const { apiKey } = scene.sandbox.accounts.other;
		expect((await scene.ask(`GET ${path}`, undefined, apiKey)).status).toBe(404);
		expect((await scene.ask('GET /me', undefined, '')).status).toBe(401);
	});

	test('a broken body is answered with the whole error object', async () => {
		const { status, json } = await scene.ask('POST /webhooks', hook({ events: ['message.sent'] }));
		const message = 'Invalid request body';
		const issues = [expect.objectContaining({ path: 'events.0' })];
		expect([status, json]).toEqual([
			400,
			{
				...{ error: true, url: `${scene.sandbox.baseUrl}/webhooks`, statusCode: 400 },
				...{ statusMessage: message, message },
				data: { success: false, error: { code: 'INVALID_REQUEST_BODY', message, issues } },
			},
		]);
	});

	test('mail by SMTP is delivered as it was seen, and mail for nobody is refused', async () => {
		await scene.subscribe();
		const mailer = createTransport({ host: '127.0.0.1', port: scene.sandbox.smtpPort });
		await mailer.sendMail({ from: 'ann@example.com', to: SALES, subject: 'Grüße', text: 'Hi' });
		await expect(mailer.sendMail({ to: 'nobody@nowhere.test', text: 'x' })).rejects.toThrow();
		mailer.close();
		await scene.sandbox.waitForDelivery(({ status }) => status === 200);
		const [{ headers, data }] = scene.received as [Scene['received'][0]];
		expect(headers).toMatchObject({
			'content-type': 'text/plain;charset=UTF-8',
			'user-agent': 'node',
		});
		expect(data.message).toMatchObject({ subject: 'Grüße', html: '', cc: null });
		expect(data.rawEmail).toMatch(/^Delivered-To: sales@example\.test\r\nReceived: .*\r\n\tfor </);
	});

	test('a message has the fields that were seen', async () => {
		await scene.subscribe();
		await scene.receive(mail('plain'));
		const { userId: ownerId, workspaceId } = scene.sandbox.accounts.owner;
		expect(scene.received[0]!.data.message).toEqual({
			...{ id: expect.any(String), publicId: expect.any(String), threadId: expect.any(String) },
			...{ mailboxId: expect.any(String), rawStorageKey: expect.any(String) },
			...{ ownerId, workspaceId, deliveredTo: null, metaData: null },
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
		await scene.receive(mail('html', 'Content-Type: text/html\r\n', '<p>Hi</p>'));
		expect(scene.received[1]!.data.message).toMatchObject({ text: null, html: '<p>Hi</p>' });
	});

	test('an email is one message for each identity; again, or without an ID, it is dropped', async () => {
		await scene.subscribe();
		await scene.receive(mail('both'), { to: [SALES, 'support@example.test'] });
		await scene.receive(mail('both'));
		await scene.receive('Subject: none\r\n\r\nHello');
		const [first, second, ...others] = scene.received.map(({ data }) => data);
		expect([first?.message.id === second?.message.id, others]).toEqual([false, []]);
	});
});

describe('the fork', () => {
	beforeEach(speaking('fork'));

	test("POST takes workspace and owner from the key, and refuses another account's identity", async () => {
		const { userId: ownerId, workspaceId } = scene.sandbox.accounts.owner;
		const created = await scene.entry('POST /webhooks', hook({ ownerId: UNKNOWN }));
		expect(created).toMatchObject({ ownerId, workspaceId });
		for (const identityId of [scene.idOf(FOREIGN), UNKNOWN]) {
			expect((await scene.ask('POST /webhooks', hook({ identityId }))).status).toBe(403);
		}
	});

	test('a message is read with its attachments, and without where it is kept', async () => {
		const { id } = await scene.receive(WITH_FILE);
		const message = await scene.entry(`GET /messages/${String(id)}`);
		const file = { messageId: id, filename: 'r.csv', contentType: 'text/csv', sizeBytes: 3 };
		expect(message).toMatchObject({
			...{ id, subject: 'Report', text: 'Here it is', html: '' },
			attachments: [{ ...file, id: expect.any(String), cid: null, isInline: false }],
		});
		for (const hidden of ['rawEmail', 'metaData', 'ownerId', 'workspaceId', 'headersJson']) {
			expect(message).not.toHaveProperty(hidden);
		}
	});
});

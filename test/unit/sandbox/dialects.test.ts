import { createTransport } from 'nodemailer';
import { startSandbox } from '../../../sandbox';
import type { DialectName, MailOptions, Sandbox } from '../../../sandbox';
import { startOtherServer, type OtherServer } from '../../e2e/support/otherServer';

const SALES = 'sales@example.test';

type Json = Record<string, unknown>;

const mail = (id: string, more = 'Subject: Hello\r\n', body = 'Good morning') =>
	`Message-ID: <${id}@sender.example>\r\nFrom: Ann <ann@sender.example>\r\nTo: ${SALES}\r\n${more}\r\n${body}`;

const WITH_FILE = mail(
	'file',
	'Subject: Report\r\nContent-Type: multipart/mixed; boundary=b\r\n',
	'--b\r\n\r\nHere it is\r\n--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=r.csv\r\n\r\na,b\r\n--b--\r\n',
);

let sandbox: Sandbox;
/** Where deliveries go. */
let hooks: OtherServer;

const start = async (dialect: DialectName) => {
	sandbox = await startSandbox({ dialect });
	hooks = await startOtherServer();
};
afterEach(async () => await Promise.all([sandbox.stop(), hooks.stop()]));

const hook = () => ({
	url: hooks.url,
	events: ['message.received'],
	ownerId: sandbox.accounts.owner.userId,
});

/** Asks as a client of the service would. */
async function ask(route: string, body?: unknown) {
	const [method, path] = route.split(' ');
	const answer = await fetch(`${sandbox.baseUrl}${path}`, {
		method,
		headers: { authorization: `Bearer ${sandbox.accounts.owner.apiKey}` },
		body: typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined),
	});
	return { status: answer.status, json: JSON.parse((await answer.text()) || '{}') as Json };
}

/** The resource in an answer, out of its envelope. */
async function entry(route: string, body?: unknown): Promise<Json> {
	const { json } = await ask(route, body);
	return (json.data ?? json) as Json;
}

const subscribe = async () => String((await entry('POST /webhooks', hook())).id);

const idOf = (value: string) =>
	sandbox.dumpState().identities.find((identity) => identity.value === value)!.id;

/** Takes an email in and waits for its deliveries. */
async function receive(raw: string, options: Partial<MailOptions> = {}): Promise<Json> {
	const { messages, deliveries } = await sandbox.receiveMail(raw, { to: SALES, ...options });
	await deliveries;
	return { ...messages[0]?.fields };
}

const received = () =>
	hooks.requests.map(({ headers, body }) => ({
		headers,
		...(JSON.parse(body) as { data: { message: Json; rawEmail: string } }),
	}));

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
	await start(dialect);
	expect((await ask(route, body)).status).toBe(status);
});

test.each<[DialectName, string, object]>([
	[
		'contract',
		'created_at dns_records domain_identity_id id incoming_domain kind meta owner_id provider_id public_id smtp_account_id status updated_at value',
		{
			created_at: '2025-11-15 10:47:23.60418+00',
			dns_records: expect.stringMatching(/^\[\{"type":"TXT"/),
			meta: '{"team":"sales"}',
		},
	],
	[
		'observed',
		'createdAt displayName dnsRecords domainIdentityId id incomingDomain kind metaData ownerId providerId publicId sharedWithWorkspace smtpAccountId status updatedAt value workspaceId',
		{
			dnsRecords: [{ type: 'TXT' }, { type: 'MX' }],
			metaData: { team: 'sales' },
			createdAt: '2025-11-15T10:47:23.604Z',
		},
	],
])('%s: an identity has exactly the fields %s', async (dialect, fields, values) => {
	await start(dialect);
	const identity = await entry(`GET /identities/${idOf('example.test')}`);
	expect(Object.keys(identity).sort().join(' ')).toBe(fields);
	expect(identity).toMatchObject(values);
});

test('contract: mail for any address of a domain is delivered to its owner, with snake_case and empty text', async () => {
	await start('contract');
	await subscribe();
	await receive(mail('any', 'Content-Type: text/html\r\n', '<p>Hi</p>'), {
		to: 'any@example.test',
	});
	const { message } = received()[0]!.data;
	expect(message).toMatchObject({ message_id: '<any@sender.example>', text: '', references: [] });
	expect(message).not.toHaveProperty('owner_id');
	expect(await entry(`GET /messages/${String(message.id)}`)).toEqual(message);
});

test('observed: mail by SMTP is delivered as it was seen, and mail for an unknown address is refused', async () => {
	await start('observed');
	await subscribe();
	const mailer = createTransport({ host: '127.0.0.1', port: sandbox.smtpPort });
	await mailer.sendMail({ from: 'ann@example.com', to: SALES, subject: 'Grüße', text: 'Hi' });
	await expect(mailer.sendMail({ to: 'nobody@nowhere.test', text: 'x' })).rejects.toThrow();
	mailer.close();
	await sandbox.waitForDelivery(({ status }) => status === 200);
	const [{ headers, data }] = received() as [ReturnType<typeof received>[0]];
	expect(headers).toMatchObject({ 'content-type': 'text/plain;charset=UTF-8' });
	expect(Object.keys(data.message).sort().join(' ')).toBe(
		'answered bcc cc createdAt date deliveredTo draft flagged from hasAttachments headersJson html id inReplyTo mailboxId messageId metaData ownerId priority publicId rawStorageKey references replyTo seen sizeBytes snippet state subject text textAsHtml threadId to updatedAt workspaceId',
	);
	expect(data.message).toMatchObject({
		ownerId: sandbox.accounts.owner.userId,
		subject: 'Grüße',
		references: null,
		html: '',
		from: { value: [{ name: '', address: 'ann@example.com' }] },
		cc: null,
		replyTo: [],
		state: 'received',
	});
	expect(data.rawEmail).toMatch(/^Delivered-To: sales@example\.test\r\nReceived: .*\r\n\tfor </);
});

test('observed: an email is one message for each identity; again, or without an ID, it is dropped', async () => {
	await start('observed');
	await subscribe();
	await receive(mail('both'), { to: [SALES, 'support@example.test'] });
	await receive(mail('both'));
	await receive('Subject: none\r\n\r\nHello');
	const [first, second, ...others] = received().map(({ data }) => data);
	expect([first?.message.id === second?.message.id, others]).toEqual([false, []]);
});

test('fork: a message is read with its attachments, and without where it is kept', async () => {
	await start('fork');
	const { id } = await receive(WITH_FILE);
	const message = await entry(`GET /messages/${String(id)}`);
	const file = { messageId: id, filename: 'r.csv', contentType: 'text/csv', sizeBytes: 3 };
	expect(message).toMatchObject({ id, subject: 'Report', text: 'Here it is', html: '' });
	expect(message.attachments).toMatchObject([{ ...file, cid: null, isInline: false }]);
	const hidden = ['rawEmail', 'metaData', 'ownerId', 'workspaceId', 'headersJson'];
	expect(Object.keys(message).filter((field) => hidden.includes(field))).toEqual([]);
});

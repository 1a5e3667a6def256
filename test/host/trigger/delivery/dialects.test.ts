import { dialects, startSandbox, type DialectName, type Sandbox } from '../../../../sandbox';
import { secretOfUrl } from '../../../../nodes/EmailIdentity/shared/secret';
import { startDeliveryHost, storedSubscription, type TriggerHost } from './support/deliveries';

/** STRANGER is in another workspace. */
const OWN = 'sales@example.test';
const COLLEAGUE = 'colleague@mailbox.test';
const STRANGER = 'person@other.test';

let sandbox: Sandbox;
let host: TriggerHost;
let letters = 0;

afterEach(async () => {
	await sandbox.stop();
});

async function start(dialect: DialectName): Promise<void> {
	sandbox = await startSandbox({ dialect });
	const { apiKey } = sandbox.accounts.owner;
	host = await startDeliveryHost({}, { credential: { baseUrl: sandbox.baseUrl, apiKey } });
	const url = host.urlFor({}, apiKey);
	const { ownerId, workspaceId } = sandbox.addWebhook({ url });
	const told = sandbox.dialect.style === 'kurrier' ? { ownerId, workspaceId } : { ownerId };
	host.staticData = { subscription: storedSubscription(secretOfUrl(url) ?? '', told) };
	const [owner, other] = sandbox.dumpState().accounts;
	const colleague = { ownerId: other!.userId, workspaceId: owner!.workspaceId };
	sandbox.addIdentity({ ...colleague, value: COLLEAGUE });
}

const MAIL = [
	'From: =?utf-8?q?Zo=C3=AB?= <zoe@sender.example>',
	`To: Sales <${OWN}>`,
	'Subject: The list',
	'Message-ID: <list@sender.example>',
	'Date: Sat, 15 Nov 2025 10:47:23 +0000',
	'Content-Type: multipart/mixed; boundary=part',
	'',
	'--part',
	'Content-Type: text/html; charset=utf-8',
	'',
	'<p>It is attached.</p>',
	'--part',
	'Content-Type: text/csv',
	'Content-Disposition: attachment; filename="stock list.csv"',
	'',
	'stamps,80',
	'--part--',
	'',
].join('\r\n');

test.each(Object.values(dialects))(
	'an email of a service with $name starts the workflow once, with the same fields and file as any other',
	async ({ name }) => {
		await start(name);
		const { deliveries } = await sandbox.receiveMail(MAIL, { to: OWN });
		const [delivery] = await deliveries;
		await sandbox.repeatDelivery(delivery?.id ?? '');

		expect(sandbox.deliveries().map(({ status }) => status)).toEqual([200, 200]);
		const items = host.started().flat(2);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			json: {
				from: { name: 'Zoë', address: 'zoe@sender.example' },
				to: [{ name: 'Sales', address: OWN }],
				subject: 'The list',
				date: '2025-11-15T10:47:23.000Z',
				text: 'It is attached.',
				html: expect.stringContaining('<p>It is attached.</p>'),
				attachments: [{ fileName: 'stock list.csv', mimeType: 'text/csv', size: 9 }],
			},
			binary: { attachment_0: { fileName: 'stock list.csv', mimeType: 'text/csv' } },
		});
	},
);

/** An email to someone whose To names the key's address. @returns n8n's answers */
async function mail(to: string, header = 'X-Mailer: none') {
	const id = `${++letters}@sender.example`;
	const raw = `${header}\r\nFrom: zoe@sender.example\r\nTo: ${OWN}\r\nSubject: ${to}\r\nMessage-ID: <${id}>\r\n\r\nHello`;
	const { deliveries } = await sandbox.receiveMail(raw, { to, fields: { deliveredTo: null } });
	return (await deliveries).map(({ responseBody }) => JSON.parse(responseBody) as object);
}

const requests = () => sandbox.requests().map(({ method, path }) => `${method} ${path}`);

test('a service without single messages that delivers all accounts’ mail starts the workflow only with the own account’s', async () => {
	const foreign = [{ status: 'ignored', reason: 'otherAccount' }];
	await start('observed');
	expect(await mail(STRANGER)).toEqual(foreign);
	expect(await mail(OWN)).toEqual([{ status: 'started' }]);
	// A reply must not go to another address of the account.
	expect(requests()).toEqual(['GET /identities']);
	expect(await mail(COLLEAGUE)).toEqual(foreign);
	expect(requests()).toEqual(['GET /identities', expect.stringMatching(/^GET \/messages\//)]);
	// Anyone can write these headers into an email to a colleague.
	for (const name of ['Delivered-To', 'X-Original-To', 'Envelope-To']) {
		const header = `Received: from a by b for <${OWN}>; Sat, 21 Nov 2026 10:00:00 +0000\r\n${name}: ${OWN}`;
		expect(await mail(COLLEAGUE, header)).toEqual(foreign);
	}
	expect(host.started()).toMatchObject([[[{ json: { subject: OWN } }]]]);
});

import { dialects, startSandbox, type Sandbox } from '../../../../sandbox';
import { startDeliveryHost, storedSubscription, type DeliveryHost } from './deliveries';

const ADDRESS = 'sales@example.test';

const MAIL = [
	'From: =?utf-8?q?Zo=C3=AB?= <zoe@sender.example>',
	`To: Sales <${ADDRESS}>`,
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

describe.each(Object.values(dialects))('an email of a service with $name', (dialect) => {
	let sandbox: Sandbox;
	let host: DeliveryHost;

	beforeEach(async () => {
		sandbox = await startSandbox({ dialect: dialect.name });
		const { apiKey } = sandbox.accounts.owner;
		const credential = { baseUrl: sandbox.baseUrl, apiKey };
		host = await startDeliveryHost({}, { credential });
		const url = host.urlFor({}, apiKey);
		const { ownerId, workspaceId } = sandbox.addWebhook({ url });
		host.staticData = { subscription: storedSubscription(url, { ownerId, workspaceId }) };
	});

	afterEach(async () => {
		await Promise.all([sandbox.stop(), host.stop()]);
	});

	test('starts the workflow once, with the same fields and file as of any other', async () => {
		const { deliveries } = await sandbox.receiveMail(MAIL, { to: ADDRESS });
		const [delivery] = await deliveries;
		await sandbox.repeatDelivery(delivery?.id ?? '');

		expect(sandbox.deliveries().map(({ status }) => status)).toEqual([200, 200]);
		const items = host.started().flat(2);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			json: {
				from: { name: 'Zoë', address: 'zoe@sender.example' },
				to: [{ name: 'Sales', address: ADDRESS }],
				subject: 'The list',
				date: '2025-11-15T10:47:23.000Z',
				text: 'It is attached.',
				html: expect.stringContaining('<p>It is attached.</p>'),
				attachments: [{ fileName: 'stock list.csv', mimeType: 'text/csv', size: 9 }],
			},
			binary: { attachment_0: { fileName: 'stock list.csv', mimeType: 'text/csv' } },
		});
		// A copy that names its recipient leaves nothing to ask.
		expect(dialect.stampsCopies ? sandbox.requests() : []).toEqual([]);
	});
});

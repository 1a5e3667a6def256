import { createTransport, type Transporter } from 'nodemailer';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { ask, entryOf, identityId, subscribe } from './client';
import { type HookReceiver, startHookReceiver } from './receiver';

const MAIL = 'Message-ID: <one@sender.example>\r\nSubject: x\r\n\r\nHello';

describe('mail', () => {
	let sandbox: Sandbox;
	let receiver: HookReceiver;
	let mailer: Transporter;
	beforeEach(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
		receiver = await startHookReceiver();
		mailer = createTransport({ host: '127.0.0.1', port: sandbox.smtpPort });
	});
	afterEach(async () => {
		mailer.close();
		await Promise.all([sandbox.stop(), receiver.stop()]);
	});

	const send = (to: string | string[], subject = 'Grüße') =>
		mailer.sendMail({
			...{ from: 'Ann <ann@example.com>', to, subject, text: 'Hello there' },
			attachments: [{ filename: 'note.txt', content: 'attached' }],
		});

	test('by SMTP becomes a delivery as the running service sends it', async () => {
		const webhookId = await subscribe(sandbox, `${receiver.url}/hook`);
		await send('sales@example.test');
		const delivery = await sandbox.waitForDelivery((one) => one.webhookId === webhookId);
		expect(delivery).toMatchObject({ status: 200, responseBody: 'thanks', error: null });
		const [request] = receiver.received;
		expect(request?.headers).toMatchObject({
			'content-type': 'text/plain;charset=UTF-8',
			'user-agent': 'node',
		});
		const { event, data } = JSON.parse(request?.body ?? '');
		expect(event).toBe('message.received');
		expect(data.message).toMatchObject({
			...{ subject: 'Grüße', html: '', cc: null, hasAttachments: true },
			from: { value: [{ name: 'Ann', address: 'ann@example.com' }] },
		});
		expect(data.rawEmail).toContain('filename=note.txt');
		expect(JSON.stringify(data.message)).not.toContain(identityId(sandbox, 'sales@example.test'));
		expect(data.rawEmail).toMatch(/^Delivered-To: sales@example\.test\r\nReceived: .*\r\n\tfor </);
	});

	test('the contract dialect delivers JSON as JSON, in snake_case', async () => {
		sandbox.setDialect('contract');
		await subscribe(sandbox, receiver.url);
		await send('sales@example.test');
		await sandbox.waitForDelivery(() => true);
		const [request] = receiver.received;
		expect(request?.headers['content-type']).toBe('application/json');
		const { message } = JSON.parse(request?.body ?? '').data;
		expect(message).toMatchObject({ has_attachments: true });
		expect(message.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/);
	});

	test('the stored message can be read by its account only', async () => {
		sandbox.setDialect('contract');
		const { messages } = await sandbox.receiveMail('Subject: kept\r\n\r\nbody', {
			to: 'sales@example.test',
		});
		const route = `GET /messages/${messages[0]?.fields.id}`;
		expect(entryOf(await ask(sandbox, route))).toMatchObject({ subject: 'kept' });
		const key = sandbox.accounts.other.apiKey;
		expect((await ask(sandbox, route, { key })).status).toBe(403);
		expect((await ask(sandbox, route, { key: null })).status).toBe(401);
		expect((await ask(sandbox, 'GET /messages/any%2Ftext')).status).toBe(404);
	});

	test('goes to an address, or to a domain that takes mail, and to nobody else', async () => {
		await expect(send('anyone@example.test')).rejects.toMatchObject({ responseCode: 550 });
		sandbox.setDialect('contract');
		await send('anyone@example.test');
		await expect(send('anyone@pending.test')).rejects.toMatchObject({ responseCode: 550 });
		await expect(send('nobody@nowhere.test')).rejects.toMatchObject({ responseCode: 550 });
		const [message, ...others] = sandbox.dumpState().messages;
		expect(message?.identityId).toBe(identityId(sandbox, 'example.test'));
		expect(others).toEqual([]);
	});

	test('reaches the enabled subscriptions of the identity and of its account', async () => {
		sandbox.setDialect('contract');
		const support = identityId(sandbox, 'support@example.test');
		const sales = identityId(sandbox, 'sales@example.test');
		await subscribe(sandbox, `${receiver.url}/all`);
		await subscribe(sandbox, `${receiver.url}/sales`, { identityId: sales });
		await subscribe(sandbox, `${receiver.url}/support`, { identityId: support });
		await subscribe(sandbox, `${receiver.url}/paused`, { enabled: false });
		const { userId: ownerId } = sandbox.accounts.other;
		sandbox.addWebhook({ url: `${receiver.url}/other`, ownerId });
		const { deliveries } = await sandbox.receiveMail('Subject: x\r\n\r\n', {
			to: 'Sales@Example.test',
		});
		const urls = (await deliveries).map(({ url }) => new URL(url).pathname);
		expect(urls.sort()).toEqual(['/all', '/sales']);
	});

	test('with a plus tag goes to the address without it', async () => {
		const { messages } = await sandbox.receiveMail(MAIL, { to: 'Sales+orders@example.test' });
		expect(messages).toMatchObject([
			{
				identityId: identityId(sandbox, 'sales@example.test'),
				fields: { deliveredTo: 'Sales+orders@example.test' },
			},
		]);
	});

	test('in another charset is decoded as UTF-8 all the same', async () => {
		sandbox.setDialect('contract');
		const raw = Buffer.from('Subject: x\r\n\r\ncaf\xe9', 'latin1');
		const { messages } = await sandbox.receiveMail(raw, { to: 'sales@example.test' });
		expect(messages[0]?.rawEmail).toBe('Subject: x\r\n\r\ncaf\ufffd');
	});

	test('a delivery can be repeated, and made up', async () => {
		await subscribe(sandbox, receiver.url);
		const { deliveries } = await sandbox.receiveMail(MAIL, {
			to: 'sales@example.test',
		});
		const [first] = await deliveries;
		await sandbox.repeatDelivery(first?.id ?? '');
		expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
		await sandbox.deliver({ url: receiver.url, body: '[', contentType: null });
		expect(receiver.received[2]).toMatchObject({ body: '[' });
		expect(receiver.received[2]?.headers).not.toHaveProperty('content-type');
	});

	test('a delivery that nobody takes is recorded and not tried again', async () => {
		await subscribe(sandbox, receiver.url);
		await receiver.stop();
		const { deliveries } = await sandbox.receiveMail(MAIL, {
			to: 'sales@example.test',
		});
		expect(await deliveries).toEqual([
			expect.objectContaining({ status: null, error: expect.stringContaining('fetch failed') }),
		]);
		await sandbox.deliveriesSettled();
		expect(sandbox.deliveries()).toHaveLength(1);
	});
});

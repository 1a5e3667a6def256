import { type Sandbox, startSandbox } from '../../../sandbox';
import { ask } from './client';
import { type HookReceiver, startHookReceiver } from './receiver';

describe('the control endpoint', () => {
	let sandbox: Sandbox;
	let receiver: HookReceiver;
	beforeAll(async () => {
		sandbox = await startSandbox({ dialect: 'observed', extraIdentities: 3 });
		receiver = await startHookReceiver();
	});
	afterAll(() => Promise.all([sandbox.stop(), receiver.stop()]));

	const control = async (route: string, body?: unknown): Promise<unknown> => {
		const [method, path] = route.split(' ');
		const response = await fetch(`${sandbox.controlUrl}${path}`, {
			method,
			...(body !== undefined && {
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			}),
		});
		return response.json();
	};

	test('tells addresses, keys and identities', async () => {
		const { baseUrl, smtpPort, accounts } = sandbox;
		expect(await control('GET /status')).toMatchObject({ baseUrl, smtpPort, accounts });
		const values = accounts.owner.identities.map(({ value }) => value);
		expect(values).toContain('extra-00003@example.test');
	});

	test('makes faults and takes them away', async () => {
		const answer = { type: 'status', status: 503 };
		const { id } = (await control('POST /faults', { path: '/me', answer })) as { id: string };
		expect((await ask(sandbox, 'GET /me')).status).toBe(503);
		expect(await control('GET /faults')).toMatchObject([{ id, path: '/me' }]);
		await control(`DELETE /faults/${id}`);
		expect((await ask(sandbox, 'GET /me')).status).toBe(200);
		expect(await control('GET /requests?path=/me&status=503')).toHaveLength(1);
	});

	test('takes mail in, and says what became of its deliveries', async () => {
		const webhook = (await control('POST /webhooks', { url: receiver.url })) as { id: string };
		const mail = {
			raw: 'Message-ID: <one@sender.example>\r\n\r\n',
			to: 'sales@example.test',
		};
		const received = await control('POST /mail', mail);
		expect(received).toMatchObject({ deliveries: [{ webhookId: webhook.id, status: 200 }] });
		const [first] = (received as { deliveries: Array<{ id: string }> }).deliveries;
		expect(await control(`POST /deliveries/${first?.id}`)).toMatchObject({ status: 200 });
		expect(await control(`GET /deliveries?webhookId=${webhook.id}`)).toHaveLength(2);
		await control(`PATCH /webhooks/${webhook.id}`, { enabled: false });
		expect(await control('POST /mail', mail)).toMatchObject({ deliveries: [] });
		await control(`DELETE /webhooks/${webhook.id}`);
		expect(await control('GET /webhooks')).toEqual([]);
	});

	test('puts mail into folders and other workspaces, deletes identities, crashes', async () => {
		const mail = { raw: 'Message-ID: <c@sender.example>\r\n\r\n', to: 'sales@example.test' };
		const fields = { draft: true, workspaceId: 'elsewhere' };
		const { messages } = (await control('POST /mail', { ...mail, folder: 'Drafts', fields })) as {
			messages: string[];
		};
		const stored = sandbox.dumpState().messages.find((one) => messages.includes(one.fields.id));
		expect(stored?.fields).toMatchObject({
			...fields,
			metaData: { imap: { mailboxPath: 'Drafts' } },
		});

		const { id } = (await control('POST /identities', { value: 'gone@example.test' })) as {
			id: string;
		};
		const hook = { url: receiver.url, identityId: id };
		const { id: webhook } = (await control('POST /webhooks', hook)) as { id: string };
		await control(`DELETE /identities/${id}`);
		expect(sandbox.webhooks()).toMatchObject([{ id: webhook, identityId: null }]);
		await control(`DELETE /webhooks/${webhook}`);

		expect(await control('PATCH /accounts/other', { scopes: ['emails:send'] })).toMatchObject({
			name: 'other',
			scopes: ['emails:send'],
		});
		await control('POST /crash');
		await expect(ask(sandbox, 'GET /me')).rejects.toThrow();
		await control('POST /up');
		expect((await ask(sandbox, 'GET /me')).status).toBe(200);
	});

	test('puts a state back byte for byte', async () => {
		await control('POST /webhooks', { url: receiver.url });
		const before = (await control('GET /state')) as { webhooks: unknown[] };
		await control('PUT /state', { webhooks: [] });
		expect(sandbox.webhooks()).toEqual([]);
		await control('PUT /state', before);
		expect(JSON.stringify(await control('GET /state'))).toBe(JSON.stringify(before));
	});

	test('switches the dialect, takes the service down and up, renews a key', async () => {
		await control('PATCH /dialect', 'contract');
		expect((await ask(sandbox, 'GET /me')).json).toHaveProperty('userId');
		await control('POST /down');
		await expect(ask(sandbox, 'GET /me')).rejects.toThrow();
		await control('POST /up');
		const { apiKey: old } = sandbox.accounts.owner;
		const { apiKey } = (await control('POST /accounts/owner/key')) as { apiKey: string };
		expect((await ask(sandbox, 'GET /me', { key: old })).status).toBe(401);
		expect((await ask(sandbox, 'GET /me', { key: apiKey })).status).toBe(200);
	});

	test('answers a mistake with a sentence', async () => {
		expect(await control('DELETE /webhooks/none')).toEqual({ error: 'There is no webhook none.' });
		const mail = { raw: 'x', to: 'nobody@nowhere.test' };
		expect(await control('POST /mail', mail)).toEqual({
			error: 'No identity receives mail for nobody@nowhere.test.',
		});
	});
});

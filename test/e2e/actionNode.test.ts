import { freePort, N8n } from './driver';
import type { CredentialReference } from './driver';
import type { Sandbox } from '../../sandbox';
import { actionOutput, byId, NODE_NAME, runAction } from './support/actions';
import { ADDRESS, CREDENTIAL_TYPE, credentialData, deploy, DIALECTS } from './support/deployment';
import { startOtherServer } from './support/otherServer';

const HOOK = 'https://hooks.example.com/inbound';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let n8n: N8n;

beforeAll(async () => {
	n8n = await N8n.start();
});

afterAll(async () => {
	await n8n?.stop();
});

describe.each(DIALECTS)('with a service of the %s dialect', (dialect) => {
	let sandbox: Sandbox;
	let credential: CredentialReference;

	beforeAll(async () => {
		({ sandbox, credential } = await deploy(n8n, dialect));
	});

	afterAll(async () => {
		await sandbox?.stop();
	});

	const output = async (parameters: Record<string, unknown>) =>
		await actionOutput(n8n, credential, parameters);

	describe('the credential test', () => {
		const test = async (changes: Record<string, unknown>) =>
			await n8n.credentials.test(CREDENTIAL_TYPE, { ...credentialData(sandbox), ...changes });

		it('succeeds with the right address and key', async () => {
			expect(await test({})).toMatchObject({ status: 'OK' });
		});

		it('says that a key is wrong', async () => {
			const { status, message } = await test({ apiKey: 'no-such-key' });
			expect(status).toBe('Error');
			expect(message).toMatch(/API key/);
			expect(message).not.toContain('no-such-key');
		});

		it('says that a host cannot be reached', async () => {
			const result = await test({ baseUrl: `http://127.0.0.1:${await freePort()}/api` });
			expect(result).toEqual({ status: 'Error', message: expect.stringMatching(/reached/) });
		});

		it.each([
			['a web page', 'text/html', '<!doctype html><title>Welcome</title>'],
			['JSON without a user ID', 'application/json', '{"status":"ok"}'],
		])('says that %s is not this API', async (_, contentType, body) => {
			const other = await startOtherServer(contentType, body);
			const result = await test({ baseUrl: other.url }).finally(() => other.stop());
			expect(result).toEqual({
				status: 'Error',
				message: expect.stringMatching(/not the Email Identity API/),
			});
		});
	});

	it('says that the service of an operation cannot be reached', async () => {
		const baseUrl = `http://127.0.0.1:${await freePort()}/api`;
		const data = { ...credentialData(sandbox), baseUrl };
		const dead = await n8n.credentials.create(CREDENTIAL_TYPE, data, 'Nobody there');
		const { error } = await runAction(n8n, dead, { resource: 'user', operation: 'get' });
		expect(error?.message).toBe('The service cannot be reached');
	});

	it('gets the user', async () => {
		expect(await output({ resource: 'user', operation: 'get' })).toEqual([
			expect.objectContaining({ userId: sandbox.accounts.owner.userId }),
		]);
	});

	it('gets an identity', async () => {
		const { id } = identityOf(sandbox, ADDRESS);
		const [identity] = await output({
			resource: 'identity',
			operation: 'get',
			identityId: byId(id),
		});
		// Only the contract's service ever verifies an address that hangs on a domain.
		const status = dialect === 'contract' ? 'verified' : 'unverified';
		expect(identity).toMatchObject({ id, value: ADDRESS, kind: 'email', status });
		expect(identity?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
	});

	it('gets many identities', async () => {
		const all = await output({ resource: 'identity', operation: 'getAll', returnAll: true });
		const known = sandbox.accounts.owner.identities.map(({ value }) => value);
		expect(all.map(({ value }) => value).sort()).toEqual(known.sort());
	});

	it('audits identities', async () => {
		const audited = await output({ resource: 'identity', operation: 'audit' });
		expect(audited).toHaveLength(sandbox.accounts.owner.identities.length);
		expect(audited).toContainEqual(
			expect.objectContaining({ healthy: false, findings: expect.any(Array) }),
		);
	});

	it(
		dialect === 'observed' ? 'says that there are no single messages' : 'gets a message',
		async () => {
			const raw = `Message-ID: <kept@example.org>\r\nFrom: a@example.org\r\nTo: ${ADDRESS}\r\nSubject: Kept\r\n\r\nHello`;
			const { messages } = await sandbox.receiveMail(raw, { to: ADDRESS, deliver: false });
			const messageId = messages[0]?.fields.id;
			const get = { resource: 'message', operation: 'get', messageId };
			if (dialect === 'observed') {
				const { error } = await runAction(n8n, credential, get);
				expect(error?.message).toBe('This service cannot give single messages');
				return;
			}
			expect(await output(get)).toEqual([
				expect.objectContaining({
					subject: 'Kept',
					delivery: expect.objectContaining({ id: messageId }),
				}),
			]);
		},
	);

	it('creates, gets, pauses, resumes, updates and deletes a webhook', async () => {
		const webhook = { resource: 'webhook' };
		const [created] = await output({ ...webhook, operation: 'create', url: HOOK });
		const webhookId = byId(created?.id);
		expect(created).toMatchObject({
			url: HOOK,
			enabled: true,
			events: ['message.received'],
			ownerId: sandbox.accounts.owner.userId,
		});
		expect(await output({ ...webhook, operation: 'get', webhookId })).toEqual([created]);
		expect(await output({ ...webhook, operation: 'getAll', returnAll: true })).toEqual([created]);

		await output({ ...webhook, operation: 'pause', webhookId });
		expect(sandbox.webhooks()).toEqual([expect.objectContaining({ enabled: false })]);
		await output({ ...webhook, operation: 'resume', webhookId });
		expect(sandbox.webhooks()).toEqual([expect.objectContaining({ enabled: true })]);

		const [updated] = await output({
			...webhook,
			operation: 'update',
			webhookId,
			updateFields: { description: 'Renamed' },
		});
		expect(updated).toMatchObject({ id: created?.id, description: 'Renamed', url: HOOK });

		expect(await output({ ...webhook, operation: 'delete', webhookId })).toEqual([
			{ deleted: true },
		]);
		expect(sandbox.webhooks()).toEqual([]);
	});

	it('creates a webhook once, and updates it the next time', async () => {
		const upsert = (description: string) =>
			output({
				resource: 'webhook',
				operation: 'upsert',
				url: `${HOOK}/once`,
				additionalFields: { description },
			});
		const [first] = await upsert('One');
		const [second] = await upsert('Two');
		expect(second?.id).toBe(first?.id);
		expect(sandbox.webhooks()).toEqual([expect.objectContaining({ description: 'Two' })]);
		sandbox.removeWebhook(String(first?.id));
	});

	it("fails with a sentence for an identity of another account, without the account's key", async () => {
		const foreign = sandbox.accounts.other.identities[0]?.id;
		const { status, error } = await runAction(n8n, credential, {
			resource: 'identity',
			operation: 'get',
			identityId: byId(foreign),
		});
		expect(status).toBe('error');
		expect(error?.message).toMatch(
			/^The (API key has no access to this identity|identity was not found)/,
		);
		expect(JSON.stringify(error)).not.toContain(sandbox.accounts.owner.apiKey);
	});

	it('sends what failed, and nothing else, to the error output', async () => {
		const { id } = identityOf(sandbox, ADDRESS);
		const execution = await runAction(
			n8n,
			credential,
			{ resource: 'identity', operation: 'get', identityId: byId('={{ $json.id }}') },
			{ items: [{ id }, { id: UNKNOWN }], onError: 'continueErrorOutput' },
		);
		expect(execution.nodes[NODE_NAME]?.[0]?.outputs).toMatchObject([
			[{ json: { id, value: ADDRESS } }],
			[
				{
					json: {
						id: UNKNOWN,
						error: expect.stringMatching(/identity/),
						message: expect.any(String),
					},
				},
			],
		]);
	});

	it('follows expressions, one item after the other', async () => {
		const [created] = await output({
			resource: 'webhook',
			operation: 'create',
			url: `=${HOOK}/{{ 20 + 3 }}`,
		});
		expect(created?.url).toBe(`${HOOK}/23`);
		sandbox.removeWebhook(String(created?.id));
	});
});

function identityOf(sandbox: Sandbox, address: string): { id: string } {
	const identity = sandbox.accounts.owner.identities.find(({ value }) => value === address);
	if (!identity) throw new Error(`The sandbox has no identity ${address}.`);
	return identity;
}

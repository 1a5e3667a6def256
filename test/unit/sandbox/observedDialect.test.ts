import { type Sandbox, startSandbox } from '../../../sandbox';
import { ask, entryOf, identityId, subscribe } from './client';

describe('the observed dialect', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
	});
	afterAll(() => sandbox.stop());

	test('GET /me has an id and an email address in the envelope', async () => {
		const { userId: id, email } = sandbox.accounts.owner;
		expect((await ask(sandbox, 'GET /me')).json).toEqual({ success: true, data: { id, email } });
	});

	test('an identity is camelCase with real JSON and ISO times', async () => {
		const id = identityId(sandbox, 'example.test');
		expect(entryOf(await ask(sandbox, `GET /identities/${id}`))).toMatchObject({
			ownerId: sandbox.accounts.owner.userId,
			dnsRecords: [{ type: 'TXT' }, { type: 'MX' }],
			metaData: { team: 'sales' },
			sharedWithWorkspace: false,
			workspaceId: null,
			displayName: 'Example',
			createdAt: '2025-11-15T10:47:23.604Z',
		});
	});

	test('POST answers 200 with the stored subscription, DELETE with its ID, a second DELETE 404', async () => {
		const url = 'https://hooks.example.com/x';
		const ownerId = sandbox.accounts.owner.userId;
		const body = { url, events: ['message.received'], ownerId };
		const created = await ask(sandbox, 'POST /webhooks', { body });
		const { id, ...stored } = entryOf(created);
		expect(created.status).toBe(200);
		expect(stored).toEqual({
			...{ ...body, identityId: null, description: null, enabled: true },
			...{ metaData: null, workspaceId: null },
			...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
		});
		const deleted = await ask(sandbox, `DELETE /webhooks/${id}`);
		expect(deleted.json).toEqual({ success: true, data: { id, deleted: true } });
		expect((await ask(sandbox, `DELETE /webhooks/${id}`)).status).toBe(404);
	});

	test('PATCH with identityId null removes the restriction', async () => {
		const restricted = identityId(sandbox, 'sales@example.test');
		const id = await subscribe(sandbox, 'https://hooks.example.com/y', { identityId: restricted });
		const route = `PATCH /webhooks/${id}`;
		expect(sandbox.webhooks().find((one) => one.id === id)?.identityId).toBe(restricted);
		const patched = await ask(sandbox, route, { body: { identityId: null } });
		expect(entryOf(patched).identityId).toBeNull();
		expect((await ask(sandbox, route, { body: {} })).status).toBe(500);
	});

	test('an ID that is no UUID is a server error', async () => {
		for (const route of ['GET /identities/nope', 'GET /webhooks/nope', 'DELETE /webhooks/nope']) {
			const { status, json } = await ask(sandbox, route);
			expect(status).toBe(500);
			expect(json).toMatchObject({ error: true, statusMessage: 'Server Error' });
			expect(json).not.toHaveProperty('data');
		}
	});

	test("another account's identity is refused with 403, its webhook with 404", async () => {
		const foreign = identityId(sandbox, 'other.test', 'other');
		const id = await subscribe(sandbox, 'https://hooks.example.com/z');
		const key = sandbox.accounts.other.apiKey;
		const identity = await ask(sandbox, `GET /identities/${foreign}`);
		expect(identity.status).toBe(403);
		expect(identity.json).toMatchObject({ message: 'Identity not found or access denied' });
		expect((await ask(sandbox, `GET /webhooks/${id}`, { key })).status).toBe(404);
		const stolen = { ...{ url: 'https://hooks.example.com', events: ['message.received'] } };
		const { userId: ownerId } = sandbox.accounts.owner;
		const body = { ...stolen, ownerId, identityId: foreign };
		expect((await ask(sandbox, 'POST /webhooks', { body })).status).toBe(403);
	});

	test('a broken body is answered with the whole error object and its issues', async () => {
		const ownerId = sandbox.accounts.owner.userId;
		const body = { url: 'https://hooks.example.com', events: ['message.sent'], ownerId };
		const { status, json } = await ask(sandbox, 'POST /webhooks', { body });
		expect(status).toBe(400);
		expect(json).toMatchObject({
			error: true,
			url: `${sandbox.baseUrl}/webhooks`,
			statusCode: 400,
			statusMessage: 'Bad Request',
			data: {
				success: false,
				error: { code: 'INVALID_REQUEST_BODY', issues: [{ path: 'events.0' }] },
			},
		});
		expect((await ask(sandbox, 'POST /webhooks', { body: '{"url":' })).status).toBe(400);
	});

	test('a wrong key is answered 401 without data', async () => {
		const { status, json } = await ask(sandbox, 'GET /me', { key: 'wrong' });
		expect(status).toBe(401);
		expect(json).toMatchObject({ error: true, statusMessage: 'Unauthorized' });
		expect(json).not.toHaveProperty('data');
	});
});

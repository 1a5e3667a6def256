import { type Sandbox, startSandbox } from '../../../sandbox';
import { ask, entryOf, identityId, subscribe } from './client';

describe('the observed dialect', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
	});
	afterAll(() => sandbox.stop());
	const hook = (more: Record<string, unknown> = {}) => ({
		url: 'https://hooks.example.com/x',
		events: ['message.received'],
		ownerId: sandbox.accounts.owner.userId,
		...more,
	});

	test('GET /me has an id and an email address in the envelope', async () => {
		const { userId: id, email } = sandbox.accounts.owner;
		const answer = await ask(sandbox, 'GET /me');
		expect(answer.json).toEqual({ success: true, data: { id, email } });
		expect(answer.headers.get('content-type')).toBe('application/json');
	});

	test('an identity is camelCase with real JSON, ISO times and a workspace', async () => {
		const id = identityId(sandbox, 'example.test');
		const { ownerId } = hook();
		expect(entryOf(await ask(sandbox, `GET /identities/${id}`))).toEqual({
			...{ id, ownerId, kind: 'domain', value: 'example.test', status: 'verified' },
			...{ publicId: expect.any(String), incomingDomain: true, domainIdentityId: null },
			...{ providerId: expect.any(String), smtpAccountId: expect.any(String) },
			dnsRecords: [
				expect.objectContaining({ type: 'TXT' }),
				expect.objectContaining({ type: 'MX' }),
			],
			metaData: { team: 'sales' },
			displayName: 'Example',
			sharedWithWorkspace: false,
			workspaceId: sandbox.accounts.owner.workspaceId,
			createdAt: '2025-11-15T10:47:23.604Z',
			updatedAt: '2025-11-15T10:47:23.604Z',
		});
	});

	test.each([
		{ given: { value: 'one@inbound.test', providerId: null }, shown: 'verified' },
		{ given: { value: 'two@gmail.test', providerId: 'p' }, shown: 'unverified' },
		{
			given: { value: 'three@imap.test', providerId: null, smtpAccountId: 's' },
			shown: 'unverified',
		},
		{
			given: { value: 'four@own.test', providerId: null, domainIdentityId: 'd' },
			shown: 'unverified',
		},
		{ given: { value: 'own.test', providerId: 'p', status: 'failed' }, shown: 'failed' },
	])('$given.value is $shown, whatever happens', async ({ given, shown }) => {
		const { id } = sandbox.addIdentity({ status: 'verified', ...given });
		expect(entryOf(await ask(sandbox, `GET /identities/${id}`)).status).toBe(shown);
	});

	test('POST answers 200 with the stored subscription, DELETE with its ID, a second DELETE 404', async () => {
		const created = await ask(sandbox, 'POST /webhooks', { body: hook() });
		const { id, ...stored } = entryOf(created);
		expect(created.status).toBe(200);
		expect(stored).toEqual({
			...{ ...hook(), identityId: null, description: null, enabled: true },
			...{ metaData: null, workspaceId: sandbox.accounts.owner.workspaceId },
			...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
		});
		const deleted = await ask(sandbox, `DELETE /webhooks/${id}`);
		expect(deleted.json).toEqual({ success: true, data: { id, deleted: true } });
		const again = await ask(sandbox, `DELETE /webhooks/${id}`);
		expect(again.status).toBe(404);
		expect(again.json).toMatchObject({ data: { error: { code: 'WEBHOOK_NOT_FOUND' } } });
	});

	test('updatedAt stays what it was at creation', async () => {
		const id = await subscribe(sandbox, 'https://hooks.example.com/t');
		const before = entryOf(await ask(sandbox, `GET /webhooks/${id}`));
		sandbox.editWebhook(id, { updatedAt: '2031-01-01T00:00:00Z' });
		const after = await ask(sandbox, `PATCH /webhooks/${id}`, { body: { enabled: false } });
		expect(entryOf(after)).toEqual({ ...before, enabled: false });
	});

	test.each([
		['no owner', { ownerId: undefined }],
		["another user's owner ID", { ownerId: '00000000-0000-4000-8000-000000000000' }],
		['a URL that is none', { url: 'nowhere' }],
	])('POST with %s is accepted, and the subscription is the own', async (_, odd) => {
		const { status, ...answer } = await ask(sandbox, 'POST /webhooks', { body: hook(odd) });
		expect(status).toBe(200);
		expect(entryOf({ status, ...answer }).ownerId).toBe(sandbox.accounts.owner.userId);
	});

	test("a restriction may be removed, and be another account's identity, but not one that is missing", async () => {
		const restricted = identityId(sandbox, 'sales@example.test');
		const foreign = identityId(sandbox, 'person@other.test', 'other');
		const id = await subscribe(sandbox, 'https://hooks.example.com/y', { identityId: restricted });
		const patch = (body: unknown) => ask(sandbox, `PATCH /webhooks/${id}`, { body });
		const stored = () => sandbox.webhooks().find((one) => one.id === id)?.identityId;
		expect(stored()).toBe(restricted);
		expect(entryOf(await patch({ identityId: null })).identityId).toBeNull();
		expect(entryOf(await patch({ identityId: foreign })).identityId).toBe(foreign);
		const missing = '00000000-0000-4000-8000-000000000000';
		expect((await patch({ identityId: missing })).status).toBe(500);
		expect(stored()).toBe(foreign);
		expect((await patch({})).status).toBe(500);
		const body = hook({ identityId: foreign });
		expect((await ask(sandbox, 'POST /webhooks', { body })).status).toBe(200);
	});

	test('deleting an identity takes the restriction off its subscriptions, and a PATCH back fails', async () => {
		const { id: identity } = sandbox.addIdentity({ value: 'leaving@example.test' });
		const id = await subscribe(sandbox, 'https://hooks.example.com/d', { identityId: identity });
		sandbox.removeIdentity(identity);
		expect(entryOf(await ask(sandbox, `GET /webhooks/${id}`)).identityId).toBeNull();
		const back = await ask(sandbox, `PATCH /webhooks/${id}`, { body: { identityId: identity } });
		expect(back.status).toBe(500);
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
		expect(identity.json).not.toHaveProperty('data');
		expect((await ask(sandbox, `GET /webhooks/${id}`, { key })).status).toBe(404);
	});

	test('a broken body is answered with the whole error object and its issues', async () => {
		const body = hook({ events: ['message.sent'] });
		const { status, json } = await ask(sandbox, 'POST /webhooks', { body });
		expect(status).toBe(400);
		expect(json).toEqual({
			error: true,
			url: `${sandbox.baseUrl}/webhooks`,
			statusCode: 400,
			statusMessage: 'Invalid request body',
			message: 'Invalid request body',
			data: {
				success: false,
				error: {
					code: 'INVALID_REQUEST_BODY',
					message: 'Invalid request body',
					issues: [expect.objectContaining({ path: 'events.0' })],
				},
			},
		});
		expect((await ask(sandbox, 'POST /webhooks', { body: '{"url":' })).status).toBe(400);
	});

	test('an empty list of events has a code of its own and no issues', async () => {
		const { status, json } = await ask(sandbox, 'POST /webhooks', { body: hook({ events: [] }) });
		expect(status).toBe(400);
		const { data } = json as { data: { error: object } };
		expect(data.error).toMatchObject({ code: 'MISSING_EVENTS' });
		expect(data.error).not.toHaveProperty('issues');
	});

	test('there is no route for messages, with or without a key', async () => {
		for (const key of [sandbox.accounts.owner.apiKey, null]) {
			const { status, json } = await ask(sandbox, 'GET /messages/some-id', { key });
			expect(status).toBe(404);
			expect(json).toMatchObject({
				message: expect.stringMatching(/^Cannot find any route matching/),
			});
			expect(json).not.toHaveProperty('data');
		}
		expect((await ask(sandbox, 'GET /messages')).status).toBe(404);
		expect((await ask(sandbox, 'GET /nothing')).status).toBe(404);
	});

	test('a trailing slash is no matter, a wrong method is 405', async () => {
		expect((await ask(sandbox, 'GET /identities/')).status).toBe(200);
		expect((await ask(sandbox, 'PUT /webhooks', { body: {} })).status).toBe(405);
		sandbox.setDialect({ trailingSlash: false, wrongMethodStatus: 404 });
		expect((await ask(sandbox, 'GET /identities/')).status).toBe(404);
		expect((await ask(sandbox, 'PUT /webhooks', { body: {} })).status).toBe(404);
		sandbox.setDialect('observed');
	});
});

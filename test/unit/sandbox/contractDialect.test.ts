import { type Sandbox, startSandbox } from '../../../sandbox';
import { ask, entryOf, identityId, subscribe } from './client';

describe('the contract dialect', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ dialect: 'contract' });
	});
	afterAll(() => sandbox.stop());

	test('GET /me is the bare user ID', async () => {
		const { status, json } = await ask(sandbox, 'GET /me');
		expect(status).toBe(200);
		expect(json).toEqual({ userId: sandbox.accounts.owner.userId });
	});

	test('an identity has exactly the fields of the contract, JSON as text, times as PostgreSQL writes them', async () => {
		const id = identityId(sandbox, 'example.test');
		const { json } = await ask(sandbox, `GET /identities/${id}`);
		expect(Object.keys(json as object).sort()).toEqual(
			[
				...['id', 'owner_id', 'kind', 'public_id', 'value', 'incoming_domain', 'status', 'meta'],
				...['domain_identity_id', 'dns_records', 'provider_id', 'smtp_account_id'],
				...['created_at', 'updated_at'],
			].sort(),
		);
		const identity = json as Record<string, string>;
		expect(identity.created_at).toBe('2025-11-15 10:47:23.60418+00');
		expect(JSON.parse(identity.dns_records ?? '')).toHaveLength(2);
		expect(identity.meta).toBe('{"team":"sales"}');
	});

	test('a list is a bare array of the own identities only', async () => {
		const { json } = await ask(sandbox, 'GET /identities');
		const values = (json as Array<{ value: string }>).map(({ value }) => value);
		expect(values).toContain('sales@example.test');
		expect(values).not.toContain('other.test');
	});

	test('a subscription lives from POST to DELETE', async () => {
		const url = 'https://hooks.example.com/x';
		const id = await subscribe(sandbox, url, { description: 'mine' });
		const stored = await ask(sandbox, `GET /webhooks/${id}`);
		expect(stored.json).toMatchObject({ id, url, description: 'mine', enabled: true });
		expect(stored.json).toMatchObject({ identity_id: null, events: ['message.received'] });
		const paused = await ask(sandbox, `PATCH /webhooks/${id}`, { body: { enabled: false } });
		expect(paused.json).toMatchObject({ id, enabled: false, url });
		const deleted = await ask(sandbox, `DELETE /webhooks/${id}`);
		expect([deleted.status, deleted.text]).toEqual([204, '']);
		expect((await ask(sandbox, `GET /webhooks/${id}`)).status).toBe(404);
	});

	test('refusals carry a message, and issues where a body broke the rules', async () => {
		const refused = await ask(sandbox, 'POST /webhooks', { body: { url: 'nowhere' } });
		expect(refused.status).toBe(422);
		expect(entryOf(refused)).toMatchObject({
			message: 'Invalid request body',
			issues: expect.arrayContaining([expect.objectContaining({ path: 'url' })]),
		});
		expect((await ask(sandbox, 'GET /me', { key: null })).status).toBe(401);
		expect((await ask(sandbox, 'GET /identities/nope')).status).toBe(404);
	});
});

import { type Dialect, dialects, type Sandbox, startSandbox } from '../../../sandbox';
import { ask, subscribe } from './client';

const inside: Array<[Partial<Dialect>, (body: never) => unknown]> = [
	[{ envelope: 'bare', listKey: 'none' }, (body) => body],
	[{ envelope: 'data', listKey: 'none' }, ({ data }: { data: unknown }) => data],
	[
		{ envelope: 'bare', listKey: 'resource' },
		({ identities }: Record<string, unknown>) => identities,
	],
	[{ envelope: 'bare', listKey: 'items' }, ({ items }: Record<string, unknown>) => items],
	[
		{ envelope: 'success', listKey: 'results' },
		({ data }: { data: Record<string, unknown> }) => data.results,
	],
];

describe('mixtures of dialects', () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox({ dialect: { ...dialects.observed, fieldNames: 'snake' } });
	});
	afterEach(() => sandbox.stop());

	test.each(inside)('%j wraps a list as it says', async (switches, list) => {
		sandbox.setDialect(switches);
		const { json } = await ask(sandbox, 'GET /identities');
		expect(list(json as never)).toHaveLength(sandbox.accounts.owner.identities.length);
	});

	test('each switch can be set by itself', async () => {
		sandbox.setDialect({ jsonFields: 'text', deleteAnswer: 'empty', webhookFieldNames: 'snake' });
		const { json } = await ask(sandbox, 'GET /identities');
		const [identity] = (json as { data: unknown[] }).data;
		expect(identity).toMatchObject({ owner_id: expect.any(String), meta_data: '{"team":"sales"}' });
		const id = await subscribe(sandbox, 'https://hooks.example.com');
		expect((await ask(sandbox, `GET /webhooks/${id}`)).text).toContain('"owner_id"');
		expect((await ask(sandbox, `DELETE /webhooks/${id}`)).status).toBe(204);
	});

	test('one sandbox changed leaves the presets as they were', async () => {
		sandbox.setDialect('contract');
		sandbox.setDialect({ envelope: 'data' });
		expect(dialects.contract.envelope).toBe('bare');
		expect(dialects.observed.envelope).toBe('success');
	});
});

import { searchList } from '../support';
import {
	actionNode,
	idOf,
	jsonOf,
	ownerCredential,
	requestLines,
	run,
	sandbox,
	useAnotherSandbox,
	useSandbox,
} from './support/operation';

useSandbox();

const identities = async (fields: object) =>
	jsonOf(await run('identity getAll', { ...fields })).map(({ value }) => value);

const webhooks = async (fields: object) =>
	jsonOf(await run('webhook getAll', { ...fields })).map(({ url }) => url);

describe('Get Many identities', () => {
	test.each([
		{ filters: { kind: 'domain' }, expected: 4 },
		{ filters: { kind: 'email' }, expected: 6 },
		{ filters: { status: ['pending'] }, expected: ['pending.test'] },
		{ filters: { status: ['failed', 'pending'] }, expected: ['pending.test', 'failed.test'] },
		{ filters: { status: [] }, expected: 10 },
		{ filters: { valueContains: ' ALONE ' }, expected: ['alone@mailbox.test'] },
		{ filters: { domain: 'pending.test' }, expected: ['pending.test', 'info@pending.test'] },
		{ filters: { domain: '@Pending.test' }, expected: ['pending.test', 'info@pending.test'] },
		{ filters: { domain: 'nding.test' }, expected: [] },
		{ filters: { kind: 'email', status: ['unverified'], valueContains: 'sales' }, expected: 1 },
		{ filters: { domain: '', valueContains: '' }, expected: 10 },
	])('returns the identities that match $filters', async ({ filters, expected }) => {
		const found = await identities({ filters });

		expect(typeof expected === 'number' ? found.length : found).toEqual(expected);
		expect(requestLines()).toEqual(['GET /identities']);
	});

	test('sorts in both directions', async () => {
		const ascending = { rule: { field: 'value', direction: 'ascending' } };
		const descending = { rule: { field: 'value', direction: 'descending' } };

		expect((await identities({ sort: ascending })).slice(0, 2)).toEqual([
			'alone@mailbox.test',
			'bare.test',
		]);
		expect((await identities({ sort: descending })).slice(0, 2)).toEqual([
			'support@example.test',
			'sales@example.test',
		]);
	});

	test('returns 50 by default, up to Limit, or all', async () => {
		await useAnotherSandbox({ extraIdentities: 90 });

		expect(await identities({})).toHaveLength(50);
		expect(await identities({ limit: '={{ "3" }}' })).toHaveLength(3);
		expect(await identities({ returnAll: true })).toHaveLength(100);
	});
});

describe('Get Many webhooks', () => {
	test.each([
		{ filters: { state: 'paused' }, urls: ['https://b.example/two'] },
		{ filters: { state: 'active' }, urls: ['https://a.example/one', 'https://c.example/three'] },
		{
			filters: { urlContains: 'EXAMPLE/T' },
			urls: ['https://b.example/two', 'https://c.example/three'],
		},
		{ filters: { event: 'message.received', urlContains: 'a.' }, urls: ['https://a.example/one'] },
		{ filters: { identityId: 'the one' }, urls: ['https://c.example/three'] },
	])('returns the webhooks that match $filters', async ({ filters, urls }) => {
		sandbox.addWebhook({ url: 'https://a.example/one' });
		sandbox.addWebhook({ url: 'https://b.example/two', enabled: false });
		sandbox.addWebhook({ url: 'https://c.example/three', identityId: idOf('example.test') });
		const given = filters as { identityId?: string };
		const wanted =
			given.identityId === undefined ? filters : { identityId: idOf('example.test').toUpperCase() };

		expect((await webhooks({ filters: wanted })).sort()).toEqual(urls);
	});

	test.each(['active', 'paused'])('a webhook without a state is not %s', async (state) => {
		sandbox.addWebhook({ url: 'https://a.example/one' });
		sandbox.setOddities({ show: (webhook) => ({ ...webhook, enabled: null }) });

		expect(await webhooks({})).toEqual(['https://a.example/one']);
		expect(await webhooks({ filters: { state } })).toEqual([]);
	});
});

describe('a searchable list', () => {
	const search = async (method: string, filter?: string, token?: string) =>
		await searchList({ type: actionNode, credential: ownerCredential() }, method, filter, token);

	test.each([
		['by its kind and status', 'pending DOMAIN', 'pending.test (domain, pending)'],
		['by its display name', 'sales@ (SALES', 'sales@example.test (Sales)'],
		['by the start of its ID', '', 'sales@example.test (Sales)'],
	])('finds an identity %s', async (_how, filter, name) => {
		const id = idOf(name.split(' ')[0]!);
		const { results } = await search('searchIdentities', filter || id.slice(0, 13).toUpperCase());

		expect(results).toEqual([{ name, value: id }]);
	});

	test('for From has only addresses that can send', async () => {
		sandbox.addIdentity({ value: 'drop@inbound.test', meta: { provider: 'inbound' } });
		const { results } = await search('searchSenders');

		expect(results.map(({ name }) => name.split(' ')[0])).toEqual([
			'alone@mailbox.test',
			'info@pending.test',
			'nothing@mailbox.test',
			'orphan@gone.test',
			'sales@example.test',
			'support@example.test',
		]);
	});

	test.each(['searchIdentities', 'searchSenders', 'searchWebhooks'])(
		'%s has one entry that says so when there is nothing to choose from',
		async (method) => {
			sandbox.replaceState({ identities: [] });

			expect((await search(method)).results).toEqual([{ name: expect.any(String), value: '' }]);
		},
	);

	test('names webhooks by state, description or ID, and host', async () => {
		sandbox.addWebhook({ url: 'https://b.example/two', enabled: false, description: 'Tickets' });
		const { id } = sandbox.addWebhook({ url: 'https://a.example/one' });

		expect((await search('searchWebhooks')).results.map(({ name }) => name)).toEqual([
			`Active · ${id.slice(0, 8)} · a.example`,
			'Paused · Tickets · b.example',
		]);
		expect((await search('searchWebhooks', 'paused')).results).toHaveLength(1);
	});

	test('returns a long list in pages, each entry once', async () => {
		await useAnotherSandbox({ extraIdentities: 240 });
		const names = new Set<string>();
		let token: unknown;
		do {
			const page = await search('searchIdentities', undefined, token as string | undefined);
			page.results.forEach(({ name }) => names.add(name));
			token = page.paginationToken;
		} while (token !== undefined);

		expect(names.size).toBe(250);
	});

	test('tries a service that is down less often than an execution does', async () => {
		await sandbox.goDown();

		await expect(search('searchIdentities')).rejects.toMatchObject({
			description: expect.stringContaining('3 times'),
		});
		const { error } = await run('user get', {}, { mode: 'manual' });
		expect(error?.description).toMatch(/[45] times/);
	});
});

import type { FaultRule } from '../../../sandbox';
import {
	chosen,
	idOf,
	itemsOf,
	jsonOf,
	ownerCredential,
	requestLines,
	run,
	sandbox,
	useSandbox,
} from './support/operation';

const URL_OF_HOOK = 'https://receiver.example/hook';

/** The service makes the subscription, and its answer is lost on the way. */
const LOST_ANSWER: FaultRule = {
	method: 'POST',
	path: '/webhooks',
	count: 1,
	acts: true,
	answer: { type: 'drop' },
};

const BUSY = { type: 'status', status: 503 } as const;

useSandbox();

test('Create accepts a private address if the credential allows it', async () => {
	const credential = ownerCredential(true);
	const result = await run('webhook create', { url: 'http://10.0.0.7/hook' }, { credential });

	expect(result.error).toBeUndefined();
});

describe('Update', () => {
	test('sends only the given fields', async () => {
		const { id } = sandbox.addWebhook({ url: URL_OF_HOOK, identityId: idOf('example.test') });
		const updateFields = { description: '' };
		await run('webhook update', { webhookId: chosen(id), updateFields });

		expect(sandbox.requests().map(({ body }) => body)).toEqual(['{"description":""}']);
	});

	test.each([
		['is refused once', { answer: { type: 'status', status: 503 } }],
		['has no response', { acts: true, answer: { type: 'drop' } }],
	] as const)('keeps the order of items for one webhook if the first %s', async (_, fault) => {
		const { id } = sandbox.addWebhook({ url: URL_OF_HOOK, enabled: false });
		const other = sandbox.addWebhook({ url: 'https://other.example/hook', enabled: false });
		sandbox.addFault({ method: 'PATCH', path: `/webhooks/${id}`, count: 1, ...fault });
		const parameters = {
			webhookId: chosen('={{ $json.id }}'),
			updateFields: { enabled: '={{ $json.enabled }}' },
		};
		const items = itemsOf(
			{ id, enabled: true },
			{ id: id.toUpperCase(), enabled: false },
			{ id: other.id, enabled: true },
		);
		const output = jsonOf(await run('webhook update', parameters, items));

		expect(output.map(({ enabled }) => enabled)).toEqual([true, false, true]);
		expect(sandbox.webhooks()).toContainEqual(expect.objectContaining({ id, enabled: false }));
		// The other one has not waited for the repetition.
		expect(requestLines().slice(0, 2).sort()).toEqual(
			[`PATCH /webhooks/${id}`, `PATCH /webhooks/${other.id}`].sort(),
		);
	});
});

describe('Create or Update', () => {
	test('run twice leaves one webhook, and changes nothing the second time', async () => {
		const parameters = { url: URL_OF_HOOK, additionalFields: { description: 'mine' } };
		const [first] = jsonOf(await run('webhook upsert', parameters));
		sandbox.clearRecordings();
		const [second] = jsonOf(await run('webhook upsert', parameters));

		expect(second).toEqual(first);
		expect(sandbox.webhooks()).toHaveLength(1);
		expect(requestLines()).toEqual(['GET /webhooks']);
	});

	test("does not change another user's webhook with the same URL", async () => {
		sandbox.setDialect({ sharesWebhooks: true });
		const ownerId = sandbox.accounts.other.userId;
		const copy = sandbox.addWebhook({ url: URL_OF_HOOK, ownerId });
		await run('webhook upsert', { url: URL_OF_HOOK });

		expect(sandbox.webhooks()).toMatchObject([copy, { url: URL_OF_HOOK }]);
	});

	test('many items with one URL leave one webhook, with the fields of the last', async () => {
		sandbox.setLatency(5);
		const items = ['one', 'two', 'three'].flatMap((description) => [
			{ url: URL_OF_HOOK, description },
			{ url: 'HTTPS://Receiver.Example:443/hook', description },
			{ url: 'https://other.example/hook', description },
		]);
		const parameters = {
			url: '={{ $json.url }}',
			additionalFields: { description: '={{ $json.description }}' },
		};
		const result = await run('webhook upsert', parameters, itemsOf(...items));

		expect(jsonOf(result)).toHaveLength(9);
		expect(
			sandbox
				.webhooks()
				.map(({ url, description }) => [url, description])
				.sort(),
		).toEqual([
			['https://other.example/hook', 'three'],
			[URL_OF_HOOK, 'three'],
		]);
		const lists = requestLines().filter((line) => line === 'GET /webhooks');
		expect(lists).toHaveLength(1);
	});

	test('resumes a paused webhook and removes its restriction', async () => {
		sandbox.addWebhook({
			url: URL_OF_HOOK,
			identityId: idOf('example.test'),
			enabled: false,
			description: 'kept',
		});
		await run('webhook upsert', { url: URL_OF_HOOK, additionalFields: { enabled: true } });

		expect(sandbox.webhooks()).toMatchObject([
			{ url: URL_OF_HOOK, identityId: null, enabled: true, description: 'kept' },
		]);
	});

	test.each([
		['fails', { acts: false, answer: BUSY }],
		['succeeds with status 503', { acts: true, answer: BUSY }],
		['succeeds without a response', LOST_ANSWER],
	])('a creation that %s leaves one webhook', async (_, fault) => {
		sandbox.addFault({ method: 'POST', path: '/webhooks', count: 1, ...fault });
		const [item] = jsonOf(await run('webhook upsert', { url: URL_OF_HOOK }, itemsOf({}, {})));

		expect(sandbox.webhooks()).toMatchObject([{ id: item?.id, url: URL_OF_HOOK }]);
	});

	test('a creation without a response, then an unreadable list, fails one item', async () => {
		sandbox.addFault(LOST_ANSWER);
		sandbox.addFault({
			method: 'GET',
			path: '/webhooks',
			skip: 1,
			count: 1,
			answer: { type: 'status', status: 500 },
		});
		const more = { ...itemsOf({}, {}), onError: 'continueRegularOutput' as const };
		const { outputs } = await run('webhook upsert', { url: URL_OF_HOOK }, more);

		expect(outputs[0]).toMatchObject([
			{ json: { message: expect.stringContaining('may still have been created') } },
			{ json: { url: URL_OF_HOOK } },
		]);
		expect(sandbox.webhooks()).toHaveLength(1);
	});
});

test('deleting a missing webhook is an error, unless a repeated request deleted it', async () => {
	const { id } = sandbox.addWebhook({ url: URL_OF_HOOK });
	sandbox.addFault({ method: 'DELETE', count: 1, acts: true, answer: { type: 'drop' } });
	const remove = async () => await run('webhook delete', { webhookId: chosen(id) });

	expect(jsonOf(await remove())).toEqual([{ deleted: true }]);
	expect((await remove()).error).toMatchObject({ httpCode: '404' });
});

import type { IDataObject } from 'n8n-workflow';

import { startNode, type NodeRun } from '../support';
import {
	actionNode,
	chosen,
	idOf,
	itemsOf,
	jsonOf,
	ownerCredential,
	receive,
	requestLines,
	run,
	sandbox,
	useSandbox,
} from './support/operation';

// A dialect with single messages.
useSandbox({ dialect: 'fork' });

async function receiveMany(count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let number = 0; number < count; number++) {
		ids.push(await receive(`Message-ID: <${number}@sender.example>\r\n\r\ntext`));
	}
	return ids;
}

const messageIdsOf = (result: NodeRun) =>
	jsonOf(result).map(({ delivery }) => (delivery as IDataObject).id);

const MESSAGE = { messageId: '={{ $json.id }}' };

test.each([
	[{}, 20],
	[{ options: { maxConcurrentRequests: 5 } }, 5],
])(
	'with the options %j, messages keep the order of the input, at most %j requests at a time',
	async (options, bound) => {
		const ids = await receiveMany(60);
		sandbox.setLatency(20);
		sandbox.clearRecordings();
		const items = itemsOf(...ids.map((id) => ({ id })));
		const before = structuredClone(items);

		const result = await run('message get', { ...MESSAGE, ...options }, items);

		expect(messageIdsOf(result)).toEqual(ids);
		expect(result.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			ids.map((_id, item) => ({ item })),
		);
		expect(sandbox.inFlight().max).toBeLessThanOrEqual(bound);
		// Other nodes get the same items.
		expect(items).toEqual(before);
	},
);

test('equal reads of several items are one request, also if it fails', async () => {
	const identityId = chosen(idOf('example.test'));
	sandbox.addFault({ path: '/identities/*', answer: { type: 'status', status: 403 } });
	const { error } = await run('identity get', { identityId }, itemsOf({}, {}, {}));
	expect(error).toMatchObject({ httpCode: '403', context: { itemIndex: 0 } });
	const audits = await run('identity audit', {}, itemsOf({}, {}));

	expect(requestLines()).toEqual([`GET /identities/${identityId.value}`, 'GET /identities']);
	expect(audits.outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
		...Array.from({ length: 10 }, () => ({ item: 0 })),
		...Array.from({ length: 10 }, () => ({ item: 1 })),
	]);
});

describe('an item that fails among others', () => {
	const UNKNOWN = '00000000-0000-4000-8000-000000000000';

	const mixed = async () => {
		const [first = '', last = ''] = await receiveMany(2);
		return {
			first,
			last,
			...itemsOf({ id: first }, { id: UNKNOWN }, { id: '' }, { id: last }),
		};
	};

	test('stops the node with the error of the first failed item in the input', async () => {
		const { items } = await mixed();
		sandbox.addFault({ path: `/messages/${UNKNOWN}`, delayBefore: 100 });
		const { error, outputs } = await run('message get', MESSAGE, { items });

		expect(outputs).toEqual([]);
		expect(error).toMatchObject({ httpCode: '404', context: { itemIndex: 1 } });
	});

	test('is an item with an error with Continue, and the others go on', async () => {
		const { first, last, items } = await mixed();
		const onError = 'continueRegularOutput';
		const { outputs } = await run('message get', MESSAGE, { items, onError });

		expect(outputs[0]).toMatchObject([
			{ json: { delivery: { id: first } }, pairedItem: { item: 0 } },
			{
				json: { error: expect.any(String), message: expect.stringContaining('404') },
				pairedItem: { item: 1 },
			},
			{ json: { error: expect.stringContaining('ID') }, pairedItem: { item: 2 } },
			{ json: { delivery: { id: last } }, pairedItem: { item: 3 } },
		]);
		// In n8n 1.x, an item with another key is successful.
		expect(Object.keys(outputs[0]?.[1]?.json ?? {})).toEqual(['error', 'message']);
	});

	test('goes to the error output with its own fields', async () => {
		const { first, last, items } = await mixed();
		const onError = 'continueErrorOutput';
		const { outputs } = await run('message get', MESSAGE, { items, onError });

		expect(outputs[0]).toMatchObject([
			{ json: { delivery: { id: first } } },
			{ json: { delivery: { id: last } } },
		]);
		expect(outputs[1]).toMatchObject([
			{ json: { id: UNKNOWN, error: expect.any(String) } },
			{ json: { error: expect.any(String) } },
		]);
	});

	test('by its expression gets the error itself', async () => {
		const { first, items } = await mixed();
		const messageId = '={{ $json.id.length > 0 ? $json.id : $json.none.id.more }}';
		const onError = 'continueRegularOutput';
		const { outputs } = await run('message get', { messageId }, { items, onError });

		expect(outputs[0]?.[0]).toMatchObject({ json: { delivery: { id: first } } });
		expect(outputs[0]?.[2]?.json).toHaveProperty('error');
		expect(outputs[0]).toHaveLength(4);
	});
});

test('an execution that is stopped sends no more requests', async () => {
	const ids = await receiveMany(30);
	sandbox.setLatency(50);
	const running = await startNode({
		type: actionNode,
		credential: ownerCredential(),
		parameters: {
			resource: 'message',
			operation: 'get',
			...MESSAGE,
			options: { maxConcurrentRequests: 2 },
		},
		...itemsOf(...ids.map((id) => ({ id }))),
	});
	await sandbox.waitForRequest(({ path }) => path.startsWith('/messages/'));
	running.cancel();
	await running.finished;
	const sent = sandbox.requests().length;
	// A further request of the same service, after which any other would have arrived.
	await run('user get');

	expect(sent).toBeLessThan(10);
	expect(requestLines().at(-1)).toBe('GET /me');
	expect(sandbox.requests(({ path }) => path.startsWith('/messages/')).length).toBeLessThan(10);
});

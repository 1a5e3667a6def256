import { connect, failureOf, serve } from './connection';
import { json, type Answer } from './scriptedServer';

const entry = (id: string) => ({ id, url: 'https://example.com/', events: ['message.received'] });

/** Two pages of two: the first one with the marks that are tried, the second one without any. */
const first = [entry('1'), entry('2')];
const second = [entry('3'), entry('4')];
const lastPage = json({ data: second });

const ids = async (...answers: Answer[]): Promise<unknown[]> => {
	const server = await serve(...answers);
	return (await connect(server.origin).listWebhooks()).map(({ id }) => id);
};

const failure = async (...answers: Answer[]) => {
	const server = await serve(...answers);
	const failed = await failureOf(connect(server.origin).listWebhooks());
	return { ...failed, requests: server.requests };
};

describe('further pages are fetched where they are an address', () => {
	const next = '/api/webhooks?page=2';
	test.each([
		['next', { next }],
		['next as a query', { next: '?page=2' }],
		['nextPage', { nextPage: next }],
		['next_url', { next_url: next }],
		['links.next', { links: { next } }],
		['links.next.href', { links: { next: { href: next } } }],
		['_links.next.href', { _links: { self: { href: '/x' }, next: { href: next } } }],
		['meta.next', { meta: { next, total: 4 } }],
		['meta.pagination.next_url', { meta: { pagination: { next_url: next, has_more: true } } }],
		['next_cursor with an address', { next_cursor: next, hasMore: true }],
	])('%s', async (_name, marks) => {
		expect(await ids(json({ data: first, ...marks }), lastPage)).toEqual(['1', '2', '3', '4']);
		const nested = json({ success: true, data: { items: first, ...marks } });
		expect(await ids(nested, lastPage)).toEqual(['1', '2', '3', '4']);
	});

	test('a Link header, whatever else says that there is more', async () => {
		const header = { link: `<${next}>; rel="next"` };
		expect(await ids(json({ data: first, hasMore: true }, 206, header), lastPage)).toEqual([
			'1',
			'2',
			'3',
			'4',
		]);
	});

	test('in order, to the end, each from the address of the page before', async () => {
		const page = (id: string, next?: string) =>
			json([entry(id)], 200, next ? { link: `<${next}>; rel="next"` } : {});
		const server = await serve(page('1', '/api/webhooks?page=2'), page('2', '?page=3'), page('3'));
		const list = await connect(server.origin).listWebhooks();
		expect(list.map(({ id }) => id)).toEqual(['1', '2', '3']);
		expect(server.requests).toEqual([
			'GET /api/webhooks',
			'GET /api/webhooks?page=2',
			'GET /api/webhooks?page=3',
		]);
	});

	test('what moves to the next page meanwhile comes once', async () => {
		expect(
			await ids(json({ data: first, next }), json({ data: [entry('2'), entry('3')] })),
		).toEqual(['1', '2', '3']);
	});
});

describe('a list that goes on where nobody knows is an error, never half a list', () => {
	test.each([
		['next_cursor', { next_cursor: 'abc' }],
		['next_cursor', { next_cursor: 'YWJj/def==' }],
		['nextCursor', { nextCursor: 'abc' }],
		['nextPageToken', { nextPageToken: 'abc' }],
		['next', { next: 2 }],
		['next', { next: true }],
		['next', { next: { cursor: 'abc' } }],
		['hasMore', { hasMore: true }],
		['hasNextPage', { pageInfo: { hasNextPage: true, endCursor: 'abc' } }],
		['nextOffset', { pagination: { limit: 2, offset: 0, nextOffset: 2 } }],
		['next', { meta: { next: 'abc' } }],
		['total', { total: 3 }],
		['total', { total: '3' }],
		['total_count', { meta: { total_count: 120 } }],
	])('%s: %j', async (mark, marks) => {
		const { message, description, requests } = await failure(json({ data: first, ...marks }));
		expect(message).toContain('only a part');
		expect(description).toContain(`(${mark})`);
		expect(requests).toEqual(['GET /api/webhooks']);
		const nested = await failure(json({ success: true, data: { items: first, ...marks } }));
		expect(nested.description).toContain(`(${mark})`);
	});

	test('status 206', async () => {
		const { description } = await failure(json(first, 206));
		expect(description).toContain('(status 206)');
	});

	test('the last page says that there were more than came', async () => {
		const { description } = await failure(
			json({ data: first, next: '?page=2', total: 5 }),
			json({ data: second, total: 5 }),
		);
		expect(description).toContain('So far it sent 4.');
	});

	test('another origin, which is not asked', async () => {
		const elsewhere = await serve(json([entry('3')]));
		for (const next of [`${elsewhere.origin}/webhooks?page=2`, '//other.example/?page=2']) {
			const link = await failure(json(first, 200, { link: `<${next}>; rel="next"` }));
			const body = await failure(json({ data: first, next }));
			const { origin } = new URL(next, 'http://other.example');
			expect([link.description, body.description]).toEqual([
				expect.stringContaining(origin),
				expect.stringContaining(origin),
			]);
		}
		expect(elsewhere.requests).toEqual([]);
	});
});

test.each([
	{ next: null },
	{ next: false },
	{ next: '' },
	{ next_cursor: null, hasMore: false },
	{ has_more: 'false' },
	{ total: 2 },
	{ total: 1 },
	{ count: 2, limit: 100, offset: 0, pagination: { limit: 100, offset: 0, nextOffset: null } },
	{ meta: { current_page: 1, last_page: 1, total: 2, next: null } },
	{ links: { self: '/api/webhooks', next: null, last: '/api/webhooks?page=1' } },
	{ pageInfo: { hasNextPage: false, endCursor: 'abc' } },
	{ requestId: 'next', message: 'more' },
])('a list is whole with %j', async (marks) => {
	expect(await ids(json({ data: first, ...marks }))).toEqual(['1', '2']);
});

describe('pages that lead round in a circle end in an error', () => {
	test('to the address of before', async () => {
		const { description, requests } = await failure(
			json(first, 200, { link: '</api/webhooks>; rel="next"' }),
		);
		expect(description).toContain('circle');
		expect(requests).toHaveLength(1);
	});

	test('to ever new addresses with the same entries', async () => {
		let page = 1;
		const again: Answer = (request, response) =>
			json({ data: first, next: `?page=${++page}` })(request, response);
		const { description, requests } = await failure(again);
		expect(description).toContain('circle');
		expect(requests.length).toBeLessThan(10);
	});

	test('to ever new addresses with nothing', async () => {
		let page = 1;
		const nothing: Answer = (request, response) =>
			json({ data: [], next: `?page=${++page}` })(request, response);
		const { description, requests } = await failure(nothing);
		expect(description).toContain('circle');
		expect(requests.length).toBeLessThan(10);
	});
});

import { connect, failureOf, serve } from './support/connection';
import { json, type Answer } from './support/scriptedServer';

const entry = (id: string) => ({ id, url: 'https://example.com/', events: ['message.received'] });

/** Two pages of two: the first one with the marks that are tried, the second one without any. */
const first = [entry('1'), entry('2')];
const second = [entry('3'), entry('4')];
const next = '/api/webhooks?page=2';

const ids = async (...answers: Answer[]): Promise<unknown[]> => {
	const server = await serve(...answers);
	return (await connect(server.origin).listWebhooks()).map(({ id }) => id);
};

const failure = async (...answers: Answer[]) => {
	const server = await serve(...answers);
	const failed = await failureOf(connect(server.origin).listWebhooks());
	return { ...failed, requests: server.requests };
};

/** With the marks beside the list, and around a list under its own name. */
const pagesWith = (marks: object) => [
	json({ data: first, ...marks }),
	json({ success: true, data: { webhooks: first, ...marks } }),
];

test.each([
	[{ next }],
	[{ next: '?page=2' }],
	[{ next_url: next }],
	[{ _links: { self: { href: '/x' }, next: { href: next } } }],
	[{ meta: { next, total: 4 } }],
	[{ next_cursor: next, hasMore: true }],
])('the next page is fetched if its URL is known: %j', async (marks) => {
	for (const page of pagesWith(marks)) {
		expect(await ids(page, json({ data: second }))).toEqual(['1', '2', '3', '4']);
	}
});

test.each([
	[`<${next}>; rel="next"`],
	[`<?page=2>; rel=next`],
	[`</a>; rel="prev", <${next}>; title="x, y"; REL="last Next"`],
])('the next page is fetched from the Link header: %s', async (link) => {
	const page = json({ data: first, hasMore: true }, 206, { link });
	expect(await ids(page, json(second))).toEqual(['1', '2', '3', '4']);
});

test.each(['</a>; rel="prev"', '</a>; rel="next-archive"', '<>'])(
	'no page follows by %s',
	async (link) => {
		expect(await ids(json(first, 200, { link }))).toEqual(['1', '2']);
	},
);

test('pages are read in order, each from the URL in the page before', async () => {
	const page = (id: string, link?: string) =>
		json([entry('0'), entry(id)], 200, link ? { link: `<${link}>; rel="next"` } : {});
	const server = await serve(page('1', next), page('2', '?page=3'), page('3'));
	const list = await connect(server.origin).listWebhooks();
	// What moves to the next page meanwhile comes once.
	expect(list.map(({ id }) => id)).toEqual(['0', '1', '2', '3']);
	expect(server.requests).toEqual([
		'GET /api/webhooks',
		'GET /api/webhooks?page=2',
		'GET /api/webhooks?page=3',
	]);
});

test.each([
	['next_cursor', { next_cursor: 'abc' }],
	['nextCursor', { nextCursor: 'YWJj/def==' }],
	['nextPageToken', { nextPageToken: 'abc' }],
	['next', { next: 2 }],
	['next', { next: { cursor: 'abc' } }],
	['hasMore', { hasMore: true }],
	['hasNextPage', { pageInfo: { hasNextPage: true, endCursor: 'abc' } }],
	['nextOffset', { pagination: { limit: 2, offset: 0, nextOffset: 2 } }],
	['next', { meta: { next: 'abc' } }],
	['total', { total: '3' }],
	['total_count', { meta: { total_count: 120 } }],
])('a list with more entries but without their URL is an error: %s in %j', async (mark, marks) => {
	for (const page of pagesWith(marks)) {
		const { message, description, requests } = await failure(page);
		expect(message).toContain('only part');
		expect(description).toContain(`(${mark})`);
		expect(requests).toEqual(['GET /api/webhooks']);
	}
});

test('a list with status 206, an invalid Link or a larger total is an error', async () => {
	expect((await failure(json(first, 206))).description).toContain('(status 206)');
	const link = '<https://[>; rel="next"';
	expect((await failure(json(first, 200, { link }))).description).toContain('(Link)');
	const pages = [json({ data: first, next }), json({ data: second, total: 5 })];
	expect((await failure(...pages)).description).toContain('Entries received: 4.');
});

test('a page at another origin is not fetched', async () => {
	const elsewhere = await serve(json([entry('3')]));
	for (const address of [`${elsewhere.origin}/webhooks?page=2`, '//other.example/?page=2']) {
		const { host } = new URL(address, 'http://other.example');
		const link = await failure(json(first, 200, { link: `<${address}>; rel="next"` }));
		const body = await failure(json({ data: first, next: address }));
		expect(link.description).toContain(host);
		expect(body.description).toContain(host);
	}
	expect(elsewhere.requests).toEqual([]);
});

test.each([
	{ next: null },
	{ next: '' },
	{ next_cursor: null, hasMore: false },
	{ total: 2 },
	{ pagination: { limit: 100, offset: 0, nextOffset: null } },
	{ links: { self: '/api/webhooks', next: null, last: '/api/webhooks?page=1' } },
	{ requestId: 'next', message: 'more' },
])('a list with %j is complete', async (marks) => {
	expect(await ids(json({ data: first, ...marks }))).toEqual(['1', '2']);
});

test.each([
	['the same entries', first],
	['nothing', []],
])('endless pages with %s are an error', async (_what, data) => {
	let page = 1;
	const again: Answer = (request, response) =>
		json({ data, next: `?page=${++page}` })(request, response);
	const { description, requests } = await failure(again);
	expect(description).toContain('repeat');
	expect(requests.length).toBeLessThan(10);
});

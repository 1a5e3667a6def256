import fc from 'fast-check';
import { UNREADABLE_RESPONSE } from '../../../../nodes/EmailIdentity/api/failures/errors';
import {
	INCOMPLETE,
	REPORTED_FAILURE,
	readEntries,
	readResource,
} from '../../../../nodes/EmailIdentity/api/requests/envelopes';
import type { ResourceKind } from '../../../../nodes/EmailIdentity/api/request';

const identity = { id: 'a1', value: 'sales@example.com' };
const list = [identity];

const answer = (body: unknown) => ({
	status: 200,
	headers: {},
	text: typeof body === 'string' ? body : JSON.stringify(body),
});
const one = (body: unknown, resource: ResourceKind = 'identity') =>
	readResource(answer(body), resource);
const many = (body: unknown, resource: ResourceKind = 'identities') =>
	readEntries(answer(body), resource);

test.each([
	['bare', identity],
	['in {data}', { data: identity }],
	['in {success, data}', { success: true, data: identity }],
	['under its own name', { success: true, data: { identity } }],
])('a resource is found %s', (_name, body) => {
	expect(one(body)).toEqual({ value: identity });
});

test('a number is an ID', () => {
	expect(one({ id: 7 })).toEqual({ value: { id: 7 } });
});

test.each([
	['null', 'null', /had none/],
	['nothing', ' \n', /empty/],
	['a web page', '<!doctype html><p>private', /web page/],
	['truncated JSON', '{"id":"m1","subject":"private', /incomplete/],
	['a list', list, /had none/],
	['an object without an ID', { value: 'private' }, /had none/],
	['an empty ID', { id: '', private: true }, /had none/],
	['an ID of another type', { id: { private: 1 } }, /had none/],
])('%s is no resource', (_name, body, expected) => {
	const detail = expect.stringMatching(expected);
	expect(one(body)).toEqual({ problem: { ...UNREADABLE_RESPONSE, detail } });
	expect(JSON.stringify(one(body))).not.toContain('private');
});

test('a partial response is no resource', () => {
	const part = { ...answer(identity), status: 206 };
	expect(readResource(part, 'identity')).toHaveProperty('problem');
});

test.each([
	['bare', list],
	['in {success, data}', { success: true, data: list }],
	['under its own name', { identities: list, total: 1 }],
	['under its own name in an envelope', { data: { identities: list, pagination: {} } }],
])('a list is found %s', (_name, body) => {
	expect(many(body)).toEqual({ value: list });
});

test.each([
	['an object without a list', { ok: true }],
	['entries that are no objects', { data: [1, 2] }],
	['entries without an ID', [{ value: 'sales@example.com' }]],
	['a list of something else', { domains: list }],
])('%s is a problem, never an empty list', (_name, body) => {
	expect(many({ data: [] })).toEqual({ value: [] });
	expect(many(body)).toHaveProperty('problem');
});

test('any JSON gives entries with an ID, or a problem', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 6 }), (body) => {
			const result = many(body);
			return 'problem' in result || result.value.every(({ id }) => id === 0 || !!id);
		}),
		{ numRuns: 2000 },
	);
});

describe('a list', () => {
	/** With the marks beside the list, and around a list under its own name. */
	const listsWith = (marks: object) =>
		[
			{ data: list, ...marks },
			{ success: true, data: { identities: list, ...marks } },
		].map((body) => many(body));

	test.each([
		['next', { next: '/api/identities?page=2' }],
		['next_url', { next_url: '?page=2' }],
		['next', { _links: { self: { href: '/x' }, next: { href: '?page=2' } } }],
		['next_cursor', { next_cursor: 'abc', hasMore: true }],
		['nextPageToken', { nextPageToken: 'abc' }],
		['next', { next: 2 }],
		['hasMore', { hasMore: true }],
		['hasNextPage', { pageInfo: { hasNextPage: true, endCursor: 'abc' } }],
		['nextOffset', { pagination: { limit: 1, offset: 0, nextOffset: 1 } }],
		['total', { total: '3' }],
		['total_count', { meta: { total_count: 120 } }],
	])('that goes on elsewhere is refused: %s in %j', (sign, marks) => {
		for (const result of listsWith(marks)) {
			expect(result).toMatchObject({
				problem: { message: INCOMPLETE.message, detail: expect.stringContaining(`(${sign})`) },
			});
		}
	});

	test.each([
		['status 206', 206, undefined],
		['Link', 200, '<?page=2>; rel=next'],
		['Link', 200, '</a>; rel="prev", </b>; title="x, y"; REL="last Next"'],
	])('that goes on elsewhere by %s is refused', (sign, status, link) => {
		const response = { ...answer(list), status, headers: { link } };
		const detail = expect.stringContaining(`(${sign})`);
		expect(readEntries(response, 'identities')).toMatchObject({ problem: { detail } });
	});

	test.each([
		{ next: null },
		{ next: '' },
		{ next_cursor: null, hasMore: false },
		{ total: 1 },
		{ pagination: { limit: 100, offset: 0, nextOffset: null } },
		{ links: { self: '/api/identities', next: null, last: '/api/identities?page=1' } },
		{ requestId: 'next', message: 'more' },
	])('with %j is whole', (marks) => {
		expect(listsWith(marks)).toEqual([{ value: list }, { value: list }]);
	});

	test.each(['</a>; rel="prev"', '</a>; rel="next-archive"', '<>', '</a>; rel="up", </next>'])(
		'with the Link %s is whole',
		(link) => {
			const response = { ...answer(list), headers: { link } };
			expect(readEntries(response, 'identities')).toEqual({ value: list });
		},
	);
});

describe('a report of failure with status 200', () => {
	const webhook = { id: 'w1', url: 'https://example.com/', events: [] };

	test.each([
		{ success: false },
		{ ok: false },
		{ error: true },
		{ error: 'forbidden' },
		{ error: { code: 'X' } },
		{ errors: ['x'] },
	])('%j', (mark) => {
		const problem = { problem: REPORTED_FAILURE };
		expect(many({ ...mark, data: [] }, 'webhooks')).toEqual(problem);
		expect(many({ data: { ...mark, webhooks: [webhook] } }, 'webhooks')).toEqual(problem);
		expect(one({ ...mark, data: webhook }, 'webhook')).toEqual(problem);
	});

	test.each([
		{ success: true },
		{ ok: true },
		{ error: false },
		{ error: null },
		{ errors: [] },
		{ errors: {} },
	])('%j is none', (mark) => {
		expect(many({ ...mark, data: [webhook] }, 'webhooks')).toEqual({ value: [webhook] });
		expect(one(mark, 'webhook')).toHaveProperty('problem.message', UNREADABLE_RESPONSE.message);
	});

	test('a webhook may have errors of its own', () => {
		const failing = { ...webhook, errors: ['timeout'] };
		expect(one({ data: failing }, 'webhook')).toEqual({ value: failing });
		expect(one({ ...failing, success: false }, 'webhook')).toEqual({ problem: REPORTED_FAILURE });
	});
});

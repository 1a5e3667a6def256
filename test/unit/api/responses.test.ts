import fc from 'fast-check';
import {
	MAX_ENTRIES,
	MAX_LIST_LENGTH,
	MAX_PAGES,
	readNextLink,
	readPages,
	unwrapList,
	unwrapObject,
} from '../../../nodes/EmailIdentity/api/responses';

const identity = { id: 'a1', value: 'sales@example.com' };
const list = [identity];

test.each([
	['bare', identity],
	['in {data}', { data: identity }],
	['in {success, data}', { success: true, data: identity }],
	['in two envelopes', { success: true, data: { identity } }],
	['with a number as its ID', { data: { ...identity, id: 7 } }],
])('a resource is found %s', (_name, body) => {
	expect(unwrapObject(body, 'identity')).toMatchObject({ value: { value: identity.value } });
});

test.each([
	['bare', list],
	['in {success, data}', { success: true, data: list }],
	['under its own name', { identities: list, total: 1 }],
	['in two envelopes', { data: { items: list } }],
])('a list is found %s', (_name, body) => {
	expect(unwrapList(body, 'identities')).toMatchObject({ value: list });
});

test('an empty list is a list', () => {
	expect(unwrapList({ data: [] }, 'webhooks')).toEqual({ value: [], envelopes: [{ data: [] }] });
});

test.each([
	['null', null],
	['a list', list],
	['text', 'ok'],
	['an object without an ID', { value: 'sales@example.com' }],
	['an empty ID', { id: '' }],
	['an ID of another type', { id: {} }],
])('%s is no resource', (_name, body) => {
	expect(unwrapObject(body, 'identity')).toEqual({
		problem: expect.any(String),
		isFailure: false,
	});
});

test.each([
	['an object without a list', { ok: true }],
	['two lists at once', { items: list, results: list }],
	['entries that are no objects', { data: [1, 2] }],
	['entries without an ID', [{ value: 'sales@example.com' }]],
	['a list of something else', { domains: list }],
	['a list that is too long', Array.from({ length: MAX_ENTRIES + 1 }, () => identity)],
])('%s is a problem, never an empty list', (_name, body) => {
	expect(unwrapList(body, 'identities')).toHaveProperty('problem');
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
		const problem = { problem: expect.any(String), isFailure: true };
		expect(unwrapList({ ...mark, data: [] }, 'webhooks')).toEqual(problem);
		expect(unwrapList({ data: { ...mark, items: [webhook] } }, 'webhooks')).toEqual(problem);
		expect(unwrapObject({ ...mark, data: webhook }, 'webhook')).toEqual(problem);
		expect(unwrapObject(mark, 'webhook')).toEqual(problem);
	});

	test.each([
		{ success: true },
		{ ok: true },
		{ error: false },
		{ error: null },
		{ error: '' },
		{ errors: [] },
		{ errors: {} },
	])('%j is none', (mark) => {
		expect(unwrapList({ ...mark, data: [webhook] }, 'webhooks')).toHaveProperty('value', [webhook]);
		expect(unwrapObject(mark, 'webhook')).toHaveProperty('isFailure', false);
	});

	test('a webhook may have errors of its own', () => {
		const failing = { ...webhook, errors: ['timeout'] };
		expect(unwrapObject({ data: failing }, 'webhook')).toEqual({ value: failing });
		expect(unwrapObject({ ...failing, success: false }, 'webhook')).toHaveProperty(
			'isFailure',
			true,
		);
	});
});

test('whatever arrives ends in entries with an ID or in a problem, and never throws', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 6 }), (body) => {
			const result = unwrapList(body, 'webhooks');
			return 'problem' in result || result.value.every(({ id }) => id === 0 || !!id);
		}),
		{ numRuns: 2000 },
	);
});

test('the content of an answer is never repeated in the problem', () => {
	const secret = 'subject of a private mail';
	const { problem } = unwrapObject({ subject: secret, [secret]: secret }, 'message') as {
		problem: string;
	};
	expect(problem).not.toContain(secret);
});

test.each([
	['</api/identities?page=2>; rel="next"', 'https://mail.example.com/api/identities?page=2'],
	['<?page=2>; rel=next', 'https://mail.example.com/api/identities?page=2'],
	['</a>; rel="prev", </b>; title="x, y"; rel="last next"', 'https://mail.example.com/b'],
	['<https://other.example/b>; REL="Next"', 'https://other.example/b'],
	['</a>; rel="prev"', undefined],
	['</a>; rel="nextish"', undefined],
	['<>', undefined],
	[undefined, undefined],
])('the link %s leads on to %s', (header, expected) => {
	const base = 'https://mail.example.com/api/identities?page=1';
	expect(readNextLink(header, base)?.href).toBe(expected);
});

test.each([
	['their number', 1, 1, MAX_PAGES],
	['their entries', 30_000, 1, MAX_ENTRIES / 30_000 + 1],
	['their size', 1, MAX_LIST_LENGTH / 5, 6],
])('pages without end are bounded by %s', async (_what, count, length, mostPages) => {
	let pages = 0;
	const text = 'x'.repeat(length);
	const read = async (url = 'https://mail.example.com/?page=0') => {
		const entries = Array.from({ length: count }, (_, index) => ({ id: `${pages}/${index}` }));
		const headers = { link: `<?page=${++pages}>; rel="next"` };
		return { entries, envelopes: [], response: { status: 200, headers, text, url } };
	};
	const fail = (problem: string) => new Error(problem);
	await expect(readPages(read, 'https://mail.example.com', fail)).rejects.toThrow('too long');
	expect(pages).toBeLessThanOrEqual(mostPages);
});

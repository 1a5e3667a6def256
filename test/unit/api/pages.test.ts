import fc from 'fast-check';
import { SERVICE_LIMITS } from '../../../nodes/EmailIdentity/api/json';
import { readPage, readPages } from '../../../nodes/EmailIdentity/api/pages';

const list = [{ id: 'a1', value: 'sales@example.com' }];

const pageOf = (body: unknown) => {
	const response = {
		status: 200,
		headers: {},
		text: JSON.stringify(body),
		url: 'https://mail.example.com/api',
	};
	return readPage(response, 'identities');
};

test.each([
	['bare', list],
	['in {success, data}', { success: true, data: list }],
	['under its own name', { identities: list, total: 1 }],
	['under its own name in an envelope', { data: { identities: list, pagination: {} } }],
])('a list is found %s', (_name, body) => {
	expect(pageOf(body)).toMatchObject({ entries: list });
});

test('an empty list is a list', () => {
	expect(pageOf({ data: [] })).toMatchObject({ entries: [] });
});

test.each([
	['an object without a list', { ok: true }],
	['entries that are no objects', { data: [1, 2] }],
	['entries without an ID', [{ value: 'sales@example.com' }]],
	['a list of something else', { domains: list }],
])('%s is a problem, never an empty list', (_name, body) => {
	expect(pageOf(body)).toHaveProperty('problem');
});

test('any JSON gives entries with an ID, or a problem', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 6 }), (body) => {
			const result = pageOf(body);
			return 'problem' in result || result.entries.every(({ id }) => id === 0 || !!id);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	['their number', { pages: 5 }],
	['their entries', { entries: 8 }],
	['their size', { list: 40 }],
])('a list without end is refused after five pages because of %s', async (_what, limit) => {
	let pages = 0;
	const read = async (url = 'https://mail.example.com/?page=0') => {
		const entries = ['a', 'b'].map((id) => ({ id: id + pages }));
		const headers = { link: `<?page=${++pages}>; rel="next"` };
		const response = { status: 200, headers, text: 'ten letter', url };
		return { entries, marks: [], response };
	};
	const detail = expect.stringContaining('too long');
	expect(await readPages(read, { ...SERVICE_LIMITS, ...limit })).toEqual({
		problem: expect.objectContaining({ detail }),
	});
	expect(pages).toBe(5);
});

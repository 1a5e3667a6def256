import fc from 'fast-check';
import { unwrapList, unwrapObject } from '../../../nodes/EmailIdentity/api/envelope';

const identity = { id: 'a1', value: 'sales@example.com' };

describe('one resource', () => {
	test.each([
		['bare', identity],
		['in {data}', { data: identity }],
		['in {success, data}', { success: true, data: identity }],
		['under its own name', { identity }],
		['in an envelope within an envelope', { success: true, data: { identity } }],
	])('is found %s', (_name, body) => {
		expect(unwrapObject(body, 'identity')).toEqual({ value: identity });
	});

	test('a message that has a field called data is not taken for an envelope', () => {
		const message = { id: 'm1', subject: 'Hello', data: { id: 'other' } };
		expect(unwrapObject(message, 'message')).toEqual({ value: message });
	});

	test.each([
		['a number', { id: 7, value: 'sales@example.com' }],
		['under _id', { _id: 'a1', value: 'sales@example.com' }],
	])('its ID may be %s', (_name, body) => {
		expect(unwrapObject({ data: body }, 'identity')).toEqual({ value: body });
	});

	test.each([
		['an identity', 'identity', { id: 'req-1', data: identity }, identity],
		['the user', 'user', { id: 'req-1', data: { id: 'u1' } }, { id: 'u1' }],
		['a webhook', 'webhook', { id: 7, webhook: { id: 'w1' } }, { id: 'w1' }],
		['a message', 'message', { id: 'req-1', data: { id: 'm1' } }, { id: 'm1' }],
		['text in data', 'identity', { id: 'a1', data: 'text' }, { id: 'a1', data: 'text' }],
	] as const)('an envelope with an ID of its own: %s', (_name, subject, body, expected) => {
		expect(unwrapObject(body, subject)).toEqual({ value: expected });
	});

	test('a webhook may have a status, an error and errors of its own', () => {
		const webhook = {
			id: 'w1',
			url: 'https://example.com/',
			status: 'failed',
			errors: ['timeout'],
		};
		expect(unwrapObject({ data: webhook }, 'webhook')).toEqual({ value: webhook });
	});

	test.each([
		['null', null],
		['a list', [identity]],
		['text', 'ok'],
		['an object without an ID', { value: 'sales@example.com' }],
		['an empty ID', { id: '' }],
	])('%s is a clear problem', (_name, body) => {
		expect(unwrapObject(body, 'identity')).toEqual({
			problem: expect.stringMatching(/^Expected an identity with an ID, but the answer was /),
			isFailure: false,
		});
	});
});

describe('a report of failure with status 200', () => {
	const webhook = { id: 'w1', url: 'https://example.com/', events: [] };
	const failures = [
		{ success: false },
		{ success: 'false' },
		{ success: 'False' },
		{ ok: false },
		{ ok: 'false' },
		{ error: true },
		{ error: 'forbidden' },
		{ error: { code: 'X' } },
		{ status: 'error' },
		{ status: 'FAILED' },
		{ status: 404 },
		{ statusCode: 500 },
		{ errors: ['x'] },
		{ errors: { url: 'x' } },
		{ errors: 'x' },
	];

	test.each(failures)('%j', (mark) => {
		const problem = { problem: expect.stringContaining('a report of failure'), isFailure: true };
		expect(unwrapList({ ...mark, data: [] }, 'webhooks')).toEqual(problem);
		expect(unwrapList({ data: { ...mark, items: [webhook] } }, 'webhooks')).toEqual(problem);
		expect(unwrapObject({ ...mark, data: webhook }, 'webhook')).toEqual(problem);
		expect(unwrapObject({ ...mark, id: 'req-1' }, 'webhook')).toEqual(problem);
		expect(unwrapObject(mark, 'webhook')).toEqual(problem);
	});

	test.each([{ success: false }, { ok: false }, { error: true }])(
		'%j beside the fields',
		(mark) => {
			expect(unwrapObject({ ...webhook, ...mark }, 'webhook')).toHaveProperty('isFailure', true);
		},
	);

	test.each([
		{ success: true },
		{ success: 'true' },
		{ ok: true },
		{ error: false },
		{ error: null },
		{ error: '' },
		{ errors: [] },
		{ errors: {} },
		{ errors: null },
		{ status: 'ok' },
		{ status: 'success' },
		{ status: 200 },
	])('%j is none', (mark) => {
		expect(unwrapList({ ...mark, data: [webhook] }, 'webhooks')).toHaveProperty('value', [webhook]);
		expect(unwrapObject(mark, 'webhook')).toHaveProperty('isFailure', false);
	});
});

describe('a list', () => {
	const list = [identity];
	test.each([
		['bare', list],
		['under data', { success: true, data: list }],
		['under identities', { identities: list, total: 1 }],
		['under items', { items: list }],
		['under results', { results: list }],
		['under data.items', { data: { items: list } }],
	])('is found %s', (_name, body) => {
		expect(unwrapList(body, 'identities')).toMatchObject({ value: list });
	});

	test('an empty list is a list', () => {
		expect(unwrapList({ data: [] }, 'webhooks')).toEqual({ value: [], envelopes: [{ data: [] }] });
	});

	test.each([
		['an object without a list', { ok: true }],
		['two lists at once', { items: list, results: list }],
		['entries that are no objects', { data: [1, 2] }],
		['entries without an ID', [{ value: 'sales@example.com' }]],
		['a list of something else', { domains: list }],
	])('%s is a problem, never an empty list', (_name, body) => {
		expect(unwrapList(body, 'identities')).toHaveProperty('problem');
	});
});

test('whatever arrives ends in entries with an ID or in a problem, and never throws', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 6 }), (body) => {
			const result = unwrapList(body, 'webhooks');
			if ('problem' in result) return result.problem.startsWith('Expected ');
			return result.value.every(
				({ id, _id }) => String(id || _id || '') !== '' || id === 0 || _id === 0,
			);
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

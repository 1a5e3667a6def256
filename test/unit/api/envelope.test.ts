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
		const message = { id: 'm1', data: { id: 'other' } };
		expect(unwrapObject(message, 'message')).toEqual({ value: message });
	});

	test.each([
		['null', null],
		['a list', [identity]],
		['text', 'ok'],
		['an object without an ID', { value: 'sales@example.com' }],
		['a report of failure with status 200', { success: false, data: identity }],
		['an error with status 200', { error: true, id: 'a1' }],
	])('%s is a clear problem', (_name, body) => {
		expect(unwrapObject(body, 'identity')).toEqual({
			problem: expect.stringMatching(/^Expected an identity with an ID, but the answer was /),
		});
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
		expect(unwrapList(body, 'identities')).toEqual({ value: list });
	});

	test('an empty list is a list', () => {
		expect(unwrapList({ data: [] }, 'webhooks')).toEqual({ value: [] });
	});

	test.each([
		['an object without a list', { ok: true }],
		['two lists at once', { items: list, results: list }],
		['entries that are no objects', { data: [1, 2] }],
		['entries without an ID', [{ value: 'sales@example.com' }]],
		['a list of something else', { domains: list }],
		['a failure with status 200', { success: false, data: [] }],
	])('%s is a problem, never an empty list', (_name, body) => {
		expect(unwrapList(body, 'identities')).toHaveProperty('problem');
	});
});

test('whatever arrives ends in entries with an ID or in a problem, and never throws', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 6 }), (body) => {
			const result = unwrapList(body, 'webhooks');
			if ('problem' in result) return result.problem.startsWith('Expected ');
			return result.value.every(({ id }) => typeof id === 'string' && id !== '');
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

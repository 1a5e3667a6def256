import {
	REPORTED_FAILURE,
	UNREADABLE_RESPONSE,
	readResource,
} from '../../../nodes/EmailIdentity/api/responses';
import { readPage } from '../../../nodes/EmailIdentity/api/pages';
import type { Subject } from '../../../nodes/EmailIdentity/api/request';

const identity = { id: 'a1', value: 'sales@example.com' };
const list = [identity];

const answer = (body: unknown) => ({
	status: 200,
	headers: {},
	text: typeof body === 'string' ? body : JSON.stringify(body),
	url: 'https://mail.example.com/api',
});
const one = (body: unknown, subject: Subject = 'identity') => readResource(answer(body), subject);
const many = (body: unknown, subject: Subject = 'identities') => readPage(answer(body), subject);

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
	['a web page', '<!doctype html>', /web page/],
	['truncated JSON', '{"id":"', /incomplete/],
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
		expect(many({ ...mark, data: [webhook] }, 'webhooks')).toHaveProperty('entries', [webhook]);
		expect(one(mark, 'webhook')).toHaveProperty('problem.message', UNREADABLE_RESPONSE.message);
	});

	test('a webhook may have errors of its own', () => {
		const failing = { ...webhook, errors: ['timeout'] };
		expect(one({ data: failing }, 'webhook')).toEqual({ value: failing });
		expect(one({ ...failing, success: false }, 'webhook')).toEqual({ problem: REPORTED_FAILURE });
	});
});

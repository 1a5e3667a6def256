import type { INode } from 'n8n-workflow';

import {
	MAX_BODY_READ,
	ServiceError,
	lacksRight,
	readReport,
	statusError,
} from '../../../nodes/EmailIdentity/api/errors';

const NODE = { name: 'Email Identity', type: 'emailIdentity' } as INode;
const WEBHOOK = { subject: 'webhook' } as const;

/** As a running service answers. */
const observed = {
	error: true,
	statusCode: 400,
	statusMessage: 'Bad Request',
	message: 'Invalid request body',
	data: {
		success: false,
		error: {
			code: 'INVALID_REQUEST_BODY',
			message: 'Invalid request body',
			issues: [
				{ path: 'events.0', message: 'Invalid option', code: 'invalid_value' },
				{ path: 'url', message: 'Invalid URL.', code: 'invalid_format' },
			],
		},
	},
};

const reportOf = (body: unknown, secrets: string[] = []) =>
	readReport(WEBHOOK, typeof body === 'string' ? body : JSON.stringify(body), secrets);

test.each([
	['issues', observed, 'events.0: Invalid option. url: Invalid URL.'],
	[
		'issues beside a message',
		{ message: 'no', issues: [{ message: 'url is taken' }] },
		'url is taken.',
	],
	['a message', { message: 'url is taken' }, 'url is taken.'],
	['a text under error', { error: 'url is taken' }, 'url is taken.'],
	['a message under error', { error: { message: 'url is taken' } }, 'url is taken.'],
	['the same twice', { issues: [{ message: 'a' }, { message: 'a' }] }, 'a.'],
	['nothing', '', undefined],
	['a web page', '<html></html>', undefined],
	['no words', { error: true, message: 7, issues: [{ message: {} }, null] }, undefined],
])('%s of the service', (_name, body, expected) => {
	expect(reportOf(body)).toBe(expected);
});

test('what is said about a message is not repeated: it may be mail', () => {
	expect(readReport({ subject: 'message' }, '{"message":"Dear Anna"}', [])).toBeUndefined();
});

test('no secret gets through, in none of its spellings, nor behind much that is masked', () => {
	const key = 'sk-live/4f0b9d5e2a4f7c3b9e11';
	const url = 'https://n8n.example.com/webhook/1?token=SECRET-VALUE';
	const said = [key, url, encodeURIComponent(url), `${encodeURIComponent(key)} `.repeat(500)];
	const report = reportOf({ issues: said.map((message) => ({ path: 'url', message })) }, [key]);
	expect(report).toContain('url: https://n8n.example.com/webhook/1?token=***');
	expect(report).not.toMatch(/4f0b9d5e|SECRET/);
});

test('a long explanation is cut, and a very long body is not read', () => {
	expect(reportOf({ message: 'x'.repeat(100_000) })?.length).toBeLessThan(1000);
	const said = JSON.stringify({ message: 'url is taken' });
	expect(reportOf(said.padEnd(MAX_BODY_READ))).toBe('url is taken.');
	expect(reportOf(said.padEnd(MAX_BODY_READ + 1))).toBeUndefined();
});

const errorFor = (status: number, body: unknown, path = '/webhooks/7', more: object = {}) =>
	statusError(
		NODE,
		{ method: 'GET', path, subject: 'webhook', ...more },
		{ status, headers: {}, text: JSON.stringify(body), url: `http://service${path}` },
		undefined,
		[],
	);

test.each<[object, string[] | undefined]>([
	[
		{ data: { error: { code: 'INSUFFICIENT_SCOPE', requiredScopes: ['emails:send'] } } },
		['emails:send'],
	],
	[{ data: { error: { code: 'INSUFFICIENT_SCOPE' } } }, []],
	[{ requiredScopes: ['emails:send', 'Dear Anna, the offer', 7] }, ['emails:send']],
	[{ code: 'FORBIDDEN' }, undefined],
])('the rights that %j names', (body, scopes) => {
	const error = errorFor(403, body);
	expect(lacksRight(error)).toBe(scopes !== undefined);
	for (const scope of scopes ?? []) expect(error.description).toContain(scope);
	expect(error.description).not.toContain('Anna');
});

const UUID = '7f3c1a52-2b7e-4f0e-9a55-1d2c3b4a5e6f';

test.each([
	['an ID of another form than the service has', '/webhooks/7', {}, true],
	['one in the body', `/webhooks/${UUID}`, { method: 'PATCH', body: { identityId: '7' } }, true],
	['a UUID', `/webhooks/${UUID}`, {}, false],
	['a list', '/webhooks', { subject: 'webhooks' }, false],
])('500 for %s says whether to choose from the list', (_what, path, more, isAdvised) => {
	expect(/from the list/.test(errorFor(500, {}, path, more).description ?? '')).toBe(isAdvised);
});

test.each([
	[401, '/me', 'user', /API key/],
	[404, '/identities', 'identities', /\/api\/kurrier/],
	[404, '/webhooks/7', 'webhook', /from the list/],
	[418, '/webhooks/7', 'webhook', /base URL/],
	[507, '/identities', 'identities', /operator/],
])('%d for %s says what to do', (status, path, subject, expected) => {
	const { message, description } = errorFor(status, {}, path, { subject });
	expect(description).toMatch(expected);
	expect(message + description).not.toMatch(/[{}]|constructor/);
});

test('the facts of an error are seen by nobody who stores or shows it', () => {
	const error = errorFor(403, { requiredScopes: ['emails:send'] });
	expect(Reflect.ownKeys(error)).not.toContain('facts');
	expect(error.name).toBe('NodeApiError');
	expect(error).toBeInstanceOf(ServiceError);
	expect([undefined, null, 'text', new Error('x'), {}].map(ServiceError.factsOf)).toEqual(
		new Array(5).fill(undefined),
	);
});

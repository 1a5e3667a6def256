import type { NodeApiError } from 'n8n-workflow';
import { type INode } from 'n8n-workflow';
import {
	isResourceMissing,
	isRouteMissing,
	serviceError,
	statusOf,
} from '../../../../nodes/EmailIdentity/api/failures/errors';
import { statusFailure } from '../../../../nodes/EmailIdentity/api/failures/statusMessages';
import { mayHaveActed } from '../../../../nodes/EmailIdentity/api/requests/idempotency';
import { SERVICE_LIMITS } from '../../../../nodes/EmailIdentity/api/data/json';
import type { ApiRequest } from '../../../../nodes/EmailIdentity/api/request';

const NODE = { name: 'Email Identity', type: 'emailIdentity' } as INode;

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

const oddWebhook = { path: '/webhooks/order-7' };
const goodWebhook = { path: '/webhooks/0e9a3c5b-7d1f-4b1e-9a59-6f6c3f1f2d10' };
const oddRestriction = { ...goodWebhook, body: { identityId: 'sales' } };
const lists = { resource: 'identities' } as const;
const message = { resource: 'message' } as const;
const creation = { method: 'POST' } as const;

function errorFor(status: number, body: unknown, more: Partial<ApiRequest> = {}): NodeApiError {
	const request: ApiRequest = { method: 'GET', path: '/webhooks', resource: 'webhook', ...more };
	const url = 'https://service.example/api/webhooks/7';
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const response = { status, headers: {}, text, url };
	return serviceError(NODE, request, {
		...statusFailure(request, response, ''),
		mayHaveActed: mayHaveActed(request, response),
	});
}

test.each([
	['issues', observed, 'events.0: Invalid option. url: Invalid URL. '],
	['a message', { message: 'url is taken' }, 'url is taken. '],
	['a message under error', { error: { message: 'url is taken' } }, 'url is taken. '],
	['the same twice', { issues: [{ message: 'a' }, { message: 'a' }] }, 'a. '],
	['a web page', '<html></html>', ''],
	['no words', { error: true, message: 7, issues: [{ message: {} }, null] }, ''],
])('the error contains %s of the service', (_name, body, expected) => {
	expect(errorFor(400, body).description).toMatch(`${expected}HTTP status 400.`);
	expect(errorFor(500, body).description).toMatch(/^HTTP status 500\./);
});

test('an explanation about a message is not shown, because it may quote an email', () => {
	const { description } = errorFor(400, { message: 'Dear Anna' }, message);
	expect(description).not.toContain('Anna');
});

test('a long explanation is cut, and a very long body is not read', () => {
	expect(errorFor(400, { message: 'x'.repeat(100_000) }).description?.length).toBeLessThan(1000);
	const said = JSON.stringify({ message: 'url is taken' });
	const { explanation } = SERVICE_LIMITS;
	expect(errorFor(400, said.padEnd(explanation)).description).toContain('url is taken');
	expect(errorFor(400, said.padEnd(explanation + 1)).description).not.toContain('url is taken');
});

test.each<[number, object, Partial<ApiRequest>, RegExp]>([
	[400, { message: 'see <a href="//x.example">help</a>' }, {}, /see ‹a href=[^<>]*$/],
	[401, { message: 'API key has expired' }, {}, /API key has expired\. (?!.*mistyped)/],
	[
		401,
		{ message: "API key owner is not a member of the key's workspace" },
		{},
		/API key owner is not a member of the key's workspace\. HTTP status 401\. Create another key/,
	],
	[401, { message: 'API key has <b>expired</b>' }, {}, /key (?!.*expired‹).*mistyped/],
	[401, { message: 'API key has sk-the-key-0' }, {}, /key (?!.*sk-).*mistyped/],
	[401, { message: `API key has ${'been '.repeat(40)}used` }, {}, /key (?!.*been).*mistyped/],
	[403, {}, {}, /no access to this webhook.*'From List'/],
	[403, {}, lists, /not allowed to read the list of identities/],
	[404, {}, {}, /webhook was not found.*'From List'/],
	[404, {}, lists, /not found at this URL.*\/api\/kurrier/],
	[403, {}, message, /delivery\.id/],
	[404, {}, message, /delivery\.id/],
	[418, {}, {}, /base URL/],
	[429, {}, {}, /too many requests/],
	[500, {}, oddWebhook, /malformed ID.*UUID/],
	[500, {}, { path: '/identities/sales', resource: 'identity' }, /malformed ID.*UUID/],
	[500, {}, oddRestriction, /malformed ID.*UUID/],
	[500, {}, lists, /The service failed/],
	[500, {}, creation, /website/],
	[405, {}, creation, /website/],
	[507, {}, lists, /operator/],
	[99, {}, {}, /cannot be read/],
])('%d with %j for %j says what happened and what to do', (status, body, request, expected) => {
	const error = errorFor(status, body, request);
	expect(statusOf(error)).toBe(status);
	const text = `${error.message} ${error.description}`;
	expect(text).toMatch(expected);
	// n8n 1.x stops retrying an activation whose error has this word in it.
	expect(text).not.toMatch(/[{}]|authorization/i);
});

test.each<[object, string, boolean]>([
	[
		{ data: { error: { code: 'INSUFFICIENT_SCOPE', requiredScopes: ['emails:send'] } } },
		'emails:send',
		false,
	],
	[
		{ code: 'INSUFFICIENT_SCOPE', requiredScopes: ['a:b', 'Dear Anna, the offer', 7] },
		'a:b',
		false,
	],
	[{ code: 'FORBIDDEN' }, '', true],
])('403 with %j names the right %p; the message is missing: %p', (body, scope, missing) => {
	const { description } = errorFor(403, body);
	expect(isResourceMissing(errorFor(403, body))).toBe(missing);
	expect(description).toContain(scope);
	expect(description).not.toContain('Anna');
});

// h3 as Kurrier 3.5.0 was seen to use it, and the same service where it has the route.
const NO_ROUTE = { statusCode: 404, message: 'Cannot find any route matching /messages/m1.' };
const NO_MESSAGE = {
	message: 'Message not found',
	data: { success: false, error: { code: 'MESSAGE_NOT_FOUND', message: 'Message not found' } },
};

test.each<[number, object, boolean]>([
	[404, NO_ROUTE, true],
	[405, {}, true],
	[501, {}, true],
	[404, NO_MESSAGE, false],
	[404, { message: 'No: cannot find any route matching' }, false],
	[403, NO_ROUTE, false],
])('%d with %j: the route is missing: %p', (status, body, expected) => {
	const error = errorFor(status, body, message);
	expect(isRouteMissing(error)).toBe(expected);
	expect(/single messages/.test(error.message)).toBe(expected);
	expect(errorFor(404, NO_ROUTE).description).toContain('/api/kurrier');
});

import { isRouteMissing, mayHaveActed, statusOf } from '../../../nodes/EmailIdentity/api/errors';
import type { EmailIdentityService } from '../../../nodes/EmailIdentity/api/service';
import { API_KEY, connect, failureOf, serve } from './connection';
import { brokenOff, json, reset, text, trickle, type Answer } from './scriptedServer';

const WEBHOOK_ID = '0d4dd1f6-6a3f-4d66-9e25-8b1b9b2f7f11';
const webhook = { id: WEBHOOK_ID, url: 'https://example.com/', events: ['message.received'] };

describe('patience', () => {
	test.each([
		['429', json({}, 429, { 'retry-after': '0' })],
		['502', text('<html>', 502)],
		['503', json({}, 503)],
		['504', json({}, 504)],
		['a reset connection', reset],
	])('a read survives %s', async (_name, fault) => {
		const server = await serve(fault, fault, json({ userId: 'u1' }));
		expect(await connect(server.origin).getUser()).toEqual({ userId: 'u1' });
		expect(server.requests).toHaveLength(3);
	});

	test('attempts are bounded, and the error says how many there were', async () => {
		const server = await serve(json({}, 503));
		const { message, description } = await failureOf(
			connect(server.origin, { retry: { attempts: 3 } }).getUser(),
		);
		expect(message).toBe('The service is not available at the moment');
		expect(description).toContain('after 3 attempts');
		expect(server.requests).toHaveLength(3);
	});

	test('a creation whose answer was lost is not repeated, and is marked as perhaps done', async () => {
		const server = await serve(reset, json(webhook));
		const { error } = await failureOf(
			connect(server.origin).createWebhook({
				url: webhook.url,
				events: webhook.events,
				ownerId: 'u1',
			}),
		);
		expect(server.requests).toEqual(['POST /api/webhooks']);
		expect(mayHaveActed(error)).toBe(true);
	});

	test('a creation is not repeated after a 503 that a proxy may have made, and is told as perhaps done', async () => {
		const server = await serve(json({}, 503), json(webhook));
		const { createWebhook } = connect(server.origin);
		const { url, events } = webhook;
		const { message, description, error } = await failureOf(
			createWebhook({ url, events, ownerId: 'u1' }),
		);
		expect(server.requests).toEqual(['POST /api/webhooks']);
		expect(message).toBe('The service is not available at the moment');
		expect(description).toMatch(/^The webhook may have been created.*look for it before/);
		expect(mayHaveActed(error)).toBe(true);
	});

	test.each([429, 503])(
		'a creation that the service refused for now is repeated: %d',
		async (status) => {
			const server = await serve(json({}, status, { 'retry-after': '0' }), json(webhook));
			const { createWebhook } = connect(server.origin);
			expect(
				await createWebhook({ url: webhook.url, events: webhook.events, ownerId: 'u1' }),
			).toEqual(webhook);
		},
	);

	test('a deletion repeated after a lost answer takes 404 for success', async () => {
		const server = await serve(reset, json({ message: 'not found' }, 404));
		await connect(server.origin).deleteWebhook(WEBHOOK_ID);
		expect(server.requests).toHaveLength(2);
	});

	test('a deletion repeated after a 503 that a proxy may have made takes 404 for success', async () => {
		const server = await serve(json({}, 503), json({ message: 'not found' }, 404));
		await connect(server.origin).deleteWebhook(WEBHOOK_ID);
		expect(server.requests).toHaveLength(2);
	});

	test('a deletion of what was not there is an error', async () => {
		const server = await serve(json({}, 404));
		const { error, message } = await failureOf(connect(server.origin).deleteWebhook(WEBHOOK_ID));
		expect(message).toBe('The webhook was not found');
		expect(statusOf(error)).toBe(404);
	});

	test('an answer that trickles in for ever ends at the deadline', async () => {
		const server = await serve(trickle);
		const { message } = await failureOf(
			connect(server.origin, { retry: { attempts: 1, timeout: 200 } }).getUser(),
		);
		expect(message).toBe('The service took too long to answer');
	});

	test('cancelling the execution ends the wait and asks no more', async () => {
		const controller = new AbortController();
		const server = await serve((request, response) => {
			json({}, 503, { 'retry-after': '30' })(request, response);
			response.on('finish', () => controller.abort());
		});
		await failureOf(connect(server.origin, {}, controller.signal).getUser());
		expect(server.requests).toHaveLength(1);
	});
});

describe('where the key goes', () => {
	test('a redirect within the origin is followed', async () => {
		const server = await serve(text('', 308, { location: '/api/v2/me' }), json({ userId: 'u1' }));
		expect(await connect(server.origin).getUser()).toEqual({ userId: 'u1' });
		expect(server.requests).toEqual(['GET /api/me', 'GET /api/v2/me']);
		expect(server.keys).toEqual([`Bearer ${API_KEY}`, `Bearer ${API_KEY}`]);
	});

	test('a redirect to another origin is not followed, and the error names it', async () => {
		const elsewhere = await serve(json({ userId: 'u1' }));
		const server = await serve(text('', 302, { location: `${elsewhere.origin}/me` }));
		const { message, description } = await failureOf(connect(server.origin).getUser());
		expect(message).toBe('The service sends the request to another address');
		expect(description).toContain(elsewhere.origin);
		expect(elsewhere.requests).toEqual([]);
	});

	test('a circle of redirects ends, and is not told as another address', async () => {
		const server = await serve(text('', 307, { location: '/api/me' }));
		const { message, description } = await failureOf(connect(server.origin).getUser());
		expect(server.requests.length).toBeLessThan(10);
		expect(message).toBe('The service redirects the request in place of answering it');
		expect(description).toContain('/api/me');
	});

	test.each([
		[302, 'The service redirects the request in place of answering it', false],
		[303, 'The service points to another page in place of an answer', true],
	])(
		'%d for a creation is not told as another address',
		async (status, expected, isPerhapsDone) => {
			const server = await serve(text('', status, { location: '/login?next=SECRET' }));
			const create = connect(server.origin).createWebhook({ url: '', events: [], ownerId: 'u1' });
			const { message, everything, error } = await failureOf(create);
			expect(message).toBe(expected);
			expect(everything).not.toContain('SECRET');
			expect(mayHaveActed(error)).toBe(isPerhapsDone);
		},
	);

	test('a redirect without an address is told as a redirect', async () => {
		const server = await serve(text('', 304));
		const { message } = await failureOf(connect(server.origin).getUser());
		expect(message).toBe('The service answered with a redirect');
	});
});

describe('answers that cannot be read', () => {
	test.each([
		['a web page with status 200', text('<!doctype html><p>Welcome'), /web page/],
		['truncated JSON', text('{"data":{"id":"'), /broke off/],
		['nothing', text(''), /empty/],
		['binary', text(Buffer.from([0, 255, 254, 1, 2])), /something else/],
		['JSON of another shape', json({ hello: 'world' }), /a user ID/],
		['a list in place of one', json([{ userId: 'u1' }]), /a list of 1/],
	])('%s', async (_name, answer, expected) => {
		const server = await serve(answer);
		const { message, description } = await failureOf(connect(server.origin).getUser());
		expect(message).toBe('The service sent an answer that cannot be read');
		expect(description).toMatch(expected);
	});

	test('an answer that breaks off is asked for again', async () => {
		const server = await serve(brokenOff, json({ userId: 'u1' }));
		expect(await connect(server.origin).getUser()).toEqual({ userId: 'u1' });
	});

	test('a byte order mark and a wrong content type do not matter', async () => {
		const server = await serve(text('\uFEFF{"userId":"u1"}', 200, { 'content-type': 'text/html' }));
		expect(await connect(server.origin).getUser()).toEqual({ userId: 'u1' });
	});
});

describe('empty successes', () => {
	test('a deletion answered with nothing is done', async () => {
		const server = await serve(text('', 204));
		await expect(connect(server.origin).deleteWebhook(WEBHOOK_ID)).resolves.toBeUndefined();
	});

	test('a deletion answered with a web page is not', async () => {
		const server = await serve(text('<html>'));
		await failureOf(connect(server.origin).deleteWebhook(WEBHOOK_ID));
	});

	test('an update answered with nothing is read back', async () => {
		const server = await serve(text('', 204), json(webhook));
		expect(await connect(server.origin).updateWebhook(WEBHOOK_ID, { enabled: true })).toEqual(
			webhook,
		);
	});

	const fields = { url: webhook.url, events: webhook.events, ownerId: 'u1' };

	describe.each<[string, (service: EmailIdentityService) => Promise<unknown>]>([
		['created', async ({ createWebhook }) => await createWebhook(fields)],
		['changed', async ({ updateWebhook }) => await updateWebhook(WEBHOOK_ID, { enabled: true })],
	])('what was %s, where the answer is its ID alone', (_what, write) => {
		const whole = { ...webhook, enabled: true, identityId: 'i1' };
		const answer = json({ data: { id: WEBHOOK_ID, done: true } });

		test('is read back', async () => {
			const server = await serve(answer, json(whole));
			expect(await write(connect(server.origin))).toEqual({ ...whole, done: true });
			expect(server.requests.slice(1)).toEqual([`GET /api/webhooks/${WEBHOOK_ID}`]);
		});

		test('is done all the same where it cannot be read', async () => {
			const server = await serve(answer, json({}, 403));
			expect(await write(connect(server.origin))).toEqual({ id: WEBHOOK_ID, done: true });
		});
	});

	describe('a creation that the answer does not show', () => {
		const { url, events } = webhook;
		const older = { ...webhook, id: 'older', createdAt: '2026-01-01T00:00:00Z' };
		const newer = { ...webhook, id: 'newer', createdAt: '2026-01-02T00:00:00Z' };
		const other = { ...webhook, id: 'other', url: 'https://a.example' };
		const create = async (...answers: Answer[]) => {
			const server = await serve(...answers);
			const { createWebhook } = connect(server.origin);
			const created = await createWebhook({ url, events, ownerId: 'u1' });
			return { id: created.id, requests: server.requests.slice(1) };
		};

		test.each([
			['nothing', text('', 201)],
			['nothing, 204', text('', 204)],
			['blanks', text(' \n', 201)],
			['a confirmation', json({ success: true }, 201)],
			['an empty object', json({})],
		])('is the newest one with its URL in the list: %s', async (_name, answer) => {
			for (const list of [
				[older, newer, other],
				[newer, older],
				[
					{ ...older, createdAt: undefined },
					{ ...newer, createdAt: undefined },
				],
			]) {
				expect((await create(answer, json(list))).id).toBe('newer');
			}
		});

		test('is the one that Location names', async () => {
			const location = '/api/webhooks/wh%2F1';
			const { id, requests } = await create(
				text('', 201, { location }),
				json({ ...webhook, id: 'wh/1' }),
			);
			expect(id).toBe('wh/1');
			expect(requests).toEqual(['GET /api/webhooks/wh%2F1']);
		});

		test.each([
			['leads nowhere', json({}, 404)],
			['leads to another one', json(other)],
			['leads to a page', text('<html>')],
		])('is looked for in the list where Location %s', async (_name, answer) => {
			const { id, requests } = await create(
				text('', 201, { location: '/api/webhooks/1' }),
				answer,
				json([newer]),
			);
			expect(id).toBe('newer');
			expect(requests).toEqual(['GET /api/webhooks/1', 'GET /api/webhooks']);
		});

		test.each([
			['the key may not list', 403, 'This API key may not list webhooks'],
			['the service is asked too often', 429, 'The service received too many requests'],
			['the list fails', 500, 'The service could not answer, for a reason of its own'],
		])('and cannot be looked up is an error, and perhaps done: %s', async (_, status, expected) => {
			const server = await serve(text('', 201), json({}, status));
			const { createWebhook } = connect(server.origin, { retry: { attempts: 1 } });
			const call = createWebhook({ url, events, ownerId: 'u1' });
			const { message, description, error } = await failureOf(call);
			expect(message).toBe(expected);
			expect(description).toMatch(/^The webhook may have been created.*look for it before/);
			expect(mayHaveActed(error)).toBe(true);
			expect(statusOf(error)).toBeUndefined();
		});

		test('and is not in the list is an error, and perhaps done', async () => {
			const server = await serve(text('', 201), json([other]));
			const call = connect(server.origin).createWebhook({ url, events, ownerId: 'u1' });
			const { description, error } = await failureOf(call);
			expect(description).toContain('may have been created');
			expect(mayHaveActed(error)).toBe(true);
		});
	});
});

describe('a failure with status 200', () => {
	const body = { ok: false, errors: { url: `is taken by ${webhook.url}?token=SECRET` } };
	const service = async () => connect((await serve(json(body))).origin);

	test.each([
		['a list', async () => await (await service()).listWebhooks()],
		['a resource', async () => await (await service()).getWebhook('1')],
		['a change', async () => await (await service()).updateWebhook('1', { enabled: true })],
		['a deletion', async () => await (await service()).deleteWebhook('1')],
		[
			'a creation',
			async () =>
				await (
					await service()
				).createWebhook({ url: 'https://x.example', events: [], ownerId: '' }),
		],
	])('is one for %s', async (_name, call) => {
		const { message, description, everything } = await failureOf(call());
		expect(message).toBe('The service reports that the request failed');
		expect(description).toContain(`url: is taken by ${webhook.url}?token=***`);
		expect(everything).not.toContain('SECRET');
	});

	test('is none where the webhook itself tells of its last delivery', async () => {
		const shown = { ...webhook, status: 'failed', errors: ['timeout'] };
		const { origin } = await serve(json(shown));
		const { createWebhook, updateWebhook, deleteWebhook } = connect(origin);
		const fields = { url: webhook.url, events: webhook.events, ownerId: 'u1' };
		expect(await createWebhook(fields)).toEqual(shown);
		expect(await updateWebhook(WEBHOOK_ID, { enabled: false })).toEqual(shown);
		await expect(deleteWebhook(WEBHOOK_ID)).resolves.toBeUndefined();
	});

	test('is told without its words where they may be mail', async () => {
		const server = await serve(json({ success: false, message: 'Dear Anna, the offer' }));
		const { everything } = await failureOf(connect(server.origin).getMessage('m1'));
		expect(everything).not.toContain('Dear Anna');
	});
});

test('the owner and the credential are asked for once, and again after a failure', async () => {
	const server = await serve(json({}, 401), json({ userId: 'u1' }));
	const service = connect(server.origin);
	await failureOf(service.ownerId());
	expect(await Promise.all([service.ownerId(), service.ownerId()])).toEqual(['u1', 'u1']);
	expect((await service.credential()).baseUrl).toBe(`${server.origin}/api`);
	expect(server.requests).toHaveLength(2);
});

describe('errors', () => {
	test.each([
		[401, 'The service refused the API key', /credential/],
		[403, 'The API key has no access to this webhook', /another account/],
		[404, 'The webhook was not found', /deleted/],
		[409, 'The service reports a conflict with what is already there', /webhook/],
		[418, 'The service refused the request', /base URL/],
		[500, 'The service could not answer, for a reason of its own', /operator/],
		[507, 'The service could not answer, for a reason of its own', /operator/],
	])('%d says what happened and what to do', async (status, message, description) => {
		const server = await serve(json({ message: `the key is ${API_KEY}` }, status));
		const failure = await failureOf(connect(server.origin).getWebhook(WEBHOOK_ID));
		expect(failure.message).toBe(message);
		expect(failure.description).toMatch(description);
		expect(statusOf(failure.error)).toBe(status);
		// n8n 1.x stops retrying an activation whose error has this word in it.
		expect(failure.everything).not.toMatch(/authorization/i);
	});

	test.each([
		['identities', 'This API key may not list identities', 'listIdentities'],
		['webhooks', 'This API key may not list webhooks', 'listWebhooks'],
		['its user', 'This API key may not ask whose it is', 'getUser'],
	] as const)('403 for %s is told as a limit of the key', async (_what, expected, read) => {
		const server = await serve(json({}, 403));
		const service = connect(server.origin);
		expect((await failureOf(service[read]())).message).toBe(expected);
	});

	test('a list that lacks a right names it', async () => {
		const body = {
			data: { error: { code: 'INSUFFICIENT_SCOPE', requiredScopes: ['emails:receive'] } },
		};
		const server = await serve(json(body, 403));
		const { message, description } = await failureOf(connect(server.origin).listIdentities());
		expect(message).toBe('This API key may not list identities');
		expect(description).toMatch(/^It lacks the right emails:receive\./);
	});

	test('404 for what always exists means the address is wrong', async () => {
		const server = await serve(json({}, 404));
		const { message } = await failureOf(connect(server.origin).listIdentities());
		expect(message).toBe('The API was not found at this address');
	});

	// h3 as Kurrier 3.5.0 was seen to use it, and the same service where it has the route.
	const NO_ROUTE = { statusCode: 404, message: 'Cannot find any route matching /messages/m1.' };
	const NO_MESSAGE = {
		...NO_ROUTE,
		message: 'Message not found',
		data: { success: false, error: { code: 'MESSAGE_NOT_FOUND', message: 'Message not found' } },
	};

	test.each([
		['h3', json(NO_ROUTE, 404)],
		['Fastify', json({ message: 'Route GET:/api/messages/m1 not found' }, 404)],
		['another method only', json({}, 405)],
		['one who has yet to write it', json({}, 501)],
	])('a service without single messages says so: %s', async (_name, answer) => {
		const server = await serve(answer);
		const failure = await failureOf(connect(server.origin).getMessage('m1'));
		expect(failure.message).toBe('This service cannot give single messages');
		expect(failure.description).toMatch(/Verify With the API switched off/);
		expect(isRouteMissing(failure.error)).toBe(true);
	});

	test.each([
		['its own words', json(NO_MESSAGE, 404)],
		['a page', text('<html>Cannot GET /api</html>', 404)],
		['nothing', text('', 404)],
		['a page that quotes', json({ message: 'No: cannot find any route matching' }, 404)],
	])('a message that is missing is not taken for a missing route: %s', async (_name, answer) => {
		const server = await serve(answer);
		const failure = await failureOf(connect(server.origin).getMessage('m1'));
		expect(failure.message).toBe('The message was not found');
		expect(failure.description).toMatch(/^Use the ID that the Email Identity Trigger gave/);
		expect(isRouteMissing(failure.error)).toBe(false);
	});

	test('what else has no route is at another address', async () => {
		const server = await serve(json(NO_ROUTE, 404));
		const { message } = await failureOf(connect(server.origin).getWebhook(WEBHOOK_ID));
		expect(message).toBe('The API was not found at this address');
	});

	test('a service that cannot create webhooks through its API says what to do', async () => {
		const server = await serve(json({}, 500));
		const fields = { url: webhook.url, events: webhook.events, ownerId: 'u1' };
		const failure = await failureOf(connect(server.origin).createWebhook(fields));
		expect(failure.message).toBe('The service could not create the webhook');
		expect(failure.description).toMatch(/may have been created.*make it in the service's own page/);
	});

	test('the service explains what is invalid, field by field', async () => {
		const issues = [{ path: 'url', message: 'must be public' }];
		const body = { data: { error: { message: 'Invalid', issues } } };
		const server = await serve(json(body, 422));
		const { description } = await failureOf(
			connect(server.origin).updateWebhook(WEBHOOK_ID, { url: 'https://10.0.0.1' }),
		);
		expect(description).toContain('url: must be public.');
	});

	test('what the service says about a message is not repeated: it may hold mail', async () => {
		const server = await serve(json({ message: 'Dear Anna, the offer' }, 400));
		const { everything } = await failureOf(connect(server.origin).getMessage('m 1/2'));
		expect(server.requests).toEqual(['GET /api/messages/m%201%2F2']);
		expect(everything).not.toContain('Dear Anna');
	});

	test('nothing listens there', async () => {
		const server = await serve(json({}));
		await server.stop();
		const { message, error } = await failureOf(connect(server.origin).getUser());
		expect(message).toBe('The service cannot be reached');
		expect(mayHaveActed(error)).toBe(false);
		expect(statusOf(error)).toBeUndefined();
	});

	test.each(['42', 'wh_1', 'WH/7 é', '507f1f77bcf86cd799439011'])(
		'the ID %p is taken as the service gave it',
		async (id) => {
			const server = await serve(json({ ...webhook, id }));
			expect(await connect(server.origin).getWebhook(id)).toEqual({ ...webhook, id });
			expect(server.requests).toEqual([`GET /api/webhooks/${encodeURIComponent(id)}`]);
		},
	);

	test.each(['', '.', '..'])('the ID %p is refused before the request', async (id) => {
		const server = await serve(json({}, 500));
		const { message } = await failureOf(connect(server.origin).getIdentity(id));
		expect(message).toBe('This is not a valid identity ID');
		expect(server.requests).toEqual([]);
	});

	test.each([
		['expired', { message: 'API key has expired' }, 'The API key has expired'],
		[
			'revoked',
			{ data: { error: { message: 'API key has been revoked' } } },
			'The API key has been revoked',
		],
		['some reason', { message: 'Invalid or expired API key' }, 'The service refused the API key'],
	])('401 tells why the key was refused: %s', async (_name, body, expected) => {
		const server = await serve(json(body, 401));
		const { message, error } = await failureOf(connect(server.origin).listWebhooks());
		expect(message).toBe(expected);
		expect(statusOf(error)).toBe(401);
	});

	test('403 names the rights that the key lacks, and nothing else of what it is told', async () => {
		const requiredScopes = ['emails:receive', 'Dear Anna, the offer'];
		const body = { data: { error: { code: 'INSUFFICIENT_SCOPE', requiredScopes } } };
		const server = await serve(json(body, 403));
		const { message, description, everything } = await failureOf(
			connect(server.origin).getMessage('m1'),
		);
		expect(message).toBe('The API key lacks a right that this needs');
		expect(description).toContain('It lacks the right emails:receive.');
		expect(everything).not.toContain('Dear Anna');
	});

	test('402 is not told as a wrong base URL', async () => {
		const server = await serve(json({}, 402));
		const { message, description } = await failureOf(connect(server.origin).listWebhooks());
		expect(message).toBe('The service wants to be paid first');
		expect(description).not.toContain('base URL');
	});

	test.each([400, 409, 422])('%d that quotes an address keeps its secret', async (status) => {
		const url = 'https://n8n.example.com/webhook/1?token=SECRET-VALUE';
		const quotes = [url, encodeURIComponent(url), 'SECRET-VALUE', `the key ${API_KEY}`].join(
			' and ',
		);
		const server = await serve(json({ errors: { url: [`exists: ${quotes}`] } }, status));
		const create = connect(server.origin).createWebhook({ url, events: [], ownerId: 'u1' });
		const { description, everything } = await failureOf(create);
		expect(description).toContain('url: exists: https://n8n.example.com/webhook/1?token=***');
		expect(everything).not.toContain('SECRET-VALUE');
	});

	test('400 of a port that speaks https says so', async () => {
		const page = '<title>400 The plain HTTP request was sent to HTTPS port</title>';
		const server = await serve(text(page, 400));
		const { description } = await failureOf(connect(server.origin).getUser());
		expect(description).toContain('must start with https://');
	});

	test('a base URL with https for a service that speaks http is told so', async () => {
		const server = await serve(json({}));
		const { message, description } = await failureOf(
			connect(server.origin.replace('http:', 'https:')).getUser(),
		);
		expect(message).toBe('The service speaks http at this address, not https');
		expect(description).toContain('http://');
		expect(server.requests).toEqual([]);
	});

	test('a service that does not speak http is told so', async () => {
		const server = await serve((request) => request.socket.end('\x15\x03\x01\x00\x02\x02F'));
		const { message } = await failureOf(connect(server.origin).getUser());
		expect(message).toBe('The service does not speak http at this address');
	});
});

test('equal reads are asked once until something is written', async () => {
	const server = await serve(json([webhook]), json(webhook), json([webhook]));
	const service = connect(server.origin, { shareReads: true });
	await Promise.all([service.listWebhooks(), service.listWebhooks()]);
	await service.listWebhooks();
	await service.updateWebhook(WEBHOOK_ID, { enabled: false });
	await service.listWebhooks();
	expect(server.requests).toEqual([
		'GET /api/webhooks',
		`PATCH /api/webhooks/${WEBHOOK_ID}`,
		'GET /api/webhooks',
	]);
});

describe.each<[string, unknown, (service: EmailIdentityService) => Promise<unknown>]>([
	['the owner', { userId: 'u1' }, async (service) => await service.ownerId()],
	['the identities', [], async (service) => await service.listIdentities()],
	['the webhooks', [], async (service) => await service.listWebhooks()],
])('%s, which the items of an execution share', (_what, body, read) => {
	const readTwice = async (status: number) => {
		const server = await serve(json({}, status), json(body));
		const service = connect(server.origin, { shareReads: true, retry: { attempts: 1 } });
		await failureOf(read(service));
		return { server, second: read(service) };
	};

	test.each([408, 429, 500, 503])(
		'are asked for again by a later item after %d',
		async (status) => {
			const { second } = await readTwice(status);
			await expect(second).resolves.toBeDefined();
		},
	);

	test('are not after a refusal that stays', async () => {
		const { server, second } = await readTwice(401);
		await failureOf(second);
		expect(server.requests).toHaveLength(1);
	});
});

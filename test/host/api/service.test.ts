import type { INodeType } from 'n8n-workflow';
import { mayHaveActed, statusOf } from '../../../nodes/EmailIdentity/api/errors';
import {
	createService,
	type EmailIdentityService,
	type ServiceOptions,
} from '../../../nodes/EmailIdentity/api/service';
import { executeContext } from '../rig';
import {
	brokenOff,
	json,
	reset,
	startScriptedServer,
	text,
	trickle,
	type Answer,
	type ScriptedServer,
} from './scriptedServer';

const API_KEY = 'sk-the-key-of-the-test';
const WEBHOOK_ID = '0d4dd1f6-6a3f-4d66-9e25-8b1b9b2f7f11';
const webhook = { id: WEBHOOK_ID, url: 'https://example.com/', events: ['message.received'] };
const quick = { firstDelay: 1, longestDelay: 5, timeout: 2000 };

/** Any node that may use the credential. */
const bareNode: INodeType = {
	description: {
		displayName: 'Bare',
		name: 'bare',
		group: ['input'],
		version: 1,
		description: 'Does nothing',
		defaults: { name: 'Bare' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'emailIdentityApi', required: true }],
		properties: [],
	},
};

const servers: ScriptedServer[] = [];

afterEach(async () => {
	await Promise.all(servers.splice(0).map(async (server) => await server.stop()));
});

async function serve(...answers: Answer[]): Promise<ScriptedServer> {
	const server = await startScriptedServer(...answers);
	servers.push(server);
	return server;
}

function connect(
	origin: string,
	options: ServiceOptions = {},
	signal?: AbortSignal,
): EmailIdentityService {
	const context = executeContext({
		type: bareNode,
		credential: { baseUrl: `${origin}/api/`, apiKey: API_KEY },
		signal,
	});
	return createService(context, { ...options, retry: { ...quick, ...options.retry } });
}

async function failureOf(call: Promise<unknown>): Promise<{
	message: string;
	description: string;
	everything: string;
	error: Error;
}> {
	const error = await call.then(
		() => {
			throw new Error('expected a failure');
		},
		(caught: Error & { description?: string }) => caught,
	);
	const own = Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]);
	const everything = JSON.stringify([String(error), error.stack, Object.fromEntries(own)]);
	expect(everything).not.toContain(API_KEY);
	return { message: error.message, description: error.description ?? '', everything, error };
}

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

	test('a creation that was refused for now is repeated', async () => {
		const server = await serve(json({}, 429, { 'retry-after': '0' }), json(webhook));
		const { createWebhook } = connect(server.origin);
		expect(
			await createWebhook({ url: webhook.url, events: webhook.events, ownerId: 'u1' }),
		).toEqual(webhook);
	});

	test('a deletion repeated after a lost answer takes 404 for success', async () => {
		const server = await serve(reset, json({ message: 'not found' }, 404));
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

	test('a circle of redirects ends', async () => {
		const server = await serve(text('', 307, { location: '/api/me' }));
		await failureOf(connect(server.origin).getUser());
		expect(server.requests.length).toBeLessThan(10);
	});

	test('a list that goes on at another origin is an error, not half a list', async () => {
		const elsewhere = await serve(json([webhook]));
		const next = { link: `<${elsewhere.origin}/webhooks?page=2>; rel="next"` };
		const server = await serve(json([webhook], 200, next));
		const { description } = await failureOf(connect(server.origin).listWebhooks());
		expect(description).toContain(elsewhere.origin);
		expect(elsewhere.requests).toEqual([]);
	});
});

describe('lists', () => {
	test('all pages are read, in order', async () => {
		const page = (id: string, next?: string) =>
			json([{ ...webhook, id }], 200, next ? { link: `<${next}>; rel="next"` } : {});
		const server = await serve(page('1', '/api/webhooks?page=2'), page('2', '?page=3'), page('3'));
		const list = await connect(server.origin).listWebhooks();
		expect(list.map(({ id }) => id)).toEqual(['1', '2', '3']);
	});

	test('a list of 200,000 is read like any other', async () => {
		const list = Array.from({ length: 200_000 }, (_, index) => ({ id: String(index) }));
		const server = await serve(json(list));
		expect(
			await connect(server.origin, { retry: { timeout: 60_000 } }).listWebhooks(),
		).toHaveLength(list.length);
	});

	test('pages that lead round in a circle end in an error', async () => {
		const server = await serve(json([webhook], 200, { link: '</api/webhooks>; rel="next"' }));
		const { description } = await failureOf(connect(server.origin).listWebhooks());
		expect(description).toContain('circle');
		expect(server.requests).toHaveLength(1);
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

	test('a creation answered with nothing is found in the list', async () => {
		const server = await serve(
			text('', 201),
			json([{ ...webhook, url: 'https://a.example' }, webhook]),
		);
		const created = await connect(server.origin).createWebhook({
			url: webhook.url,
			events: webhook.events,
			ownerId: 'u1',
		});
		expect(created).toEqual(webhook);
	});
});

describe('errors', () => {
	test.each([
		[401, 'The service refused the API key', /credential/],
		[403, 'The API key has no access to this webhook', /another account/],
		[404, 'The webhook was not found', /deleted/],
		[409, 'The service reports a conflict with what is already there', /webhook/],
		[418, 'The service refused the request', /base URL/],
		[500, 'The service had an internal problem', /operator/],
		[507, 'The service had an internal problem', /operator/],
	])('%d says what happened and what to do', async (status, message, description) => {
		const server = await serve(json({ message: `the key is ${API_KEY}` }, status));
		const failure = await failureOf(connect(server.origin).getWebhook(WEBHOOK_ID));
		expect(failure.message).toBe(message);
		expect(failure.description).toMatch(description);
		expect(statusOf(failure.error)).toBe(status);
		// n8n 1.x stops retrying an activation whose error has this word in it.
		expect(failure.everything).not.toMatch(/authorization/i);
	});

	test('404 for what always exists means the address is wrong', async () => {
		const server = await serve(json({}, 404));
		const { message } = await failureOf(connect(server.origin).listIdentities());
		expect(message).toBe('The API was not found at this address');
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

	test('an ID that is no UUID is refused before the request', async () => {
		const server = await serve(json({}, 500));
		const { message } = await failureOf(connect(server.origin).getIdentity('42'));
		expect(message).toBe('This is not a valid identity ID');
		expect(server.requests).toEqual([]);
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

import { mayHaveBeenDone, statusOf } from '../../../nodes/EmailIdentity/api/failures/errors';
import type { EmailIdentityService } from '../../../nodes/EmailIdentity/api/service';
import { API_KEY, connect, failureOf, serve } from './support/connection';
import { brokenOff, json, text } from './support/scriptedServer';

const WEBHOOK_ID = '7f3c1a52-2b7e-4f0e-9a55-1d2c3b4a5e6f';
const webhook = { id: WEBHOOK_ID, url: 'https://example.com/hook', events: ['message.received'] };
const fields = { url: webhook.url, events: webhook.events, ownerId: 'u1' };

describe('redirects', () => {
	test('a redirect within the origin is followed', async () => {
		const server = await serve(text('', 308, { location: '/api/v2/me' }), json({ userId: 'u1' }));
		expect(await connect(server.origin).getUser()).toEqual({ userId: 'u1' });
		expect(server.requests).toEqual(['GET /api/me', 'GET /api/v2/me']);
		expect(server.keys).toEqual([`Bearer ${API_KEY}`, `Bearer ${API_KEY}`]);
	});

	test('a redirect to another origin is not followed, and the error names it', async () => {
		const elsewhere = await serve(json({ userId: 'u1' }));
		const server = await serve(text('', 302, { location: `${elsewhere.origin}/me` }));
		const { description } = await failureOf(connect(server.origin).getUser());
		expect(description).toContain(elsewhere.origin);
		expect(elsewhere.requests).toEqual([]);
	});

	test('a circle of redirects ends', async () => {
		const server = await serve(text('', 307, { location: '/api/me' }));
		const { description } = await failureOf(connect(server.origin).getUser());
		expect(server.requests.length).toBeLessThan(10);
		expect(description).toContain('/api/me');
	});

	test.each([
		[302, false],
		[303, true],
	])('%d for a creation is not followed; it may have been done: %p', async (status, isPossible) => {
		const server = await serve(text('', status, { location: '/login?next=SECRET' }));
		const { everything, error } = await failureOf(connect(server.origin).createWebhook(fields));
		expect(everything).not.toContain('SECRET');
		expect(mayHaveBeenDone(error)).toBe(isPossible);
		expect(server.requests).toHaveLength(1);
	});
});

describe('responses', () => {
	test('that break off are requested again', async () => {
		const server = await serve(brokenOff, json({ userId: 'u1' }));
		expect(await connect(server.origin).getUser()).toEqual({ userId: 'u1' });
	});

	test('to a deletion may be empty, but not a web page or a failure with status 200', async () => {
		const server = await serve(text('', 204), text('<html>'), json({ ok: false }));
		const service = connect(server.origin);
		await expect(service.deleteWebhook(WEBHOOK_ID)).resolves.toBeUndefined();
		await failureOf(service.deleteWebhook(WEBHOOK_ID));
		const { message } = await failureOf(service.deleteWebhook(WEBHOOK_ID));
		expect(message).toContain('request failed');
	});
});

test('a list in pages is an error that says so, and is not read further', async () => {
	const server = await serve(json({ data: [webhook], next: '/api/webhooks?page=2' }));
	const { message, description } = await failureOf(connect(server.origin).listWebhooks());
	expect(message).toContain('only part of the list of webhooks');
	expect(description).toContain('operator of the service');
	expect(server.requests).toEqual(['GET /api/webhooks']);
});

type Call = (service: EmailIdentityService) => Promise<unknown>;
const create: Call = async (service) => await service.createWebhook(fields);
const change: Call = async (service) => await service.updateWebhook(WEBHOOK_ID, { enabled: true });

describe('a written webhook is read if the response does not contain it', () => {
	const nothing = text(' ', 201);
	const id = json({ data: { id: WEBHOOK_ID, done: true } });
	const newest = { ...webhook, createdAt: '2026-01-02T00:00:00Z' };
	const list = json([
		{ ...webhook, id: 'older', createdAt: '2026-01-01T00:00:00Z' },
		newest,
		{ ...webhook, id: 'other', url: 'https://a.example' },
	]);

	test.each([
		['a change, with nothing', change, nothing, json(webhook), webhook],
		['a change, with its ID', change, id, json(webhook), { ...webhook, done: true }],
		['a creation, with its ID', create, id, json(webhook), { ...webhook, done: true }],
		['a creation, with its ID alone', create, id, json({}, 403), { id: WEBHOOK_ID, done: true }],
		['a creation, with nothing', create, nothing, list, newest],
		['a creation, confirmed', create, json({ success: true }, 201), list, newest],
	])('%s', async (_name, call, first, second, expected) => {
		const server = await serve(first, second);
		expect(await call(connect(server.origin))).toEqual(expected);
		expect(server.requests).toHaveLength(2);
	});

	test.each([
		['cannot be looked up', json({}, 403)],
		['is not in the list', json([])],
	])('a creation that %s is an error, and may have been done', async (_what, answer) => {
		const server = await serve(nothing, answer);
		const { error } = await failureOf(create(connect(server.origin)));
		expect([mayHaveBeenDone(error), statusOf(error)]).toEqual([true, undefined]);
	});
});

describe('errors', () => {
	test.each([400, 409, 422])('%d that quotes a URL does not show its secret', async (status) => {
		const url = 'https://n8n.example.com/webhook/1?token=SECRET-VALUE';
		const quotes = [url, encodeURIComponent(url), 'SECRET-VALUE', `the key ${API_KEY}`];
		const server = await serve(json({ message: quotes.join(' and ') }, status));
		const create = connect(server.origin).createWebhook({ ...fields, url });
		const { description, everything } = await failureOf(create);
		expect(description).toContain('https://n8n.example.com/webhook/1?token=***');
		expect(everything).not.toContain('SECRET-VALUE');
	});

	test.each([
		['a redirect', text('', 302, { location: `https://login.example/${API_KEY}` })],
		['an issue', json({ issues: [{ path: `field.${API_KEY}`, message: API_KEY }] }, 422)],
		['a scope', json({ code: 'INSUFFICIENT_SCOPE', requiredScopes: [API_KEY] }, 403)],
	])('%s that quotes the key does not show it', async (_name, answer) => {
		const server = await serve(answer);
		const { everything } = await failureOf(connect(server.origin).getUser());
		expect(everything).not.toContain(API_KEY);
	});
});

describe('equal reads', () => {
	test('are sent once until something is written', async () => {
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

	test('are sent again after a failure', async () => {
		const server = await serve(json({}, 500), json({ userId: 'u1' }));
		const service = connect(server.origin, { shareReads: true });
		await failureOf(service.ownerId());
		expect(await service.ownerId()).toBe('u1');
	});
});

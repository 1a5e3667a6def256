import { type FaultAnswer, type Sandbox, startSandbox } from '../../../sandbox';
import { ask, identityId, subscribe } from './client';

describe('faults', () => {
	let sandbox: Sandbox;
	beforeAll(async () => {
		sandbox = await startSandbox({ dialect: 'observed' });
	});
	afterEach(() => {
		sandbox.clearFaults();
		sandbox.clearRecordings();
		sandbox.replaceState({ webhooks: [] });
		sandbox.setLimits({ concurrency: null, latency: 0 });
		sandbox.setPaging({ size: null });
	});
	afterAll(() => sandbox.stop());

	const askWith = (answer: FaultAnswer) => {
		sandbox.addFault({ answer, count: 1 });
		return ask(sandbox, 'GET /me');
	};

	test('another status comes with its headers and a body in the dialect', async () => {
		const headers = { 'retry-after': '7' };
		const answer = await askWith({ type: 'status', status: 429, headers });
		expect(answer.status).toBe(429);
		expect(answer.headers.get('retry-after')).toBe('7');
		expect(answer.json).toMatchObject({ error: true, statusCode: 429 });
	});

	test('422 lists its issues', async () => {
		const issues = [{ path: 'url', message: 'Not good', code: 'custom' }];
		const { json } = await askWith({ type: 'status', status: 422, issues });
		expect(json).toMatchObject({ data: { error: { issues } } });
	});

	test('truncated JSON cannot be parsed', async () => {
		const { status, text } = await askWith({ type: 'truncatedJson' });
		expect(status).toBe(200);
		expect(text).toMatch(/^\{"success":true/);
		expect(() => JSON.parse(text)).toThrow();
	});

	test('a web page comes with status 200', async () => {
		const { status, headers, text } = await askWith({ type: 'html' });
		expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
		expect(text).toContain('<html>');
	});

	test('the right body comes under another content type', async () => {
		const { headers, text } = await askWith({ type: 'contentType', contentType: 'image/png' });
		expect(headers.get('content-type')).toBe('image/png');
		expect(JSON.parse(text)).toMatchObject({ success: true });
	});

	test('a redirect names its location', async () => {
		const { status, headers } = await askWith({ type: 'redirect', location: 'http://other.test/' });
		expect([status, headers.get('location')]).toEqual([302, 'http://other.test/']);
	});

	test('a trickled body arrives whole', async () => {
		const answer: FaultAnswer = { type: 'trickle', chunkBytes: 16, intervalMilliseconds: 1 };
		expect(JSON.parse((await askWith(answer)).text)).toMatchObject({ success: true });
	});

	test.each<FaultAnswer['type'] & ('drop' | 'cutBody')>(['drop', 'cutBody'])(
		'%s breaks the connection',
		async (type) => {
			await expect(askWith({ type })).rejects.toThrow();
			expect((await ask(sandbox, 'GET /me')).status).toBe(200);
		},
	);

	test.each([
		[undefined, 0],
		[false, 0],
		[true, 1],
	])('a connection dropped with acts=%s leaves %i subscriptions', async (acts, count) => {
		sandbox.addFault({ method: 'POST', path: '/webhooks', acts, answer: { type: 'drop' } });
		await expect(subscribe(sandbox, 'https://hooks.example.com')).rejects.toThrow();
		expect(sandbox.webhooks()).toHaveLength(count);
		expect(sandbox.requests()).toMatchObject([{ method: 'POST', path: '/webhooks', status: 0 }]);
	});

	test('a caller that gave up finds that the service acted late', async () => {
		sandbox.addFault({ method: 'DELETE', delayBefore: 50 });
		const id = await subscribe(sandbox, 'https://hooks.example.com');
		const giveUp = new AbortController();
		const { apiKey } = sandbox.accounts.owner;
		const deleting = fetch(`${sandbox.baseUrl}/webhooks/${id}`, {
			method: 'DELETE',
			headers: { authorization: `Bearer ${apiKey}` },
			signal: giveUp.signal,
		});
		await sandbox.waitForRequest(({ method }) => method === 'DELETE');
		giveUp.abort();
		await expect(deleting).rejects.toThrow();
		while (sandbox.webhooks().length > 0) await new Promise((next) => setImmediate(next));
	});

	test('a rule is about its method and path, skips the first and ends after its count', async () => {
		const answer: FaultAnswer = { type: 'status', status: 503 };
		sandbox.addFault({ method: 'GET', path: '/identities/*', skip: 1, count: 2, answer });
		const id = identityId(sandbox, 'example.test');
		const statuses: number[] = [];
		for (const route of [`GET /identities/${id}`, 'GET /identities', 'GET /me']) {
			statuses.push((await ask(sandbox, route)).status);
		}
		for (let time = 0; time < 3; time++) {
			statuses.push((await ask(sandbox, `GET /identities/${id}`)).status);
		}
		expect(statuses).toEqual([200, 200, 200, 503, 503, 200]);
	});

	test('above the limit in flight it answers 429 with Retry-After, and knows the most in flight', async () => {
		sandbox.setLimits({ concurrency: 3, retryAfter: '2', latency: 30 });
		const answers = await Promise.all(Array.from({ length: 8 }, () => ask(sandbox, 'GET /me')));
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused.length).toBeGreaterThan(0);
		expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
		expect(refused[0]?.headers.get('retry-after')).toBe('2');
		expect(sandbox.inFlight().max).toBeGreaterThan(3);
		expect(sandbox.inFlight().now).toBe(0);
	});

	test('one after the other is never more than one in flight', async () => {
		sandbox.setLimits({ concurrency: 1 });
		for (let time = 0; time < 50; time++) {
			expect((await ask(sandbox, 'GET /me')).status).toBe(200);
		}
		expect(sandbox.inFlight()).toEqual({ now: 0, max: 1 });
	});

	test('pages of a list are linked until the last', async () => {
		sandbox.setPaging({ size: 4 });
		const found: unknown[] = [];
		let route: string | undefined = '/identities';
		while (route !== undefined) {
			const { json, headers } = await ask(sandbox, `GET ${route}`);
			found.push(...(json as { data: unknown[] }).data);
			const next: string | undefined = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
			route = next?.slice(sandbox.baseUrl.length);
		}
		expect(found).toHaveLength(sandbox.accounts.owner.identities.length);
	});

	test('a recorded request has what was sent and what was answered', async () => {
		await ask(sandbox, 'PATCH /webhooks/nope?x=1', { body: { enabled: false } });
		const { apiKey } = sandbox.accounts.owner;
		expect(sandbox.requests()).toMatchObject([
			{
				...{ method: 'PATCH', path: '/webhooks/nope', query: 'x=1', status: 500 },
				...{ body: '{"enabled":false}', headers: { authorization: `Bearer ${apiKey}` } },
			},
		]);
	});
});

import { connect, failureOf, serve } from './support/connection';
import { json, type Answer } from './support/scriptedServer';

/** A service that takes so many requests in a while, and refuses the others. */
function limited(most: number, milliseconds: number, headers = {}): Answer {
	let since = 0;
	let taken = 0;
	return (request, response) => {
		if (Date.now() - since > milliseconds) [since, taken] = [Date.now(), 0];
		const id = request.url?.split(/[/?]/).at(-2);
		if (++taken > most) json({}, 429, headers)(request, response);
		else json({ id })(request, response);
	};
}

test.each([
	['that says how long to wait', { 'retry-after': '0.05' }],
	['that does not', {}],
])('all 500 messages are read from a busy service %s', async (_what, headers) => {
	const server = await serve(limited(15, 40, headers));
	const service = connect(server.origin, { retry: { firstDelay: 20, longestDelay: 100 } });
	const ids = Array.from({ length: 500 }, (_, index) => String(index));
	const read = await Promise.all(ids.map(async (id) => (await service.getMessage(id)).id));
	expect(read).toEqual(ids);
});

test('at most twenty requests run at the same time, or as many as the node sets', async () => {
	let underWay = 0;
	let most = 0;
	const answer: Answer = (request, response) => {
		most = Math.max(most, ++underWay);
		setImmediate(() => {
			underWay--;
			json({ id: 'm' })(request, response);
		});
	};
	const server = await serve(answer);
	const readAll = async (options: object) => {
		most = 0;
		const { getMessage } = connect(server.origin, options);
		await Promise.all(Array.from({ length: 60 }, async (_, id) => await getMessage(String(id))));
		return most;
	};
	expect(await readAll({})).toBeLessThanOrEqual(20);
	expect(await readAll({ maxConcurrentRequests: 3 })).toBeLessThanOrEqual(3);
});

test.each([
	['busy', 429],
	['down', 503],
])('a service that stays %s ends in an error', async (_what, status) => {
	const server = await serve(json({}, status));
	const service = connect(server.origin, { retry: { attempts: 3 } });
	await failureOf(service.getUser());
	expect(server.requests).toHaveLength(3);
});

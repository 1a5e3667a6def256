import { connect, serve } from './support/connection';
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
	const service = connect(server.origin, { retry: { firstDelay: 20, maxDelay: 100 } });
	const ids = Array.from({ length: 500 }, (_, index) => String(index));
	const read = await Promise.all(ids.map(async (id) => (await service.getMessage(id)).id));
	expect(read).toEqual(ids);
});

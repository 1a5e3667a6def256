import type { Exchange } from '../../../nodes/EmailIdentity/api/transport';
import { RequestLimiter } from '../../../nodes/EmailIdentity/api/limiter';

const answer = (status: number, retryAfter?: string): Exchange => ({
	response: { status, headers: { 'retry-after': retryAfter }, text: '', url: 'http://service/' },
});

/** Lets everything that is ready go on. */
const settle = async () => await new Promise((resolve) => setImmediate(resolve));

/** A service whose answers are given by hand, in the order of the requests. */
function serviceBehind(limiter: RequestLimiter) {
	const open: Array<(exchange: Exchange) => void> = [];
	let sent = 0;
	return {
		ask: (count: number) => {
			for (let request = 0; request < count; request++) {
				void limiter.send(async () => {
					sent++;
					return await new Promise<Exchange>((resolve) => open.push(resolve));
				});
			}
		},
		/** Answers the oldest requests under way. */
		answer: async (count: number, exchange: Exchange) => {
			for (const resolve of open.splice(0, count)) resolve(exchange);
			await settle();
		},
		underWay: () => open.length,
		sent: () => sent,
	};
}

test('no more requests than the bound are under way, and all get their turn', async () => {
	const service = serviceBehind(new RequestLimiter(3, undefined));
	service.ask(7);
	expect(service.underWay()).toBe(3);

	await service.answer(2, answer(200));
	expect(service.underWay()).toBe(3);

	await service.answer(3, answer(200));
	await service.answer(2, answer(200));
	expect(service.sent()).toBe(7);
	expect(service.underWay()).toBe(0);
});

test('a refusal takes a quarter of those that were under way when the request was sent', async () => {
	const service = serviceBehind(new RequestLimiter(100, undefined));
	service.ask(8);
	await service.answer(7, answer(200));
	await service.answer(1, answer(429, '1'));
	service.ask(30);
	expect(service.underWay()).toBe(6);
});

test('refusals of requests that were sent together count once', async () => {
	const service = serviceBehind(new RequestLimiter(8, undefined));
	service.ask(8);
	await service.answer(4, answer(200));
	// The first of these was the fifth under way.
	await service.answer(4, answer(503));
	service.ask(30);
	expect(service.underWay()).toBe(3);
});

test('one request more is tried for as many answers as may be under way, up to the bound', async () => {
	const service = serviceBehind(new RequestLimiter(5, undefined));
	service.ask(5);
	await service.answer(4, answer(200));
	await service.answer(1, answer(429));
	service.ask(100);
	expect(service.underWay()).toBe(3);

	await service.answer(3, answer(200));
	expect(service.underWay()).toBe(4);
	for (let round = 0; round < 10; round++) {
		await service.answer(4, answer(200));
		expect(service.underWay()).toBeLessThanOrEqual(5);
	}
	expect(service.underWay()).toBe(5);
});

test('at least one request is under way, however often the service refuses', async () => {
	const service = serviceBehind(new RequestLimiter(2, undefined));
	service.ask(10);
	for (let round = 0; round < 3; round++) {
		// Longer than anyone waits, so that nothing is held back.
		await service.answer(2, answer(429, '3600'));
		expect(service.underWay()).toBe(1);
	}
});

test('a request refused although it was alone holds back the others until the pause is over', async () => {
	const cancelled = new AbortController();
	const service = serviceBehind(new RequestLimiter(1, cancelled.signal));
	service.ask(2);
	await service.answer(1, answer(429, '2'));
	expect(service.underWay()).toBe(0);

	// Cancelling ends the pause; nothing is left waiting for ever.
	cancelled.abort();
	await settle();
	await settle();
	expect(service.underWay()).toBe(1);
});

test('a pause that is longer than anyone waits holds back nobody', async () => {
	const service = serviceBehind(new RequestLimiter(1, undefined));
	service.ask(2);
	await service.answer(1, answer(503, '3600'));

	expect(service.underWay()).toBe(1);
});

test('a request that fails without an answer gives up its place', async () => {
	const limiter = new RequestLimiter(1, undefined);
	const broken = limiter.send(() => Promise.reject(new Error('broken')));
	const next = limiter.send(() => Promise.resolve(answer(200)));

	await expect(broken).rejects.toThrow('broken');
	await expect(next).resolves.toEqual(answer(200));
});

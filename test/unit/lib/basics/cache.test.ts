import { BoundedMap, Cache, Limiter } from '../../../../lib/basics';

test('a full map drops the entries set longest ago', () => {
	const map = new BoundedMap<string, string>(10, (value) => value.length);
	map.set('a', 'xxxx').set('b', 'xxxx').set('a', 'x').set('c', 'xxxxx');
	expect([...map.keys()]).toEqual(['b', 'a', 'c']);

	map.set('d', 'xx');
	expect([...map.keys()]).toEqual(['a', 'c', 'd']);

	map.delete('c');
	map.set('e', 'xxxxxxx');
	expect([...map.keys()]).toEqual(['a', 'd', 'e']);

	map.set('f', 'x'.repeat(11));
	expect([...map.keys()]).toEqual(['a', 'd', 'e']);
});

test('a full map keeps the entries in use, and the new one', () => {
	const map = new BoundedMap<string, { busy: boolean }>(2, undefined, ({ busy }) => busy);
	map.set('a', { busy: true }).set('b', { busy: true }).set('c', { busy: false });
	expect([...map.keys()]).toEqual(['a', 'b', 'c']);

	map.set('d', { busy: false });
	expect([...map.keys()]).toEqual(['a', 'b', 'd']);
});

describe('a cache', () => {
	let now: number;
	let asked: string[];

	beforeEach(() => {
		[now, asked] = [0, []];
		jest.spyOn(performance, 'now').mockImplementation(() => now);
	});

	afterEach(() => jest.restoreAllMocks());

	const asking = (answer: string, open?: Promise<void>) => async () => {
		asked.push(answer);
		await open;
		return answer;
	};

	/** An answer that comes when `open` is called. */
	function gate() {
		let open = () => {};
		const opened = new Promise<void>((resolve) => (open = resolve));
		return { opened, open };
	}

	test('asks again for an answer that is too old, and has the old one meanwhile', async () => {
		const cache = new Cache<string>({ maxAge: (answer) => answer.length });
		await cache.once('q', asking('three'));
		now = 4;
		expect(await cache.once('q', asking('four'))).toBe('three');
		now = 5;
		const { opened, open } = gate();
		const asking2 = cache.once('q', asking('five', opened));
		expect(cache.last('q')).toEqual({ answer: 'three', askedAt: 0 });
		open();
		expect(await asking2).toBe('five');
		expect(cache.last('q')).toEqual({ answer: 'five', askedAt: 5 });
	});

	test('keeps no answer that was forgotten while it was awaited', async () => {
		const cache = new Cache();
		const { opened, open } = gate();
		const old = cache.once('q', asking('old', opened));
		cache.forget('q');
		const next = cache.once('q', asking('new'));
		open();
		expect(await Promise.all([old, next])).toEqual(['old', 'new']);
		expect(await cache.once('q', asking('newest'))).toBe('new');
	});

	test('keeps what was noted after a question was asked', async () => {
		const cache = new Cache<string>();
		const { opened, open } = gate();
		const asking1 = cache.once('q', asking('asked', opened));
		now = 1;
		cache.note('q', 'noted');
		open();
		expect(await asking1).toBe('asked');
		expect(cache.last('q')).toEqual({ answer: 'noted', askedAt: 1 });
	});
});

test.each([NaN, 0, -1])('a limit of %p is refused', (limit) => {
	expect(() => new BoundedMap(limit)).toThrow('maxWeight must be');
	expect(() => new Limiter(limit)).toThrow('bound must be');
});

import { BoundedMap } from '../../../nodes/EmailIdentity/shared/boundedMap';

test('what was set longest ago is forgotten, and what is set again counts as new', () => {
	const map = new BoundedMap<string, number>(2);
	map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);

	expect([...map]).toEqual([
		['a', 3],
		['c', 4],
	]);
});

test('it holds no more than its bound, however many keys there are', () => {
	const map = new BoundedMap<number, number>(100);
	for (let key = 0; key < 10_000; key++) map.set(key, key);

	expect(map.size).toBe(100);
	expect(map.get(9_900)).toBe(9_900);
	expect(map.has(9_899)).toBe(false);
});

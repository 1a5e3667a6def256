import { BoundedMap } from '../../../nodes/EmailIdentity/lib/boundedMap';

test('what was set longest ago is forgotten, and what is set again counts as new', () => {
	const map = new BoundedMap<string, number>(2);
	map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);

	expect([...map]).toEqual([
		['a', 3],
		['c', 4],
	]);
});

test('where values weigh something, their weights together keep within the bound', () => {
	const map = new BoundedMap<string, string>(10, (value) => value.length);
	map.set('a', 'xxxx').set('b', 'xxxx').set('a', 'x').set('c', 'xxxxx');
	expect([...map.keys()]).toEqual(['b', 'a', 'c']);

	map.set('d', 'xx');
	expect([...map.keys()]).toEqual(['a', 'c', 'd']);

	map.delete('c');
	map.set('e', 'xxxxxxx');
	expect([...map.keys()]).toEqual(['a', 'd', 'e']);

	map.set('f', 'x'.repeat(11));
	expect([...map.keys()]).toEqual([]);
});

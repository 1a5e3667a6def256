import { BoundedMap } from '../../../../lib/basics/boundedMap';

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
	expect([...map.keys()]).toEqual([]);
});

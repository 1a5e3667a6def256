import { sortNaturally } from '../../../../lib/basics';

test.each([
	['ascending', ['a', 'a2', 'A10', 'b', 'B', '', '']],
	['descending', ['b', 'B', 'A10', 'a2', 'a', '', '']],
] as const)(
	'%s: by the value of numbers, without regard to case, empty texts last',
	(direction, sorted) => {
		const texts = ['', 'b', 'a2', '', 'A10', 'B', 'a'];
		expect(sortNaturally(texts, (text) => text, direction)).toEqual(sorted);
	},
);

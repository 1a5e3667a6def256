import { trimEndOf, withFullStop } from '../../../nodes/EmailIdentity/lib/text';

test.each([
	['What is', 'What is.'],
	['What is.', 'What is.'],
	['What is . .. \n', 'What is.'],
	['What. Is', 'What. Is.'],
	['What is?', 'What is?.'],
	['. .', '.'],
	['', '.'],
])('%p ends in one full stop', (text, expected) => {
	expect(withFullStop(text)).toBe(expected);
});

test('only what stands at the end is cut off', () => {
	expect(trimEndOf('//api//v1//', (character) => character === '/')).toBe('//api//v1');
});

import { normalized, trimEndOf, withFullStop } from '../../../../lib/basics/text';

test.each([
	['What is', 'What is.'],
	['What is . .. \n', 'What is.'],
	['What is?', 'What is?.'],
	['', '.'],
])('%p ends in one full stop', (text, expected) => {
	expect(withFullStop(text)).toBe(expected);
});

test('only the end is trimmed', () => {
	expect(trimEndOf('//api//v1//', (character) => character === '/')).toBe('//api//v1');
});

test.each([
	['e\u0301', 'é'],
	['한', '한'],
	['q\u0323\u0307 and q\u0307\u0323', 'q\u0323\u0307 and q\u0323\u0307'],
	['no marks', 'no marks'],
])('%j is written as %j', (text, expected) => {
	expect(normalized(text)).toBe(expected);
});

test('a letter keeps thirty marks', () => {
	const run = '\u0316'.repeat(30);
	expect(normalized(`a${run}${'\u0301'.repeat(100)}b${run}`)).toBe(`a${run}b${run}`);
});

test('compatibility letters become plain in NFKC', () => {
	expect(normalized('ﬁ', 'NFKC')).toBe('fi');
	expect(normalized('é', 'NFKD')).toBe('e\u0301');
});

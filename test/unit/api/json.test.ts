import { MAX_JSON_DEPTH, MAX_JSON_OBJECTS, parseJson } from '../../../nodes/EmailIdentity/api/json';

const within = (depth: number, innermost = '1') =>
	`${'[{"a":'.repeat(depth / 2)}${innermost}${'}]'.repeat(depth / 2)}`;

test('JSON is parsed down to a bounded depth', () => {
	const deepest = within(MAX_JSON_DEPTH);
	expect(parseJson(deepest)).toEqual({ value: JSON.parse(deepest) as unknown });
	expect(parseJson(within(MAX_JSON_DEPTH, '[]'))).toBeUndefined();
});

test.each([
	['brackets in texts', JSON.stringify(['['.repeat(5000), { '{{{{': '{'.repeat(5000) }])],
	['quotation marks in texts', JSON.stringify(['"'.repeat(50), '['.repeat(5000)])],
	['backslashes in texts', JSON.stringify(['\\'.repeat(51), '\\"', '['.repeat(5000)])],
	['lists beside each other', JSON.stringify(Array.from({ length: 5000 }, () => [{}]))],
])('%s are not depth', (_what, json) => {
	expect(parseJson(json)).toEqual({ value: JSON.parse(json) as unknown });
});

test.each([
	['behind a text that ends in a backslash', `["\\\\",${within(MAX_JSON_DEPTH)}]`],
	['behind a text with a quotation mark', `["\\"",${within(MAX_JSON_DEPTH)}]`],
])('depth counts %s', (_where, json) => {
	expect(JSON.parse(json)).toBeDefined();
	expect(parseJson(json)).toBeUndefined();
});

test.each(['', '"', '"\\', '[', ']', '{"a":', 'no'])('%j is no JSON', (text) => {
	expect(parseJson(text)).toBeUndefined();
});

test('a byte order mark in front is forgiven', () => {
	expect(parseJson('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } });
});

test('JSON with too many objects is not parsed', () => {
	const list = (length: number) => `[${'{},'.repeat(length - 1)}{}]`;
	expect(parseJson(list(MAX_JSON_OBJECTS - 1))).toBeDefined();
	expect(parseJson(list(MAX_JSON_OBJECTS))).toBeUndefined();
});

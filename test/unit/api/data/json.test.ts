import { parseJson as parse, SERVICE_LIMITS } from '../../../../nodes/EmailIdentity/api/data/json';

const limits = { ...SERVICE_LIMITS, nesting: 20, objects: 100 };
const parseJson = (text: string) => parse(text, limits);

const within = (depth: number, innermost = '1') =>
	`${'[{"a":'.repeat(depth / 2)}${innermost}${'}]'.repeat(depth / 2)}`;

test('JSON is parsed down to a bounded depth', () => {
	const deepest = within(limits.nesting);
	expect(parseJson(deepest)).toEqual({ value: JSON.parse(deepest) as unknown });
	expect(parseJson(within(limits.nesting, '[]'))).toBeUndefined();
});

test.each([
	['brackets in texts', JSON.stringify(['['.repeat(50), { '{{{{': '{'.repeat(50) }])],
	['quotation marks in texts', JSON.stringify(['"'.repeat(50), '['.repeat(50)])],
	['backslashes in texts', JSON.stringify(['\\'.repeat(51), '\\"', '['.repeat(50)])],
	['lists beside each other', JSON.stringify(Array.from({ length: 40 }, () => [{}]))],
])('%s do not count as nesting', (_what, json) => {
	expect(parseJson(json)).toEqual({ value: JSON.parse(json) as unknown });
});

test.each([
	['behind a text that ends in a backslash', `["\\\\",${within(limits.nesting)}]`],
	['behind a text with a quotation mark', `["\\"",${within(limits.nesting)}]`],
])('nesting counts %s', (_where, json) => {
	expect(JSON.parse(json)).toBeDefined();
	expect(parseJson(json)).toBeUndefined();
});

test.each(['', '"', '"\\', '[', ']', '{"a":', 'no'])('%j is no JSON', (text) => {
	expect(parseJson(text)).toBeUndefined();
});

test('a byte order mark is ignored', () => {
	expect(parseJson('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } });
});

test('JSON with too many objects is not parsed', () => {
	const list = (length: number) => `[${'{},'.repeat(length - 1)}{}]`;
	expect(parseJson(list(limits.objects - 1))).toBeDefined();
	expect(parseJson(list(limits.objects))).toBeUndefined();
});

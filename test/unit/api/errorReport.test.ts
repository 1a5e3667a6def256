import {
	LONGEST_BODY_READ,
	readMessages,
	readReport,
	readRequiredScopes,
} from '../../../nodes/EmailIdentity/api/errorReport';

const observed = {
	error: true,
	statusCode: 400,
	statusMessage: 'Bad Request',
	message: 'Invalid request body',
	data: {
		success: false,
		error: {
			code: 'INVALID_REQUEST_BODY',
			message: 'Invalid request body',
			issues: [
				{ path: 'events.0', message: 'Invalid option', code: 'invalid_value' },
				{ path: 'url', message: 'Invalid URL.', code: 'invalid_format' },
			],
		},
	},
};

test('the issues are told field by field', () => {
	expect(readReport(JSON.stringify(observed), [])).toBe(
		'events.0: Invalid option. url: Invalid URL.',
	);
});

test.each([
	['a message', { message: 'url is taken' }],
	['a text under error', { error: 'url is taken' }],
	['a message under error', { error: { message: 'url is taken' } }],
	[
		'issues under errors, with a path in pieces',
		{ errors: [{ path: [], message: 'url is taken' }] },
	],
])('%s is told', (_name, body) => {
	expect(readReport(JSON.stringify(body), [])).toContain('url is taken.');
});

test.each(['', 'Bad Request', '<html></html>', 'null', '[]', '{"error":true}', '{"message":7}'])(
	'%p tells nothing',
	(text) => {
		expect(readReport(text, [])).toBeUndefined();
	},
);

test.each([
	['RFC 9457', { type: 'about:blank', title: 'Invalid', detail: 'url is taken' }, 'url is taken.'],
	['RFC 9457 without detail', { title: 'url is taken', status: 422 }, 'url is taken.'],
	[
		'RFC 9457 with parameters',
		{ title: 'Invalid', 'invalid-params': [{ name: 'url', reason: 'is taken' }] },
		'url: is taken.',
	],
	['errors as a text', { errors: 'url is taken' }, 'url is taken.'],
	['errors as texts', { errors: ['url is taken', 'no events'] }, 'url is taken. no events.'],
	['errors as a map', { message: 'x', errors: { url: 'is taken' } }, 'url: is taken.'],
	[
		'errors as a map of lists',
		{ errors: { url: ['is taken', 'is long'], events: ['is empty'] } },
		'url: is taken. url: is long. events: is empty.',
	],
	[
		'PascalCase',
		{ Error: { Message: 'Invalid', Errors: [{ Field: 'Url', Message: 'is taken' }] } },
		'Url: is taken.',
	],
	['a message in PascalCase', { Message: 'url is taken' }, 'url is taken.'],
	['FastAPI, one', { detail: 'url is taken' }, 'url is taken.'],
	[
		'FastAPI, several',
		{ detail: [{ loc: ['body', 'events', 0], msg: 'is no event', type: 'value_error' }] },
		'events.0: is no event.',
	],
	[
		'JSON:API',
		{ errors: [{ title: 'Invalid', detail: 'is taken', source: { pointer: '/data/url' } }] },
		'/data/url: is taken.',
	],
	['OAuth', { error: 'invalid_request', error_description: 'url is taken' }, 'url is taken.'],
	['twice the same', { errors: ['url is taken', 'url is taken'] }, 'url is taken.'],
])('%s is understood', (_name, body, expected) => {
	expect(readReport(JSON.stringify(body), [])).toBe(expected);
});

test.each([
	[
		{ data: { error: { code: 'INSUFFICIENT_SCOPE', requiredScopes: ['emails:send'] } } },
		['emails:send'],
	],
	[{ error: { code: 'insufficient_scope' } }, []],
	[{ error: 'insufficient_scope', required_scopes: 'emails:read' }, ['emails:read']],
	[{ requiredScopes: ['emails:send', 'Dear Anna, the offer', 7] }, ['emails:send']],
	[{ code: 'FORBIDDEN' }, undefined],
	['text', undefined],
])('the rights that %j names', (body, expected) => {
	expect(readRequiredScopes(JSON.stringify(body))).toEqual(expected);
});

test('a key that the service repeats does not get through', () => {
	const said = readReport('{"message":"key sk-123 must not do that"}', ['sk-123']);
	expect(said).not.toContain('sk-123');
});

test('so does none of its other spellings, nor what stands behind much that is masked', () => {
	const key = 'sk-live/4f0b9d5e2a4f7c3b9e11';
	const said = readReport(JSON.stringify({ message: `${encodeURIComponent(key)} `.repeat(500) }), [
		key,
	]);
	expect(said).not.toContain('4f0b9d5e');
});

test('the secret of an address that the service quotes does not get through', () => {
	const url = 'https://n8n.example.com/webhook/1?token=SECRET-VALUE';
	const body = { message: `${url} exists`, errors: [{ field: 'url', message: `not ${url}` }] };
	expect(readReport(JSON.stringify(body), [])).toBe(
		'url: not https://n8n.example.com/webhook/1?token=***',
	);
});

test('a very long explanation is cut', () => {
	expect(readReport(JSON.stringify({ message: 'x'.repeat(100_000) }), [])?.length).toBeLessThan(
		1000,
	);
});

test('a body of more than two hundred thousand characters is not read', () => {
	const said = JSON.stringify({ message: 'url is taken', requiredScopes: ['a'] });
	const longest = said.padEnd(LONGEST_BODY_READ);
	const longer = `${longest} `;
	expect(readReport(longest, [])).toBe('url is taken.');
	expect([readMessages(longest), readRequiredScopes(longest)]).toEqual([['url is taken'], ['a']]);
	expect(readReport(longer, [])).toBeUndefined();
	expect([readMessages(longer), readRequiredScopes(longer)]).toEqual([[], undefined]);
});

import { readReport } from '../../../nodes/EmailIdentity/api/errorReport';

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

test('a key that the service repeats does not get through', () => {
	const said = readReport('{"message":"key sk-123 must not do that"}', ['sk-123']);
	expect(said).not.toContain('sk-123');
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

import {
	isMaskedUrl,
	maskKey,
	maskSecrets,
	maskUrlSecret,
	secretsOfUrl,
} from '../../../../nodes/EmailIdentity/api/failures/redaction';
import { deriveSecret, withSecret } from '../../../../nodes/EmailIdentity/shared/secret';

const KEY = 'sk+live/4f0b=9d5e.2a4f';
const scope = { instanceId: 'n8n', webhookPath: 'path', listening: 'production' } as const;
const secret = deriveSecret(KEY, scope);
const url = withSecret('https://n8n.example.com/webhook/1/email', secret);

test('a masked URL contains no secret and is recognized as masked', () => {
	expect(maskUrlSecret(url)).toBe('https://n8n.example.com/webhook/1/email?token=***');
	expect(isMaskedUrl(maskUrlSecret(url))).toBe(true);
	expect(isMaskedUrl(encodeURI(maskUrlSecret(url)).replaceAll('*', '%2A'))).toBe(true);
	expect(isMaskedUrl(url)).toBe(false);
});

test.each([
	['https://example.com/hook?list=a&token=S', 'https://example.com/hook?list=***&token=***'],
	['https://example.com/hook?%74oken=S#part', 'https://example.com/hook?%74oken=***#***'],
	['https://example.com/hook?secret-itself', 'https://example.com/hook?***'],
	['https://example.com/hook?a=?b=c&#part', 'https://example.com/hook?a=***&#***'],
	['https://example.com/hook?page?=1', 'https://example.com/hook?page?=***'],
	['https://anna:S@example.com/hook', 'https://***@example.com/hook'],
	['no address at all, token=S', 'no address at all, token=***'],
	['https://example.com/token/7', 'https://example.com/token/7'],
	['no address', 'no address'],
])('of %s is shown %s', (address, masked) => {
	expect(maskUrlSecret(address)).toBe(masked);
	expect(isMaskedUrl(masked)).toBe(masked.includes('***'));
});

test.each([
	...['token', 'secret', 'key', 'signature', 'sig', 'password', 'auth'],
	...['access_token', 'client_secret', 'apiKey', 'X-Amz-Signature', 'PASSWORD'],
])('the value of the parameter %s is masked, and known as a secret', (name) => {
	const address = `https://example.com/hook?page=7&${name}=S4f0b`;
	expect(maskSecrets(`The url ${address} exists.`)).not.toContain('S4f0b');
	expect(secretsOfUrl(address)).toEqual(['S4f0b']);
});

describe('a text that quotes a URL', () => {
	const inUrl = encodeURIComponent(url);
	test.each([
		['as it is', `The url ${url} exists.`],
		['in JSON', JSON.stringify({ error: `taken: ${url}` })],
		['percent-encoded', `See /hooks?url=${inUrl}`],
		[
			'percent-encoded in lower case',
			`See /hooks?url=${inUrl.replace(/%../g, (hex) => hex.toLowerCase())}`,
		],
		['escaped for HTML', `taken: ${url.replace('=', '&#61;').replace('?', '?a=1&amp;')}`],
		['escaped for JSON', `taken: ${url.replace('=', '\\u003d')}`],
	])('%s does not give away its secret', (_name, text) => {
		expect(maskSecrets(text)).not.toContain(secret);
	});
});

test('other words are kept', () => {
	expect(maskSecrets(`The url "${url}" exists, choose another one. The token is missing.`)).toBe(
		'The url "https://n8n.example.com/webhook/1/email?token=***" exists, choose another one. The token is missing.',
	);
});

describe('a known secret', () => {
	test.each([
		['as it is', KEY],
		['percent-encoded', encodeURIComponent(KEY)],
		[
			'percent-encoded in full',
			[...Buffer.from(KEY)].map((byte) => `%${byte.toString(16)}`).join(''),
		],
		['in another case', KEY.toUpperCase()],
		['escaped for JSON', KEY.replaceAll('/', '\\u002f').replaceAll('+', '\\u002b')],
		['escaped for JSON by PHP', KEY.replaceAll('/', '\\/')],
		['escaped for HTML', KEY.replaceAll('+', '&#x2B;').replaceAll('=', '&#61;')],
	])('is masked %s', (_name, spelled) => {
		const masked = maskSecrets(`before ${spelled} after`, [KEY]);
		expect(masked).not.toContain(spelled);
		expect(masked).toMatch(/^before .*\*\*\*.* after$/);
	});

	test('is masked if it is short, and ignored if it is empty', () => {
		expect(maskSecrets('key abc refused', ['abc', ''])).toBe('key *** refused');
	});
});

describe('the API key in a response', () => {
	test.each([KEY, encodeURIComponent(KEY), KEY.replaceAll('/', '\\/').replace('+', '\\u002B')])(
		'is masked in the form %s',
		(written) => {
			expect(maskKey(`{"description":"with ${written} in it"}`, KEY)).toBe(
				'{"description":"with *** in it"}',
			);
		},
	);

	test.each(['id', '', '20261121'])('is kept if it could be part of the JSON: %j', (key) => {
		const text = '{"id":1202611210000,"data":[]}';
		expect(maskKey(text, key)).toBe(text);
	});
});

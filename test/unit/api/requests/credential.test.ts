import type { IHttpRequestOptions } from 'n8n-workflow';
import { EmailIdentityApi } from '../../../../credentials/EmailIdentityApi.credentials';
import { normaliseBaseUrl } from '../../../../nodes/EmailIdentity/api/requests/credential';

test.each([
	['https://mail.example.com/api', 'https://mail.example.com/api'],
	['  https://mail.example.com/api///  ', 'https://mail.example.com/api'],
	['http://localhost:3000/', 'http://localhost:3000'],
	['https://mail.example.com/api?x=1#y', 'https://mail.example.com/api'],
	['HTTPS://MAIL.example.com/Api', 'https://mail.example.com/Api'],
	['https://bücher.example/api', 'https://xn--bcher-kva.example/api'],
])('%p is understood', (typed, baseUrl) => {
	expect(normaliseBaseUrl(typed)).toEqual({ baseUrl });
});

test.each([
	['  ', /not valid/],
	[undefined, /not valid/],
	['mail.example.com', /not valid/],
	['https://', /not valid/],
	['ftp://mail.example.com', /https/],
	['https://me:secret@mail.example.com', /^((?!secret).)*$/],
])('the base URL %p is refused with a sentence', (typed, expected) => {
	expect(JSON.stringify(normaliseBaseUrl(typed))).toMatch(expected);
});

type Request = Partial<IHttpRequestOptions> & { uri?: string; rejectUnauthorized?: boolean };

async function authenticate(request: Request, apiKey = ' sk-1\n') {
	const { authenticate: add } = new EmailIdentityApi();
	if (typeof add !== 'function') throw new Error('expected a function');
	const credential = { baseUrl: ' https://mail.example.com/api/ ', apiKey };
	return (await add(credential, request as IHttpRequestOptions)) as IHttpRequestOptions & Request;
}

test.each(['sk-1', ' sk-1\n', 'Bearer sk-1', ' bearer  sk-1 '])(
	'the key %j is sent',
	async (key) => {
		const { headers } = await authenticate({ url: 'https://mail.example.com/api/me' }, key);
		expect(headers).toEqual({ Authorization: 'Bearer sk-1' });
	},
);

/** Options as nodes pass them if they are off. */
const DEFAULTS = {
	proxy: '' as never,
	skipSslCertificateValidation: false,
	rejectUnauthorized: true,
};

test.each<[Request, string]>([
	[{ url: 'https://mail.example.com/api/me?a=b#c' }, 'https://mail.example.com/api/me?a=b#c'],
	[{ url: 'HTTPS://MAIL.example.com:443/api/me' }, 'https://mail.example.com/api/me'],
	[{ url: '/me', baseURL: 'https://mail.example.com/api/' }, 'https://mail.example.com/api/me'],
	[{ url: 'me', baseURL: 'https://mail.example.com/api' }, 'https://mail.example.com/api/me'],
	[{ uri: 'https://mail.example.com/api/me' }, 'https://mail.example.com/api/me'],
	[{ uri: 'https://mail.example.com/a', ...DEFAULTS }, 'https://mail.example.com/a'],
	[
		{ url: 'https://mail.example.com/me', baseURL: 'https://other.example' },
		'https://mail.example.com/me',
	],
	[
		{ url: '@attacker.example/me', baseURL: 'https://mail.example.com' },
		'https://mail.example.com/@attacker.example/me',
	],
])('%j is sent with the key to %p alone', async (request, sent) => {
	const { url, uri, baseURL, sendCredentialsOnCrossOriginRedirect } = await authenticate(request);
	expect([url ?? uri, uri ?? url, baseURL]).toEqual([sent, sent, undefined]);
	expect(sendCredentialsOnCrossOriginRedirect).toBe(false);
});

const NOT_AN_ADDRESS_OF_THE_SERVICE = [
	'https:attacker.example/x',
	'https:///attacker.example/x',
	' https://attacker.example/x',
	'ht\ntps://attacker.example/x',
	'https:\\\\attacker.example/x',
	'https:/\\attacker.example/x',
	'//attacker.example/x',
	'file:///etc/passwd',
	`https://${'ü'.repeat(4000)}.example/x`,
	// Clients read these in other ways, so that they get no key even for the service.
	'http:mail.example.com/x',
	'https:mail.example.com/x',
	' https://mail.example.com/x',
	'https:\\\\mail.example.com\\x',
];

test.each<Request>([
	{ url: 'https://mail.example.com.attacker.example/api/me' },
	{ url: 'https://mail.example.com@attacker.example/api/me' },
	{ url: 'http://mail.example.com/api/me' },
	{ uri: 'https://mail.example.com:8443/api/me' },
	{ url: '/me', baseURL: 'https://other.example' },
	{ url: '//attacker.example/me', baseURL: 'https://mail.example.com/api' },
	{ url: '//mail.example.com/api' },
	{ url: '/api/me' },
	{ url: 'api/me' },
	{},
	...NOT_AN_ADDRESS_OF_THE_SERVICE.flatMap((address) => [{ url: address }, { uri: address }]),
])('%j is not sent with the key', async (request) => {
	await expect(authenticate(request)).rejects.toThrow(/only sent to the service/);
});

test.each<Request>([
	{ proxy: { host: 'proxy.example', port: 8080 } },
	{ proxy: 'http://proxy.example:8080' as never },
	{ skipSslCertificateValidation: true },
	{ rejectUnauthorized: false },
	{ agentOptions: { rejectUnauthorized: false } },
])('a request with %j is not sent with the key', async (options) => {
	const result = authenticate({ url: 'https://mail.example.com/api/me', ...options });
	await expect(result).rejects.toThrow(/proxy/);
});

import type { IHttpRequestOptions } from 'n8n-workflow';
import { EmailIdentityApi } from '../../../credentials/EmailIdentityApi.credentials';
import { normaliseBaseUrl } from '../../../nodes/EmailIdentity/api/credential';

test.each([
	['https://mail.example.com/api', 'https://mail.example.com/api'],
	['  https://mail.example.com/api///  ', 'https://mail.example.com/api'],
	['http://localhost:3000/', 'http://localhost:3000'],
	['https://mail.example.com/api?x=1#y', 'https://mail.example.com/api'],
	['HTTPS://MAIL.example.com/Api', 'https://mail.example.com/Api'],
])('%p is understood', (typed, baseUrl) => {
	expect(normaliseBaseUrl(typed)).toEqual({ baseUrl });
});

test.each(['', '   ', 'mail.example.com', 'ftp://mail.example.com', 'https://', undefined, null])(
	'%p is refused with a sentence',
	(typed) => {
		expect(normaliseBaseUrl(typed)).toEqual({
			problem: expect.stringMatching(/^The base URL .+\.$/),
		});
	},
);

test('a base URL with a password in it is refused', () => {
	expect(normaliseBaseUrl('https://me:secret@mail.example.com')).toEqual({
		problem: expect.not.stringContaining('secret'),
	});
});

describe('the key', () => {
	const credential = { baseUrl: ' https://mail.example.com/api/ ', apiKey: ' sk-1\n' };
	const authenticate = async (request: Partial<IHttpRequestOptions> & { uri?: string }) => {
		const { authenticate: add } = new EmailIdentityApi();
		if (typeof add !== 'function') throw new Error('expected a function');
		return await add(credential, request as IHttpRequestOptions);
	};

	test.each([
		{ url: 'https://mail.example.com/api/me' },
		{ url: '/me', baseURL: 'https://mail.example.com/api' },
		{ uri: 'https://mail.example.com/api/me' },
	])('goes to the service in %p', async (request) => {
		expect(await authenticate(request)).toEqual({
			...request,
			headers: { Authorization: 'Bearer sk-1' },
			sendCredentialsOnCrossOriginRedirect: false,
		});
	});

	test.each([
		{ url: 'https://mail.example.com.attacker.example/api/me' },
		{ url: 'http://mail.example.com/api/me' },
		{ url: '/me', baseURL: 'https://other.example' },
		{ uri: 'https://mail.example.com:8443/api/me' },
	])('does not go elsewhere in %p', async (request) => {
		await expect(authenticate(request)).rejects.toThrow(/only sent to the service itself/);
	});
});

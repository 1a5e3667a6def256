import { API_KEY, contextFor, serve } from './support/connection';
import { json, text } from './support/scriptedServer';

/** What n8n's HTTP Request node calls, in its versions before 4.4 and in others. */
const HELPERS = ['requestWithAuthentication', 'httpRequestWithAuthentication'] as const;

describe.each(HELPERS)('another node with this credential, by %s', (helper) => {
	const ask = async (origin: string, address: string, options: object = {}) => {
		const context = contextFor(origin);
		const url = { url: address, uri: address, method: 'GET' as const };
		return await context.helpers[helper].call(context, 'emailIdentityApi', { ...url, ...options });
	};

	test('sends the key to the service, also along a redirect within it', async () => {
		const server = await serve(text('', 302, { location: '/api/v2/me' }), json({ ok: true }));
		await ask(server.origin, `${server.origin}/api/me`);
		expect(server.requests).toEqual(['GET /api/me', 'GET /api/v2/me']);
		expect(server.keys).toEqual([`Bearer ${API_KEY}`, `Bearer ${API_KEY}`]);
	});

	test.each([{}, { sendCredentialsOnCrossOriginRedirect: true }])(
		'does not carry it along a redirect to another origin, with %j',
		async (options) => {
			const elsewhere = await serve(json({ ok: true }));
			const server = await serve(text('', 302, { location: `${elsewhere.origin}/me` }));
			await ask(server.origin, `${server.origin}/api/me`, options);
			expect(elsewhere.requests).toEqual(['GET /me']);
			expect(elsewhere.keys).toEqual([undefined]);
		},
	);
});

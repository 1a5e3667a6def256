import { CredentialTestContext } from 'n8n-core';
import type { INodeCredentialTestResult, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { emailIdentityApiTest } from '../../../nodes/EmailIdentity/shared/editor/nodeDescription';
import { API_KEY, serve } from './support/connection';
import { json, reset, text } from './support/scriptedServer';

async function testCredential(
	baseUrl: string,
	apiKey = API_KEY,
): Promise<INodeCredentialTestResult> {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const result = await emailIdentityApiTest.call(context, {
		id: '1',
		name: 'Credential',
		type: 'emailIdentityApi',
		data: { baseUrl, apiKey, allowPrivateWebhookUrls: false },
	});
	expect(JSON.stringify(result)).not.toContain(API_KEY);
	return result;
}

test.each([
	['the contract', { userId: '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11' }],
	['a running service', { success: true, data: { id: '1f0c8a52', email: 'owner@example.com' } }],
])('succeeds as %s answers', async (_name, body) => {
	const server = await serve(json(body));
	expect((await testCredential(`  ${server.origin}/api/ `, ` Bearer ${API_KEY} `)).status).toBe(
		'OK',
	);
	expect(server.requests).toEqual(['GET /api/me']);
	expect(server.keys).toEqual([`Bearer ${API_KEY}`]);
});

test.each([
	['a wrong key', json({}, 401), /API key/],
	['a wrong path', json({}, 404), /\/api\/kurrier/],
	['a web page', text('<!doctype html><h1>Welcome'), /web page.*\/api\/kurrier/],
	['JSON without a user ID', json({ status: 'ok' }), /user and an ID/],
	['a failure with status 200', json({ ok: false, data: { id: 'x' } }), /request failed/],
	['a connection that breaks', reset, /connection/],
	['a key without rights', json({}, 403), /not allowed/],
	['a redirect', text('', 302, { location: 'https://example.com/' }), /redirects/],
])('fails in plain words for %s', async (_name, answer, expected) => {
	const server = await serve(answer);
	const { status, message } = await testCredential(`${server.origin}/api`);
	expect([status, message]).toEqual(['Error', expect.stringMatching(expected)]);
	expect(message).not.toMatch(/[{}]/);
	// The user has the credential open.
	expect(message).not.toMatch(/credential/i);
});

test('https for an HTTP service and a service that is down each have their own error', async () => {
	const server = await serve(json({}));
	const { message } = await testCredential(server.origin.replace('http:', 'https:'));
	expect(message).toContain('not HTTPS');
	await server.stop();
	expect((await testCredential(server.origin)).message).toContain('cannot be reached');
});

test('refuses a base URL or a key that is empty without a request', async () => {
	const server = await serve(json({}));
	expect((await testCredential('')).message).toContain('base URL is not valid');
	expect((await testCredential(server.origin, '  ')).message).toContain('API key is empty');
	expect(server.requests).toEqual([]);
});

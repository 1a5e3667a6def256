import {
	deriveSecret,
	digestSecret,
	matchesDigest,
	secretOfQuery,
	secretOfUrl,
	withSecret,
	type SecretScope,
} from '../../../nodes/EmailIdentity/shared/secret';

const scope: SecretScope = { instanceId: 'i', webhookPath: 'w', listening: 'production' };

test('every other key, n8n, webhook and way of listening has another one', () => {
	const secrets = [
		deriveSecret('key', scope),
		deriveSecret('other', scope),
		deriveSecret('key', { ...scope, instanceId: 'other' }),
		deriveSecret('key', { ...scope, webhookPath: 'other' }),
		deriveSecret('key', { ...scope, listening: 'test' }),
		deriveSecret('key', { ...scope, instanceId: 'i","w', webhookPath: '' }),
	];

	expect(new Set(secrets).size).toBe(secrets.length);
});

test('a digest is recognised by its secret only', () => {
	const secret = deriveSecret('key', scope);

	expect(matchesDigest(secret, digestSecret(secret))).toBe(true);
	expect(matchesDigest(`${secret}x`, digestSecret(secret))).toBe(false);
	expect(matchesDigest(digestSecret(secret), digestSecret(secret))).toBe(false);
	expect(matchesDigest(secret, '')).toBe(false);
	expect(matchesDigest('', '')).toBe(false);
});

test('a URL carries it and keeps the rest of its query', () => {
	const url = withSecret('https://n8n.example/webhook/w?a=1', 'se-cret');

	expect(url).toBe('https://n8n.example/webhook/w?a=1&token=se-cret');
	expect(secretOfUrl(url)).toBe('se-cret');
	expect(withSecret(url, 'another')).toBe('https://n8n.example/webhook/w?a=1&token=another');
	expect(secretOfUrl('https://n8n.example')).toBeUndefined();
	expect(secretOfUrl('no URL')).toBeUndefined();
});

test.each([undefined, {}, { token: ['a', 'b'] }, { token: { a: 'b' } }])(
	'the query %j brings none',
	(query) => {
		expect(secretOfQuery(query)).toBeUndefined();
	},
);

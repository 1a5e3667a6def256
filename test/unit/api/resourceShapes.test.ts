import { toIdentity, toUser, toWebhook } from '../../../nodes/EmailIdentity/api/resourceShapes';

const stable = {
	id: 'i1',
	ownerId: 'u1',
	kind: 'domain',
	publicId: 'p1',
	value: 'example.com',
	displayName: null,
	status: 'unverified',
	sharedWithWorkspace: null,
	incomingDomain: true,
	domainIdentityId: null,
	dnsRecords: [{ type: 'TXT', name: '@', value: 'v=spf1' }],
	meta: {},
	providerId: 'v1',
	smtpAccountId: null,
	createdAt: '2025-11-15T10:47:23.604Z',
	updatedAt: '2025-11-15T10:47:23.604Z',
};

test('both dialects of an identity end in one shape', () => {
	const contract = {
		id: 'i1',
		owner_id: 'u1',
		kind: 'domain',
		public_id: 'p1',
		value: 'example.com',
		status: 'unverified',
		incoming_domain: true,
		domain_identity_id: null,
		dns_records: '[{"type":"TXT","name":"@","value":"v=spf1"}]',
		meta: '{}',
		provider_id: 'v1',
		smtp_account_id: null,
		created_at: '2025-11-15 10:47:23.60418+00',
		updated_at: '2025-11-15 10:47:23.60418+00',
	};
	const observed = {
		id: 'i1',
		ownerId: 'u1',
		kind: 'domain',
		publicId: 'p1',
		value: 'example.com',
		displayName: 'Example',
		status: 'unverified',
		incomingDomain: true,
		domainIdentityId: null,
		dnsRecords: [{ type: 'TXT', name: '@', value: 'v=spf1' }],
		metaData: {},
		providerId: 'v1',
		smtpAccountId: null,
		sharedWithWorkspace: true,
		workspaceId: null,
		createdAt: '2025-11-15T10:47:23.604Z',
		updatedAt: '2025-11-15T10:47:23.604Z',
	};
	expect(toIdentity(contract)).toEqual(stable);
	expect(toIdentity(observed)).toEqual({
		...stable,
		displayName: 'Example',
		sharedWithWorkspace: true,
	});
});

test.each([
	['the text null', 'null', null],
	['null', null, null],
	['nothing', undefined, null],
	['an empty text', '', null],
	['JSON', [{ type: 'MX' }], [{ type: 'MX' }]],
	['JSON as text', '[{"type":"MX"}]', [{ type: 'MX' }]],
	['text that is no JSON', 'v=spf1 -all', 'v=spf1 -all'],
])('DNS records given as %s', (_name, sent, expected) => {
	expect(toIdentity({ id: 'i1', dns_records: sent as never }).dnsRecords).toEqual(expected);
});

test('the user is found under either name', () => {
	expect(toUser({ userId: 'u1' })).toEqual({ userId: 'u1', email: null });
	expect(toUser({ id: 'u1', email: 'owner@example.com' })).toEqual({
		userId: 'u1',
		email: 'owner@example.com',
	});
});

const webhook = { id: 'w1', url: 'https://example.com/', events: ['message.received'] };

test('a webhook that does not say whether it is enabled may be paused', () => {
	expect(toWebhook(webhook)).toEqual({
		...webhook,
		enabled: null,
		identityId: null,
		ownerId: null,
		workspaceId: null,
		description: null,
		createdAt: null,
		updatedAt: null,
	});
});

test.each([
	[{ enabled: true }, true],
	[{ enabled: false }, false],
	[{ enabled: 'True' }, true],
	[{ enabled: 'FALSE' }, false],
	[{ enabled: 1 }, true],
	[{ enabled: 0 }, false],
	[{ active: true }, true],
	[{ active: false }, false],
	[{ isActive: false }, false],
	[{ is_active: 'true' }, true],
	[{ status: 'active' }, true],
	[{ status: 'Paused' }, false],
	[{ enabled: false, status: 'active' }, false],
	[{ enabled: null, active: false }, false],
	[{ enabled: null }, null],
	[{ enabled: 'maybe' }, null],
	[{ enabled: {} }, null],
	[{ status: 'verified' }, null],
])('%j is enabled: %p', (fields, expected) => {
	expect(toWebhook({ ...webhook, ...fields }).enabled).toBe(expected);
});

test.each([
	['a list', ['message.received']],
	['one', 'message.received'],
	['JSON as text', '["message.received"]'],
	['objects', [{ name: 'message.received' }]],
	['objects of another kind', [{ event: 'message.received', enabled: true }]],
])('events given as %s', (_name, events) => {
	expect(toWebhook({ ...webhook, events }).events).toEqual(['message.received']);
});

test.each([
	[{ id: 42 }, '42'],
	[{ id: 'wh_1', _id: 'internal' }, 'wh_1'],
	[{ _id: '507f1f77bcf86cd799439011' }, '507f1f77bcf86cd799439011'],
])('the ID of %j is %p', (fields, expected) => {
	expect(toWebhook({ url: webhook.url, events: [], ...fields }).id).toBe(expected);
	expect(toIdentity(fields).id).toBe(expected);
});

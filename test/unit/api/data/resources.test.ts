import fc from 'fast-check';
import {
	isDomainIdentity,
	readFlag,
	readId,
	tellsIdentity,
	toIdentity,
	toIsoTime,
	toPathSegment,
	toUser,
	toWebhook,
} from '../../../../nodes/EmailIdentity/api/data/resources';

const UUID = '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11';

const DNS_RECORDS = [{ type: 'TXT', name: '@', value: 'v=spf1' }];

test('an identity of both dialects has the same shape', () => {
	const contract = {
		id: 'i1',
		owner_id: 'u1',
		kind: 'domain',
		public_id: 'p1',
		value: 'example.com',
		status: 'unverified',
		incoming_domain: true,
		domain_identity_id: null,
		dns_records: JSON.stringify(DNS_RECORDS),
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
		dnsRecords: DNS_RECORDS,
		metaData: {},
		providerId: 'v1',
		smtpAccountId: null,
		sharedWithWorkspace: true,
		workspaceId: null,
		createdAt: '2025-11-15T10:47:23.604Z',
		updatedAt: '2025-11-15T10:47:23.604Z',
	};
	const stable = {
		...observed,
		displayName: null,
		sharedWithWorkspace: null,
		meta: {},
		metaData: undefined,
		workspaceId: undefined,
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
	['nothing', undefined, null],
	['JSON as text', '[{"type":"MX"}]', [{ type: 'MX' }]],
	['text that is no JSON', 'v=spf1 -all', 'v=spf1 -all'],
])('DNS records given as %s', (_name, sent, expected) => {
	expect(toIdentity({ id: 'i1', dns_records: sent as never }).dnsRecords).toEqual(expected);
});

test.each([{ userId: 'u1' }, { user_id: 'u1' }, { id: 'u1' }, { id: 'x', userId: 'u1' }])(
	'the user ID in %j',
	(entry) => {
		expect(toUser(entry).userId).toBe('u1');
	},
);

test('missing fields of a webhook are unknown', () => {
	expect(toWebhook({ id: 42, url: 'https://example.com/' })).toEqual({
		id: '42',
		url: 'https://example.com/',
		events: [],
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
	[{ identityId: null }, true],
	[{ identity_id: 'i1' }, true],
	[{ id: 'w1' }, false],
])('%j shows a restriction: %p', (webhook, expected) => {
	expect(tellsIdentity(webhook)).toBe(expected);
});

test.each([
	[true, true],
	[' True', true],
	[1, true],
	['FALSE', false],
	[null, null],
	['maybe', null],
])('the flag %j is %p', (value, expected) => {
	expect(readFlag(value)).toBe(expected);
});

test.each([
	[' 507f1f77bcf86cd799439011\n', '507f1f77bcf86cd799439011'],
	[` ${UUID.toUpperCase()}\n`, UUID],
	[42, '42'],
	['  ', undefined],
	[null, undefined],
	[{}, undefined],
])('the ID in %p is %p', (entered, id) => {
	expect(readId(entered)).toBe(id);
});

test('an ID of any characters stays one segment of the path', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
			fc.pre(id.isWellFormed() && !['.', '..'].includes(id));
			const segment = toPathSegment(id);
			const { pathname } = new URL(`https://example.com/api/messages/${segment}`);
			expect(pathname.split('/')).toHaveLength(4);
			expect(decodeURIComponent(pathname.split('/')[3] ?? '')).toBe(id);
		}),
	);
	expect(['', '.', '..'].map(toPathSegment)).toEqual([undefined, undefined, undefined]);
});

test.each([
	['2025-11-15 10:47:23.60418+00', '2025-11-15T10:47:23.604Z'],
	['2025-11-15 10:47:23.6+0530', '2025-11-15T05:17:23.600Z'],
	['2026-11-21T08:40:51Z', '2026-11-21T08:40:51.000Z'],
	['2025-11-15 10:47:23', '2025-11-15T10:47:23.000Z'],
	['  ', null],
	[undefined, null],
	['yesterday', 'yesterday'],
	['2025-13-45 10:47:23+00', '2025-13-45 10:47:23+00'],
	[7, null],
])('the time %j is %j', (sent, expected) => {
	expect(toIsoTime(sent)).toBe(expected);
});

test.each([
	['domain', 'example.test', true],
	['Domain', null, true],
	['host', '@example.test', true],
	['host', 'sales@example.test', false],
	['host', null, false],
	[null, 'example.test', true],
	[null, 'sales@example.test', false],
	['email', 'sales@example.test', false],
])('of kind %p with the value %p: a domain is %p', (kind, value, expected) => {
	expect(isDomainIdentity({ kind, value })).toBe(expected);
});

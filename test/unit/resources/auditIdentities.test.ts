import type { Identity } from '../../../nodes/EmailIdentity/api/types';
import {
	auditIdentities,
	type AuditOptions,
} from '../../../nodes/EmailIdentity/resources/identity/auditIdentities';

const NOW = Date.parse('2026-01-31T12:00:00.000Z');

const OPTIONS: AuditOptions = { staleAfterDays: 7, minimumSeverity: 'info', now: NOW };

const identity = (fields: Partial<Identity>): Identity => ({
	id: '1f0c8a52-6c0e-4f0b-9d5e-2a4f7c3b9e11',
	ownerId: null,
	kind: 'domain',
	publicId: null,
	value: 'example.test',
	status: 'verified',
	incomingDomain: true,
	domainIdentityId: null,
	dnsRecords: [{ type: 'TXT' }],
	meta: null,
	providerId: 'provider',
	smtpAccountId: null,
	createdAt: '2026-01-01T12:00:00.000Z',
	updatedAt: '2026-01-01T12:00:00.000Z',
	...fields,
});

const domain = (fields: Partial<Identity> = {}) => identity({ id: 'domain', ...fields });

const address = (fields: Partial<Identity> = {}) =>
	identity({
		id: 'address',
		kind: 'email',
		value: 'sales@example.test',
		domainIdentityId: 'domain',
		dnsRecords: null,
		...fields,
	});

const codesOf = (identities: Identity[], options: Partial<AuditOptions> = {}) =>
	auditIdentities(identities, { ...OPTIONS, ...options }).map(({ id, findings }) => [
		id,
		findings.map(({ code }) => code),
	]);

test('a verified domain and its verified address are healthy', () => {
	const results = auditIdentities([domain(), address()], OPTIONS);

	expect(results).toEqual([
		{
			id: 'domain',
			value: 'example.test',
			kind: 'domain',
			status: 'verified',
			healthy: true,
			findings: [],
			ageInDays: 30,
			unchangedForDays: 30,
			createdAt: '2026-01-01T12:00:00.000Z',
			updatedAt: '2026-01-01T12:00:00.000Z',
		},
		expect.objectContaining({ id: 'address', healthy: true, findings: [] }),
	]);
});

test.each([
	{ status: 'pending', minimumSeverity: 'error', healthy: false },
	{ status: 'pending', minimumSeverity: 'info', healthy: false },
	{ status: 'verified', minimumSeverity: 'error', healthy: true },
] as const)(
	'$status with findings from $minimumSeverity on is healthy: $healthy',
	({ status, minimumSeverity, healthy }) => {
		const identities = [domain({ status, updatedAt: '2026-01-30T12:00:00.000Z' })];

		expect(auditIdentities(identities, { ...OPTIONS, minimumSeverity })).toMatchObject([
			{ healthy },
		]);
	},
);

const RECENTLY = '2026-01-30T12:00:00.000Z';

test.each([
	{
		what: 'a failed verification',
		fields: { status: 'failed', updatedAt: RECENTLY },
		codes: ['verificationFailed'],
	},
	{
		what: 'a pending verification',
		fields: { status: 'pending', updatedAt: RECENTLY },
		codes: ['notVerified'],
	},
	{
		what: 'a status nobody knows',
		fields: { status: 'odd', updatedAt: RECENTLY },
		codes: ['notVerified'],
	},
	{ what: 'no status', fields: { status: null, updatedAt: RECENTLY }, codes: ['notVerified'] },
	{ what: 'a status in capitals', fields: { status: 'VERIFIED' }, codes: [] },
	{ what: 'a long wait', fields: { status: 'pending' }, codes: ['notVerified', 'stale'] },
	{
		what: 'a wait whose beginning is unknown',
		fields: { status: 'pending', updatedAt: null, createdAt: null },
		codes: ['notVerified'],
	},
	{
		what: 'a time that is none',
		fields: { status: 'pending', updatedAt: 'soon' },
		codes: ['notVerified'],
	},
	{ what: 'no DNS records', fields: { dnsRecords: null }, codes: ['domainWithoutDnsRecords'] },
	{
		what: 'an empty list of DNS records',
		fields: { dnsRecords: [] },
		codes: ['domainWithoutDnsRecords'],
	},
	{ what: 'DNS records by name', fields: { dnsRecords: { mx: '10 mail' } }, codes: [] },
	{
		what: 'neither provider nor SMTP account',
		fields: { providerId: null },
		codes: ['noProviderAndNoSmtpAccount'],
	},
	{ what: 'an SMTP account alone', fields: { providerId: null, smtpAccountId: 'smtp' }, codes: [] },
])('a domain with $what', ({ fields, codes }) => {
	expect(codesOf([domain(fields)])).toEqual([['domain', codes]]);
});

test.each([
	{
		what: 'whose domain is not verified',
		domains: [domain({ status: 'pending', updatedAt: RECENTLY })],
		codes: ['domainIdentityNotVerified'],
	},
	{ what: 'whose domain is gone', domains: [], codes: ['domainIdentityMissing'] },
	{
		what: 'whose domain is another one',
		domains: [domain({ id: 'other' })],
		codes: ['domainIdentityMissing'],
	},
])('an address $what', ({ domains, codes }) => {
	expect(codesOf([...domains, address()])).toContainEqual(['address', codes]);
});

test('an address that names no domain identity belongs to the one with its domain', () => {
	const unnamed = address({ domainIdentityId: null });

	expect(codesOf([domain(), unnamed])).toContainEqual(['address', []]);
	expect(codesOf([unnamed])).toEqual([['address', ['noDomainIdentity']]]);
	expect(auditIdentities([unnamed], OPTIONS)[0]?.healthy).toBe(true);
});

test('the number of days is the limit itself still allowed', () => {
	const waiting = domain({ status: 'pending', updatedAt: '2026-01-24T12:00:00.000Z' });

	expect(codesOf([waiting], { staleAfterDays: 7 })).toEqual([['domain', ['notVerified']]]);
	expect(codesOf([waiting], { staleAfterDays: 6 })).toEqual([['domain', ['notVerified', 'stale']]]);
});

test('findings below the minimum severity are left out', () => {
	const troubled = domain({ status: 'pending', dnsRecords: null, updatedAt: RECENTLY });

	expect(codesOf([troubled], { minimumSeverity: 'error' })).toEqual([
		['domain', ['domainWithoutDnsRecords']],
	]);
});

test('each finding says in a sentence what is wrong', () => {
	const [result] = auditIdentities(
		[domain({ status: 'failed', dnsRecords: null, providerId: null })],
		OPTIONS,
	);

	expect(result?.healthy).toBe(false);
	expect(result?.findings).toHaveLength(4);
	result?.findings.forEach(({ message }) => expect(message).toMatch(/^[A-Z].+\.$/));
});

test('looks at each of 10,000 identities a bounded number of times', () => {
	let looks = 0;
	const counted = (fields: Partial<Identity>) =>
		new Proxy(identity(fields), {
			get: (target, field: keyof Identity) => {
				looks++;
				return target[field];
			},
		});
	const many = Array.from({ length: 10_000 }, (_, number) =>
		counted(
			number % 10 === 0
				? { id: `domain-${number}`, value: `d${number}.test` }
				: {
						id: `address-${number}`,
						kind: 'email',
						value: `a@d${number}.test`,
						domainIdentityId: `domain-${number - (number % 10)}`,
					},
		),
	);

	expect(auditIdentities(many, OPTIONS)).toHaveLength(10_000);
	expect(looks).toBeLessThan(10_000 * 50);
});

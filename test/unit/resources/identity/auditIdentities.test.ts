import * as fc from 'fast-check';

import type { Identity } from '../../../../nodes/EmailIdentity/api/types';
import {
	auditIdentities,
	type AuditOptions,
} from '../../../../nodes/EmailIdentity/resources/identity/auditIdentities';
import { SEVERITIES } from '../../../../nodes/EmailIdentity/resources/identity/auditRule';
import { STATUS_RULES } from '../../../../nodes/EmailIdentity/resources/identity/statusRules';
import {
	addressOfDomain,
	atProvider,
	daysAgo,
	domain,
	gmail,
	inbound,
	mailAccount,
	NOW,
	unconnected,
	WITHOUT_SHARING,
} from './identities';

const OPTIONS: AuditOptions = { staleAfterDays: 7, minimumSeverity: 'info', now: NOW };

const RECENTLY = { createdAt: daysAgo(2), updatedAt: daysAgo(2) };

const audit = (identities: Identity[], options: Partial<AuditOptions> = {}) =>
	auditIdentities(identities, { ...OPTIONS, ...options });

const codesOf = (identities: Identity[], options: Partial<AuditOptions> = {}) =>
	audit(identities, options).map(({ id, findings }) => [
		id,
		findings.map(({ severity, code }) => `${severity} ${code}`),
	]);

interface Case {
	what: string;
	/** The identity that the findings are about, with others of the account behind it. */
	identities: Identity[];
	setup: string;
	/** What a sensible postmaster would want to be told. */
	findings: string[];
}

const REAL_SETUPS: Case[] = [
	{
		what: 'a verified domain',
		identities: [domain()],
		setup: 'domain',
		findings: [],
	},
	{
		what: 'a verified domain whose records the service does not show',
		identities: [domain({ dnsRecords: null })],
		setup: 'domain',
		findings: [],
	},
	{
		what: 'a verified domain that only sends',
		identities: [domain({ incomingDomain: false })],
		setup: 'domain',
		findings: ['info receivingOff'],
	},
	{
		what: 'a domain that was added lately and is not verified yet',
		identities: [domain({ status: 'unverified', ...RECENTLY })],
		setup: 'domain',
		findings: ['warning notVerified'],
	},
	{
		what: 'a domain whose verification was started lately',
		identities: [domain({ status: 'pending', ...RECENTLY })],
		setup: 'domain',
		findings: ['warning notVerified'],
	},
	{
		what: 'a domain that has waited for long',
		identities: [domain({ status: 'pending' })],
		setup: 'domain',
		findings: ['error stale'],
	},
	{
		what: 'a domain that waits, at a service that does not say since when',
		identities: [domain({ status: 'pending', createdAt: null, updatedAt: null })],
		setup: 'domain',
		findings: ['warning notVerified'],
	},
	{
		what: 'a domain whose verification failed',
		identities: [domain({ status: 'failed' })],
		setup: 'domain',
		findings: ['error verificationFailed'],
	},
	{
		what: 'a domain without DNS records',
		identities: [domain({ status: 'unverified', dnsRecords: [], ...RECENTLY })],
		setup: 'domain',
		findings: ['error domainWithoutDnsRecords', 'warning notVerified'],
	},
	{
		what: 'a domain that was never set up',
		identities: [domain({ status: 'unverified', dnsRecords: null, providerId: null })],
		setup: 'domain',
		findings: ['error stale', 'error domainWithoutDnsRecords', 'warning nothingConnected'],
	},
	{
		what: 'a domain with a status that nobody knows',
		identities: [domain({ status: 'suspended' })],
		setup: 'domain',
		findings: ['warning statusUnknown'],
	},
	{
		what: 'a domain without a status',
		identities: [domain({ status: null })],
		setup: 'domain',
		findings: ['warning statusUnknown'],
	},
	{
		what: 'a domain whose kind goes by another word',
		identities: [domain({ kind: 'host', status: 'PENDING' })],
		setup: 'domain',
		findings: ['error stale'],
	},
	{
		what: 'an address that the service itself receives for',
		identities: [inbound()],
		setup: 'inbound',
		findings: [],
	},
	{
		what: 'such an address that is not verified',
		identities: [inbound({ status: 'pending' })],
		setup: 'inbound',
		findings: ['error stale'],
	},
	{
		what: 'an address of a verified domain',
		identities: [addressOfDomain(), domain()],
		setup: 'addressOfDomain',
		findings: [],
	},
	{
		what: 'an address that does not name its verified domain',
		identities: [addressOfDomain({ domainIdentityId: null, providerId: null }), domain()],
		setup: 'addressOfDomain',
		findings: [],
	},
	{
		what: 'an address of a domain that only sends',
		identities: [addressOfDomain(), domain({ incomingDomain: false })],
		setup: 'addressOfDomain',
		findings: ['info receivingOff'],
	},
	{
		what: 'an address of a pending domain',
		identities: [addressOfDomain(), domain({ status: 'pending' })],
		setup: 'addressOfDomain',
		findings: ['warning domainNotVerified'],
	},
	{
		what: 'an address of a failed domain',
		identities: [addressOfDomain(), domain({ status: 'failed' })],
		setup: 'addressOfDomain',
		findings: ['warning domainNotVerified'],
	},
	{
		what: 'an address that is verified by itself, of a pending domain',
		identities: [addressOfDomain({ status: 'verified' }), domain({ status: 'pending' })],
		setup: 'addressOfDomain',
		findings: [],
	},
	{
		what: 'an address read by IMAP',
		identities: [mailAccount()],
		setup: 'mailAccount',
		findings: [],
	},
	{
		what: 'an address read by IMAP whose domain is pending at another provider',
		identities: [mailAccount(), domain({ status: 'pending' })],
		setup: 'mailAccount',
		findings: [],
	},
	{
		what: 'an address in a Gmail account',
		identities: [gmail()],
		setup: 'gmail',
		findings: [],
	},
	{
		what: 'an address at a provider of another kind',
		identities: [atProvider()],
		setup: 'provider',
		findings: [],
	},
	{
		what: 'an address whose verification failed',
		identities: [mailAccount({ status: 'failed' })],
		setup: 'mailAccount',
		findings: ['error verificationFailed'],
	},
	{
		what: 'an address that nothing reads',
		identities: [unconnected(RECENTLY)],
		setup: 'unconnected',
		findings: ['warning notVerified', 'warning nothingConnected'],
	},
	{
		what: 'an address that nothing is known to read, but which the service calls verified',
		identities: [unconnected({ status: 'verified', ...WITHOUT_SHARING })],
		setup: 'unconnected',
		findings: [],
	},
	{
		what: "an address of a colleague's domain",
		identities: [addressOfDomain()],
		setup: 'addressOfUnseenDomain',
		findings: ['info domainOfOthers'],
	},
	{
		what: "an address of one's own, not shared, of a colleague's domain",
		identities: [addressOfDomain({ sharedWithWorkspace: false })],
		setup: 'addressOfUnseenDomain',
		findings: ['info domainOfOthers'],
	},
	{
		what: 'an address whose domain is gone, where nothing is shared',
		identities: [addressOfDomain(WITHOUT_SHARING)],
		setup: 'addressOfUnseenDomain',
		findings: ['warning domainMissing'],
	},
	{
		what: 'an address whose domain is another one of the account, where nothing is shared',
		identities: [addressOfDomain(WITHOUT_SHARING), domain({ id: 'other' })],
		setup: 'addressOfUnseenDomain',
		findings: ['warning domainMissing'],
	},
	{
		what: "a colleague's address, shared, read by IMAP",
		identities: [mailAccount({ ownerId: 'colleague' })],
		setup: 'mailAccount',
		findings: [],
	},
	{
		what: "a colleague's shared address of a pending domain",
		identities: [addressOfDomain({ ownerId: 'colleague' }), domain({ status: 'pending' })],
		setup: 'addressOfDomain',
		findings: ['warning domainNotVerified'],
	},
];

test.each(REAL_SETUPS)('$what: $findings', ({ identities, setup, findings }) => {
	const [result] = audit(identities);

	expect(result?.setup).toBe(setup);
	expect(result?.findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(findings);
	expect(result?.healthy).toBe(findings.every((finding) => finding.startsWith('info')));
});

test('every rule about what the service says is met by one of the set-ups', () => {
	const met = new Set(
		REAL_SETUPS.flatMap(({ identities }) => audit(identities)).flatMap(({ findings }) =>
			findings.map(({ code }) => code),
		),
	);

	expect([...met].sort()).toEqual([...new Set(STATUS_RULES.map(({ code }) => code))].sort());
});

/** Whatever a service may say besides, without a bearing on whether mail flows. */
const incidental = fc.record({
	ownerId: fc.constantFrom('me', 'colleague', null),
	publicId: fc.constantFrom('public', null),
	displayName: fc.option(fc.string()),
	sharedWithWorkspace: fc.constantFrom(true, false, null),
	createdAt: fc.constantFrom(daysAgo(0), daysAgo(3000), null),
	updatedAt: fc.constantFrom(daysAgo(0), daysAgo(3000), null),
});

/** What a service calls an address that works, but is not its own to verify. */
const anyStatus = fc.record({
	status: fc.constantFrom('unverified', 'verified', 'pending', 'Unverified', 'active', null),
});

const working = fc
	.record({
		make: fc.constantFrom(
			() => [domain()],
			() => [inbound()],
			(fields: Partial<Identity>) => [addressOfDomain(fields), domain()],
			(fields: Partial<Identity>) => [addressOfDomain({ ...fields, providerId: null }), domain()],
			(fields: Partial<Identity>) => [mailAccount(fields), domain()],
			(fields: Partial<Identity>) => [mailAccount(fields)],
			(fields: Partial<Identity>) => [gmail(fields)],
			(fields: Partial<Identity>) => [atProvider(fields)],
		),
		status: anyStatus,
		besides: incidental,
	})
	.map(({ make, status, besides }) =>
		make(status).map((identity) => ({ ...identity, ...besides })),
	);

test('nothing is found in a set-up that works, whatever else the service says', () => {
	fc.assert(
		fc.property(working, fc.nat(40), (identities, staleAfterDays) => {
			const results = audit(identities, { staleAfterDays });

			expect(results.flatMap(({ findings }) => findings)).toEqual([]);
			expect(results.every(({ healthy }) => healthy)).toBe(true);
		}),
	);
});

const text = fc.option(fc.string({ maxLength: 12 }));

const anything: fc.Arbitrary<Identity> = fc.record({
	id: fc.constantFrom('a', 'b', 'c'),
	ownerId: text,
	kind: fc.constantFrom('email', 'domain', 'host', null),
	publicId: text,
	value: fc.constantFrom('example.test', 'a@example.test', 'a\nb@example.test', null),
	displayName: text,
	status: fc.constantFrom('verified', 'pending', 'unverified', 'failed', 'odd\nword', null),
	sharedWithWorkspace: fc.constantFrom(true, false, null),
	incomingDomain: fc.constantFrom(true, false, null),
	domainIdentityId: fc.constantFrom('a', 'b', 'gone', null),
	dnsRecords: fc.constantFrom(null, [], [{ type: 'TXT' }], 'text', { mx: '10 mail' }),
	meta: fc.constantFrom(null, {}, 'text', { provider: 'google' }, { provider: 'inbound' }),
	providerId: fc.constantFrom('provider', null),
	smtpAccountId: fc.constantFrom('smtp', null),
	createdAt: fc.constantFrom(daysAgo(1), daysAgo(50), 'soon', null),
	updatedAt: fc.constantFrom(daysAgo(1), daysAgo(50), 'soon', null),
});

test('whatever the service says, findings are sentences, each once, the worst first, and agree with the rest', () => {
	fc.assert(
		fc.property(fc.array(anything, { maxLength: 4 }), (identities) => {
			for (const { findings, healthy, summary } of audit(identities)) {
				const codes = findings.map(({ code }) => code);
				const ranks = findings.map(({ severity }) => SEVERITIES.indexOf(severity));

				expect(new Set(codes).size).toBe(codes.length);
				expect(ranks).toEqual([...ranks].sort((one, other) => other - one));
				expect(healthy).toBe(ranks.every((rank) => rank === 0));
				findings.forEach(({ message }) => expect(message).toMatch(/^[A-Z][^\n]+\.$/));
				expect(summary).not.toContain('\n');
				expect(summary.endsWith(': no problem found')).toBe(healthy);
			}
		}),
	);
});

test('the result has what people look at first, first', () => {
	const [result] = audit([domain({ status: 'pending', createdAt: daysAgo(40), updatedAt: null })]);

	expect(Object.entries(result ?? {})).toEqual([
		['value', 'example.test'],
		['healthy', false],
		[
			'summary',
			'example.test: The domain was added 40 days ago and is not verified (status pending). Enter the DNS records that the service shows where the domain is managed; the service may take two days to see them.',
		],
		['findings', [expect.objectContaining({ code: 'stale', severity: 'error' })]],
		['kind', 'domain'],
		['setup', 'domain'],
		['status', 'pending'],
		['dns', null],
		['ageInDays', 40],
		['createdAt', daysAgo(40)],
		['id', 'domain'],
	]);
});

test.each([
	{ createdAt: daysAgo(40), updatedAt: daysAgo(40), said: 'was added 40 days ago' },
	{ createdAt: daysAgo(40), updatedAt: null, said: 'was added 40 days ago' },
	{ createdAt: daysAgo(40), updatedAt: daysAgo(8), said: 'was last changed 8 days ago' },
	{ createdAt: null, updatedAt: daysAgo(8), said: 'was last changed 8 days ago' },
])('it is told since when: $said', ({ said, ...times }) => {
	const [result] = audit([domain({ status: 'pending', ...times })]);

	expect(result?.findings[0]?.message).toContain(said);
});

test('what was changed lately is not stale, where the service tells of changes', () => {
	const restarted = domain({ status: 'pending', createdAt: daysAgo(400), updatedAt: daysAgo(1) });

	expect(codesOf([restarted])).toEqual([['domain', ['warning notVerified']]]);
});

test('the number of days is the limit itself still allowed', () => {
	const waiting = domain({ status: 'pending', createdAt: daysAgo(7), updatedAt: daysAgo(7) });

	expect(codesOf([waiting], { staleAfterDays: 7 })).toEqual([['domain', ['warning notVerified']]]);
	expect(codesOf([waiting], { staleAfterDays: 6 })).toEqual([['domain', ['error stale']]]);
});

test('findings below the minimum severity are left out, and still told in the summary', () => {
	const troubled = domain({ status: 'pending', ...RECENTLY });
	const [result] = audit([troubled], { minimumSeverity: 'error' });

	expect(result?.findings).toEqual([]);
	expect(result?.healthy).toBe(false);
	expect(result?.summary).toContain('is not verified yet');
});

test('the summary of several findings is the worst, and how many there are besides', () => {
	const [result] = audit([domain({ status: 'unverified', dnsRecords: null, providerId: null })]);

	expect(result?.summary).toMatch(/^example\.test: The domain was added .+ \(2 more\)$/);
});

test('looks at each of 10,000 identities a bounded number of times', () => {
	let looks = 0;
	const counted = (identity: Identity) =>
		new Proxy(identity, {
			get: (target, field: keyof Identity) => {
				looks++;
				return target[field];
			},
		});
	const many = Array.from({ length: 10_000 }, (_, number) =>
		counted(
			number % 10 === 0
				? domain({ id: `domain-${number}`, value: `d${number}.test` })
				: addressOfDomain({
						id: `address-${number}`,
						value: `a@d${number}.test`,
						domainIdentityId: `domain-${number - (number % 10)}`,
					}),
		),
	);

	expect(audit(many)).toHaveLength(10_000);
	expect(looks).toBeLessThan(10_000 * 60);
});

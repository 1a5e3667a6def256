import * as fc from 'fast-check';

import type { Identity } from '../../../../nodes/EmailIdentity/api/resources';
import {
	auditResults,
	type AuditOptions,
} from '../../../../nodes/EmailIdentity/resources/identity/audit';
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
	auditResults(identities, { ...OPTIONS, ...options });

type Case = [what: string, identities: Identity[], setup: string, findings: string[]];

/** The findings that a sensible postmaster would want for the first identity, with others of the account behind it. */
const REAL_SETUPS: Case[] = [
	['a verified domain', [domain()], 'domain', []],
	['a domain of hidden records', [domain({ dnsRecords: null })], 'domain', []],
	[
		'a domain that only sends',
		[domain({ incomingDomain: false })],
		'domain',
		['info receivingOff'],
	],
	[
		'a new domain, not verified yet',
		[domain({ status: 'unverified', ...RECENTLY })],
		'domain',
		['warning notVerified'],
	],
	['a domain pending for long', [domain({ status: 'pending' })], 'domain', ['error stale']],
	['a domain that failed', [domain({ status: 'failed' })], 'domain', ['error verificationFailed']],
	[
		'a domain without DNS records',
		[domain({ status: 'unverified', dnsRecords: [], ...RECENTLY })],
		'domain',
		['error domainWithoutDnsRecords', 'warning notVerified'],
	],
	[
		'a domain that was never set up',
		[domain({ status: 'unverified', dnsRecords: null, providerId: null })],
		'domain',
		['error stale', 'error domainWithoutDnsRecords', 'warning nothingConnected'],
	],
	['an unknown status', [domain({ status: 'suspended' })], 'domain', ['warning statusUnknown']],
	['no status', [domain({ status: null })], 'domain', ['warning statusUnknown']],
	[
		'a domain called a host',
		[domain({ kind: 'host', status: 'PENDING' })],
		'domain',
		['error stale'],
	],
	['an address that the service receives for', [inbound()], 'inbound', []],
	['one that is not verified', [inbound({ status: 'pending' })], 'inbound', ['error stale']],
	['an address of a domain', [addressOfDomain(), domain()], 'addressOfDomain', []],
	[
		'an address that does not name its verified domain',
		[addressOfDomain({ domainIdentityId: null, providerId: null }), domain()],
		'addressOfDomain',
		[],
	],
	[
		'its domain only sends',
		[addressOfDomain(), domain({ incomingDomain: false })],
		'addressOfDomain',
		['info receivingOff'],
	],
	[
		'its domain is pending',
		[addressOfDomain(), domain({ status: 'pending' })],
		'addressOfDomain',
		['warning domainNotVerified'],
	],
	[
		'an address that is verified by itself, of a pending domain',
		[addressOfDomain({ status: 'verified' }), domain({ status: 'pending' })],
		'addressOfDomain',
		[],
	],
	['an address read by IMAP', [mailAccount()], 'mailAccount', []],
	[
		'an address read by IMAP whose domain is pending at another provider',
		[mailAccount(), domain({ status: 'pending' })],
		'mailAccount',
		[],
	],
	['an address in a Gmail account', [gmail()], 'gmail', []],
	['an address at another provider', [atProvider()], 'provider', []],
	[
		'an address that failed',
		[mailAccount({ status: 'failed' })],
		'mailAccount',
		['error verificationFailed'],
	],
	[
		'an address that nothing reads',
		[unconnected(RECENTLY)],
		'unconnected',
		['warning notVerified', 'warning nothingConnected'],
	],
	[
		'an address that nothing is known to read, but which the service calls verified',
		[unconnected({ status: 'verified', ...WITHOUT_SHARING })],
		'unconnected',
		[],
	],
	[
		"an address of a colleague's domain",
		[addressOfDomain()],
		'addressOfUnseenDomain',
		['info domainOfOthers'],
	],
	[
		"an address of one's own, not shared, of a colleague's domain",
		[addressOfDomain({ sharedWithWorkspace: false })],
		'addressOfUnseenDomain',
		['info domainOfOthers'],
	],
	[
		'an address whose domain is gone, where nothing is shared',
		[addressOfDomain(WITHOUT_SHARING)],
		'addressOfUnseenDomain',
		['warning domainMissing'],
	],
	[
		'an address whose domain is another one of the account, where nothing is shared',
		[addressOfDomain(WITHOUT_SHARING), domain({ id: 'other' })],
		'addressOfUnseenDomain',
		['warning domainMissing'],
	],
];

test.each(REAL_SETUPS)('%s (%#)', (_what, identities, setup, findings) => {
	const result = audit(identities).find(({ id }) => id === identities[0]?.id);

	expect(result?.setup).toBe(setup);
	expect(result?.findings.map(({ severity, code }) => `${severity} ${code}`)).toEqual(findings);
	expect(result?.healthy).toBe(findings.every((finding) => finding.startsWith('info')));
});

test('every rule about what the service says is met by one of the set-ups', () => {
	const met = new Set(
		REAL_SETUPS.flatMap(([, identities]) => audit(identities)).flatMap(({ findings }) =>
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
			}
		}),
	);
});

test('the result has what people look at first, first', () => {
	const [result] = audit([domain({ status: 'pending', createdAt: daysAgo(40), updatedAt: null })]);

	expect(Object.entries(result ?? {})).toEqual([
		['value', 'example.test'],
		['healthy', false],
		['summary', expect.stringMatching(/^example\.test: .*40 days/)],
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
	[daysAgo(40), daysAgo(40), 'stale', /added 40 days/],
	[daysAgo(40), null, 'stale', /added 40 days/],
	[daysAgo(40), daysAgo(8), 'stale', /changed 8 days/],
	[null, daysAgo(8), 'stale', /changed 8 days/],
	[daysAgo(400), daysAgo(1), 'notVerified', /pending/],
])('a domain that was added at %s and changed at %s: %s', (createdAt, updatedAt, code, message) => {
	const [result] = audit([domain({ status: 'pending', createdAt, updatedAt })]);

	expect(result?.findings).toMatchObject([{ code, message: expect.stringMatching(message) }]);
});

test('the number of days is the limit itself still allowed', () => {
	const waiting = domain({ status: 'pending', createdAt: daysAgo(7), updatedAt: daysAgo(7) });
	const codeOf = (staleAfterDays: number) =>
		audit([waiting], { staleAfterDays })[0]?.findings.map(({ code }) => code);

	expect([7, 6].map(codeOf)).toEqual([['notVerified'], ['stale']]);
});

test('the worst come first: errors, warnings, information, nothing found; equals keep their order', () => {
	const identities = [
		domain({ id: 'fine' }),
		domain({ id: 'info', incomingDomain: false }),
		domain({ id: 'warning', status: null }),
		domain({ id: 'error', status: 'failed' }),
		domain({ id: 'another error', status: 'failed' }),
	];
	const sorted = ['error', 'another error', 'warning', 'info', 'fine'];

	expect(audit(identities).map(({ id }) => id)).toEqual(sorted);
	expect(audit(identities, { minimumSeverity: 'error' }).map(({ id }) => id)).toEqual(sorted);
});

test('the summary of several findings is the worst, and how many there are besides', () => {
	const [result] = audit([domain({ status: 'unverified', dnsRecords: null, providerId: null })]);

	expect(result?.summary).toMatch(/^example\.test: .+ \(2 more\)$/);
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

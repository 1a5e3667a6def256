import * as fc from 'fast-check';

import type { Identity } from '../../../../nodes/EmailIdentity/api/data/resources';
import { SEVERITIES } from '../../../../nodes/EmailIdentity/operations/findings';
import {
	auditResults,
	type AuditOptions,
} from '../../../../nodes/EmailIdentity/operations/identity/audit';
import { STATUS_RULES } from '../../../../nodes/EmailIdentity/operations/identity/statusRules';
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
} from './support/identities';

const OPTIONS: AuditOptions = {
	staleAfterDays: 7,
	minimumSeverity: 'info',
	onlyWithFindings: false,
	now: NOW,
};

const RECENTLY = { createdAt: daysAgo(2), updatedAt: daysAgo(2) };

const audit = (identities: Identity[], options: Partial<AuditOptions> = {}) =>
	auditResults(identities, { ...OPTIONS, ...options });

/** The expected findings of the first identity. */
const FINDINGS: Array<[expected: string, ...identities: Identity[]]> = [
	['info receivingOff', domain({ incomingDomain: false })],
	['warning notVerified', domain({ status: 'unverified', ...RECENTLY })],
	['error stale', domain({ status: 'pending' })],
	['error stale', domain({ kind: 'host', status: 'PENDING' })],
	['error stale', inbound({ status: 'pending' })],
	['error verificationFailed', domain({ status: 'failed' })],
	['error verificationFailed', mailAccount({ status: 'failed' })],
	['warning statusUnknown', domain({ status: 'suspended' })],
	['warning statusUnknown', domain({ status: null })],
	['error domainWithoutDnsRecords', domain({ status: 'failed', dnsRecords: [], ...RECENTLY })],
	[
		'error domainWithoutDnsRecords',
		domain({ status: 'unverified', dnsRecords: null, providerId: null }),
	],
	['error stale, warning nothingConnected', domain({ status: 'unverified', providerId: null })],
	['info receivingOff', addressOfDomain(), domain({ incomingDomain: false })],
	['warning domainNotVerified', addressOfDomain(), domain({ status: 'pending' })],
	['warning notVerified, warning nothingConnected', unconnected(RECENTLY)],
	['info domainOfOthers', addressOfDomain()],
	['info domainOfOthers', addressOfDomain({ sharedWithWorkspace: false })],
	['warning domainMissing', addressOfDomain(WITHOUT_SHARING)],
	['warning domainMissing', addressOfDomain(WITHOUT_SHARING), domain({ id: 'other' })],
];

test.each(FINDINGS)('an identity has its findings: %s (%#)', (expected, ...identities) => {
	const result = audit(identities).find(({ id }) => id === identities[0]?.id);

	const findings = result?.findings.map(({ severity, code }) => `${severity} ${code}`).join(', ');
	expect(findings).toBe(expected);
	expect(result?.healthy).toBe(expected.startsWith('info'));
});

test('the findings above include every rule', () => {
	const codes = FINDINGS.flatMap(([expected]) => expected.match(/\w+(?=,|$)/g) ?? []);

	const all = Object.values(STATUS_RULES).flatMap((rules) => Object.keys(rules));
	expect([...new Set(codes)].sort()).toEqual(all.sort());
});

/** Fields without an effect on whether mail flows. */
const incidental = fc.record({
	ownerId: fc.constantFrom('me', 'colleague', null),
	sharedWithWorkspace: fc.constantFrom(true, false, null),
	createdAt: fc.constantFrom(daysAgo(0), daysAgo(3000), null),
	updatedAt: fc.constantFrom(daysAgo(0), daysAgo(3000), null),
});

const withoutDomainId = { domainIdentityId: null, providerId: null };
const pendingDomain = domain({ status: 'pending', ...RECENTLY });

/** In these set-ups, mail flows. */
const WORKING: ReadonlyArray<[setup: string, make: (fields: Partial<Identity>) => Identity[]]> = [
	['domain', () => [domain()]],
	['domain', () => [domain({ dnsRecords: null })]],
	['inbound', () => [inbound()]],
	['unconnected', () => [unconnected({ status: 'verified' })]],
	['addressOfDomain', (fields) => [addressOfDomain(fields), domain()]],
	['addressOfDomain', (fields) => [addressOfDomain({ ...fields, ...withoutDomainId }), domain()]],
	['addressOfDomain', () => [addressOfDomain({ status: 'verified' }), pendingDomain]],
	['mailAccount', (fields) => [mailAccount(fields), domain()]],
	['mailAccount', (fields) => [mailAccount(fields)]],
	['gmail', (fields) => [gmail(fields)]],
	['provider', (fields) => [atProvider(fields)]],
];

test.each(WORKING)('a working %s has no finding, whatever its other fields', (setup, make) => {
	const statuses = fc.constantFrom('unverified', 'verified', 'pending', 'Unverified', null);
	fc.assert(
		fc.property(statuses, incidental, fc.nat(40), (status, besides, staleAfterDays) => {
			const [identity, ...others] = make({ status });
			const results = audit([{ ...identity!, ...besides }, ...others], { staleAfterDays });

			const result = results.find(({ id }) => id === identity!.id);
			expect(result).toMatchObject({ setup, healthy: true, findings: [] });
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

test('for any identity, findings are unique sentences, the worst first, and decide healthy', () => {
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

test.each([
	[daysAgo(40), daysAgo(40), 'stale', /40 days/],
	[daysAgo(40), null, 'stale', /40 days/],
	[daysAgo(40), daysAgo(8), 'stale', /8 days/],
	[null, daysAgo(8), 'stale', /8 days/],
	[daysAgo(400), daysAgo(7), 'notVerified', /pending/],
])('a domain added at %s and changed at %s is %s', (createdAt, updatedAt, code, message) => {
	const [result] = audit([domain({ status: 'pending', createdAt, updatedAt })]);

	expect(result?.findings).toMatchObject([{ code, message: expect.stringMatching(message) }]);
});

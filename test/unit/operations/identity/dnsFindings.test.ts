import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { DomainCheck } from '../../../../lib/dns/audit/auditDomain';
import type { DnsProblem, DnsProblemCode, RecordDetail } from '../../../../lib/dns/audit/problems';
import { SEVERITIES } from '../../../../nodes/EmailIdentity/operations/findings';
import {
	auditResults,
	type AuditOptions,
} from '../../../../nodes/EmailIdentity/operations/identity/audit';
import { toDnsFindings } from '../../../../nodes/EmailIdentity/operations/identity/dnsFindings';
import { DNS_MESSAGES } from '../../../../nodes/EmailIdentity/operations/identity/dnsMessages';
import { domain, NOW } from './support/identities';

const SPF: RecordDetail = {
	type: 'TXT',
	name: 'bounce.example.test',
	expected: 'v=spf1 include:service.example ~all',
	found: null,
};

const problem = (code: DnsProblemCode, record: RecordDetail | null = SPF): DnsProblem => ({
	code,
	record,
	reason: 'a reason',
});

const check = (...problems: DnsProblem[]): DomainCheck => ({ status: 'checked', problems });

function audit(check: DomainCheck, identity = domain(), options: Partial<AuditOptions> = {}) {
	const [result] = auditResults([identity], {
		staleAfterDays: 7,
		minimumSeverity: 'info',
		onlyWithFindings: false,
		now: NOW,
		dns: new Map([[identity.id, toDnsFindings(check)]]),
		...options,
	});
	return result!;
}

const CODES = Object.entries(DNS_MESSAGES).map(
	([code, { severity }]) => [code as DnsProblemCode, severity] as const,
);

const documentation = readFileSync(join(__dirname, '../../../../docs/audit.md'), 'utf8');

test.each(SEVERITIES)('every DNS finding of severity %s is documented', (severity) => {
	const rows = documentation.split('## Check DNS')[1]?.split('\n') ?? [];
	const row = rows.find((line) => line.startsWith(`| ${severity} |`));
	const documented = row?.match(/(?<=`)[a-z]+[A-Z]\w+(?=`)/g) ?? [];
	const codes = CODES.filter(([, one]) => one === severity).map(([code]) => code);
	expect(documented.sort()).toEqual(codes.sort());
});

test.each(CODES)('%s is one finding, %s, with a sentence', (code, severity) => {
	const { findings, healthy } = audit(check(problem(code)));

	expect(findings).toEqual([
		{ code, severity, message: expect.stringMatching(/^[A-Z][^\n]+[.]$/), record: SPF },
	]);
	expect(findings[0]?.message).not.toMatch(/null|undefined| {2}|\.\./);
	expect(healthy).toBe(severity === 'info');
});

test('two wrong records of an unverified domain are two findings; the summary names both, then the status', () => {
	const other = { ...SPF, name: 'other.example.test' };
	const problems = [problem('dnsRecordMissing'), problem('dnsRecordMissing', other)];
	const { findings, summary } = audit(check(...problems), domain({ status: 'failed' }));

	expect(findings.map(({ record }) => record?.name)).toEqual([SPF.name, other.name, undefined]);
	expect(summary).toBe(`example.test: ${findings.map(({ message }) => message).join(' ')}`);
});

test.each<[DnsProblemCode, Partial<RecordDetail>, RegExp]>([
	[
		'dnsRecordMissing',
		{},
		/type TXT, name bounce\.example\.test .*value v=spf1 include:service\.example ~all/,
	],
	[
		'mxElsewhere',
		{ type: 'MX', expected: '10 mx.service.example', found: '10 mx.elsewhere.example' },
		/type MX, .*value mx\.service\.example, priority 10.*10 mx\.elsewhere\.example/,
	],
])(
	'the summary of %s has the values for the form of the DNS provider',
	(code, record, expected) => {
		expect(audit(check(problem(code, { ...SPF, ...record }))).summary).toMatch(expected);
	},
);

test('a whole DKIM key of 4096 bits can be copied', () => {
	const key = `v=DKIM1; k=rsa; p=${'A'.repeat(736)}`;
	const record = { ...SPF, name: 's._domainkey.example.test', expected: key };

	expect(audit(check(problem('dnsRecordMissing', record))).summary).toContain(`value ${key}.`);
});

test.each(['partly', 'unknown', 'checked'] as const)(
	'a domain whose DNS was %s is healthy',
	(status) => {
		const problems = status === 'checked' ? [] : [problem('dnsUnknown', null)];
		const result = audit({ status, problems });

		expect(result).toMatchObject({ healthy: true, dns: status });
		expect(result.summary.includes('but')).toBe(status !== 'checked');
		expect(result.findings.map(({ code }) => code)).toEqual(problems.map(({ code }) => code));
	},
);

test('findings below Minimum Severity are left out; the summary still names the problems among them', () => {
	const found = check(problem('dmarcMissing'), problem('dmarcPolicyNone'));
	const { findings, healthy, summary } = audit(found, domain(), { minimumSeverity: 'error' });

	expect(findings).toEqual([]);
	expect(healthy).toBe(false);
	expect(summary).toMatch(/no DMARC record(?!.*policy is none)/);
});

test('text from the DNS stays on one line, with a bounded length', () => {
	const record = { ...SPF, found: `v=spf1\n\u0007\u001b[31m ${'x'.repeat(5000)}` };
	const [finding] = audit(check(problem('dnsRecordDifferent', record))).findings;

	expect(finding?.message).toMatch(/^[^\p{Cc}]+$/u);
	expect(finding?.message.length).toBeLessThan(2500);
});

import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { toIdentity, type Identity } from '../../api/resources';
import { wallClockNow } from '../../../../lib/basics';
import { dnsResolverField, dnsResolverProblem, readSwitch } from '../../shared/fields';
import {
	findingsOf,
	readReportOptions,
	report,
	auditOptionsField,
	type ReportOptions,
	type AuditVerdict,
	type Severity,
} from '../auditReport';
import { concurrencyField, type Operation } from '../runOperation';
import type { DnsFindings } from './dnsFindings';
import { setupLookup } from '../identitySetup';
import { STATUS_RULES, type AuditedIdentity } from './statusRules';

const DEFAULT_STALE_AFTER_DAYS = 7;

const DEFAULT_SEVERITY: Severity = 'warning';

/** Sends one request for all identities of the account. Check DNS also queries the DNS of their domains. */
export const auditIdentities: Operation = {
	name: 'Audit',
	value: 'audit',
	description: 'Check the set-up of each address and domain',
	action: 'Audit identities',
	fields: [
		auditOptionsField('identities', DEFAULT_SEVERITY, [
			{
				displayName: 'Check DNS',
				name: 'checkDns',
				type: 'boolean',
				default: true,
				description:
					'Whether to also check the DNS of each domain: the records that the service needs, receiving (MX) and sending (SPF, DKIM, DMARC)',
			},
			{ ...dnsResolverField, hint: 'Used by Check DNS' },
			{ ...concurrencyField, hint: 'Used by Check DNS' },
			{
				displayName: 'Stale After Days',
				name: 'staleAfterDays',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: DEFAULT_STALE_AFTER_DAYS,
				description: 'Number of days after which an unverified domain is an error',
			},
		]),
	],
	async execute(item) {
		const given = item.parameter('auditOptions', {}) as IDataObject;
		const { checkDns = false, staleAfterDays = DEFAULT_STALE_AFTER_DAYS } = given;
		const options = {
			...readReportOptions(item, DEFAULT_SEVERITY),
			staleAfterDays: Number(staleAfterDays),
		};
		const checksDns = readSwitch(item, 'Check DNS', checkDns);
		const resolver = String(given.dnsResolver ?? '');
		const problem =
			options.staleAfterDays >= 0
				? checksDns && dnsResolverProblem(resolver)
				: "'Stale After Days' must be a number of at least 0";
		if (problem) throw new NodeOperationError(item.context.getNode(), problem);
		const identities = (await item.service.listIdentities()).map(toIdentity);
		const dns = checksDns
			? await (await import('./dnsFindings')).auditDns(item, identities, resolver)
			: undefined;
		const results = auditResults(identities, { ...options, now: wallClockNow(), dns });
		return results as unknown as IDataObject[];
	},
};

export interface AuditOptions extends ReportOptions {
	staleAfterDays: number;
	/** Milliseconds since 1970. */
	now: number;
	/** The findings of each domain, by the ID of its identity. */
	dns?: ReadonlyMap<string, DnsFindings>;
}

/** Follows "No problem found". */
const RESTRICTIONS: Readonly<Record<DnsFindings['status'], string>> = {
	checked: '',
	partly: ', but not all of its DNS could be checked',
	unknown: ', but its DNS could not be checked',
};

/** @param identities all identities of the account, because addresses are compared with their domains */
export function auditResults(
	identities: readonly Identity[],
	{ staleAfterDays, now, dns, ...options }: AuditOptions,
) {
	const lookUp = setupLookup(identities);
	const examined = identities.map((identity) => {
		const { id, value, kind, status, createdAt, updatedAt } = identity;
		const { setup, domain } = lookUp(identity);
		const waitingDays = daysSince(now, createdAt, updatedAt);
		const subject: AuditedIdentity = {
			...identity,
			setup,
			domain,
			waitingDays,
			isStale: waitingDays !== null && waitingDays > staleAfterDays,
		};
		const checked = dns?.get(id);
		return {
			name: value ?? id,
			// DNS findings come first, because they are the cause.
			found: [...(checked?.findings ?? []), ...findingsOf(STATUS_RULES, subject)],
			restriction: RESTRICTIONS[checked?.status ?? 'checked'],
			toResult: ({ healthy, summary, findings }: AuditVerdict) => ({
				healthy,
				summary,
				value,
				kind,
				setup,
				status,
				findings,
				dns: checked?.status ?? null,
				ageInDays: daysSince(now, createdAt),
				createdAt,
				id,
			}),
		};
	});
	return report(examined, options);
}

/** Whole days since the latest of these times; null if there is none. */
function daysSince(now: number, ...times: Array<string | null>): number | null {
	const moments = times.map((time) => Date.parse(time ?? '')).filter(Number.isFinite);
	const days = (now - Math.max(...moments)) / (24 * 60 * 60 * 1000);
	return moments.length === 0 ? null : Math.max(0, Math.floor(days));
}

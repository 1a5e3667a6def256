import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { toIdentity, type Identity } from '../../api/data/resources';
import { wallClockNow } from '../../../../lib/basics';
import { dnsResolverField, dnsResolverProblem, readSwitch } from '../../shared/editor/fields';
import { auditOptionsField, readReportOptions, type ReportOptions } from '../auditOptions';
import { report, type AuditVerdict, type Examined } from '../auditReport';
import { findingsOf, type Severity } from '../findings';
import { concurrencyField, type Item, type Operation } from '../operation';
import type { DnsFindings } from './dnsFindings';
import { setupLookup, type SetupName } from '../identitySetup';
import { STATUS_RULES, type AuditedIdentity } from './statusRules';

const DEFAULT_STALE_AFTER_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1000;

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
			dnsResolverField,
			{ ...concurrencyField, hint: 'Used by Check DNS' },
			{
				displayName: 'Stale After Days',
				name: 'staleAfterDays',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: DEFAULT_STALE_AFTER_DAYS,
				description:
					'Number of days after which an unverified domain, or an address that the service must verify, is an error',
			},
		]),
	],
	async execute(item) {
		const { checkDns, dnsResolver, ...options } = readAuditOptions(item);
		const identities = (await item.service.listIdentities()).map(toIdentity);
		let dns: ReadonlyMap<string, DnsFindings> | undefined;
		if (checkDns) {
			const { auditDns } = await import('./dnsFindings');
			dns = await auditDns(item, identities, dnsResolver);
		}
		const results = auditResults(identities, { ...options, now: wallClockNow(), dns });
		return results as unknown as IDataObject[];
	},
};

/** The options as the user chose them. */
interface GivenOptions extends ReportOptions {
	checkDns: boolean;
	/** Comma-separated URLs; empty for the usual resolvers. */
	dnsResolver: string;
	staleAfterDays: number;
}

/** @throws NodeOperationError if an option is not valid */
function readAuditOptions(item: Item): GivenOptions {
	const given = item.parameter('auditOptions', {}) as IDataObject;
	// An option that was not added is off.
	const { checkDns = false, staleAfterDays = DEFAULT_STALE_AFTER_DAYS } = given;
	const options: GivenOptions = {
		...readReportOptions(item, DEFAULT_SEVERITY),
		staleAfterDays: Number(staleAfterDays),
		checkDns: readSwitch(item, 'Check DNS', checkDns),
		dnsResolver: String(given.dnsResolver ?? ''),
	};
	const problem = problemOf(options);
	if (problem !== undefined) throw new NodeOperationError(item.context.getNode(), problem);
	return options;
}

function problemOf(options: GivenOptions): string | undefined {
	// Also true for NaN.
	if (!(options.staleAfterDays >= 0)) return "'Stale After Days' must be a number of at least 0";
	if (!options.checkDns) return undefined;
	return dnsResolverProblem(options.dnsResolver);
}

export interface AuditOptions extends ReportOptions {
	/** Days after which an identity that was added or changed counts as stale, whatever its status: the rules check that. */
	staleAfterDays: number;
	/** Milliseconds since 1970. */
	now: number;
	/** The findings of each domain, by the ID of its identity; absent if the DNS was not checked. */
	dns?: ReadonlyMap<string, DnsFindings>;
}

/** Follows "No problem found". */
const CAVEATS: Readonly<Record<DnsFindings['status'], string>> = {
	checked: '',
	partly: ', but not all of its DNS could be checked',
	unknown: ', but its DNS could not be checked',
};

/** The output for one identity. */
export interface IdentityAudit extends AuditVerdict {
	value: string | null;
	kind: string | null;
	setup: SetupName;
	status: string | null;
	/** How much of the DNS was checked; null for addresses, for a value that is not a domain name, and without Check DNS. */
	dns: DnsFindings['status'] | null;
	/** Whole days since it was added; null if unknown. */
	ageInDays: number | null;
	createdAt: string | null;
	id: string;
}

/** @param identities all identities of the account, because addresses are compared with their domains */
export function auditResults(
	identities: readonly Identity[],
	options: AuditOptions,
): IdentityAudit[] {
	const { staleAfterDays, now, dns } = options;
	const lookUp = setupLookup(identities);

	function examine(identity: Identity): Examined<IdentityAudit> {
		const { id, value, kind, status, createdAt, updatedAt } = identity;
		const { setup, domain } = lookUp(identity);
		const waitingDays = daysSince(now, createdAt, updatedAt);
		const isStale = waitingDays !== null && waitingDays > staleAfterDays;
		const subject: AuditedIdentity = { ...identity, setup, domain, waitingDays, isStale };
		const ofDns = dns?.get(id);
		const dnsFindings = ofDns?.findings ?? [];
		return {
			name: value ?? id,
			// DNS findings come before others of the same severity, because they are the cause.
			found: [...dnsFindings, ...findingsOf(STATUS_RULES, subject)],
			caveat: ofDns && CAVEATS[ofDns.status],
			toResult: ({ healthy, summary, findings }) => ({
				healthy,
				summary,
				value,
				kind,
				setup,
				status,
				findings,
				dns: ofDns?.status ?? null,
				ageInDays: daysSince(now, createdAt),
				createdAt,
				id,
			}),
		};
	}

	return report(identities.map(examine), options);
}

/** Whole days since the latest of these times; null if there is none. */
function daysSince(now: number, ...times: Array<string | null>): number | null {
	const moments = times.map((time) => Date.parse(time ?? ''));
	const known = moments.filter(Number.isFinite);
	if (known.length === 0) return null;
	const days = (now - Math.max(...known)) / DAY_MS;
	return Math.max(0, Math.floor(days));
}

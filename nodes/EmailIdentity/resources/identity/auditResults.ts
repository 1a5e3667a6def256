import type { Identity } from '../../api/types';
import type { DomainCheck } from '../../dns/audit';
import type { RecordDetail } from '../../dns/audit/required';
import { inSentence, SEVERITIES, type Age, type Severity } from './auditRule';
import { DNS_RULES } from './dnsRules';
import { domainLookup, setupOf, type Setup } from './setups';
import { STATUS_RULES } from './statusRules';

export interface Finding {
	code: string;
	severity: Severity;
	message: string;
	/** The DNS record that has to be changed, where it is about one. */
	record?: RecordDetail;
}

/** What the audit says about one identity; in the order in which the editor shows it. */
export interface AuditResult {
	value: string | null;
	/** False when something is more than information, whether or not it is severe enough to be among the findings. */
	healthy: boolean;
	/** One line that can be put into a message as it is. */
	summary: string;
	/** The most severe first. */
	findings: Finding[];
	kind: string | null;
	setup: Setup;
	status: string | null;
	/** Whether the DNS answered all that it was asked, some of it, or nothing; null where it was not asked. */
	dns: DomainCheck['status'] | null;
	/** Whole days since it was added; null when the service does not say. */
	ageInDays: number | null;
	createdAt: string | null;
	id: string;
}

export interface AuditOptions {
	/** For how many days an identity may wait for its verification. */
	staleAfterDays: number;
	/** Findings below it are left out. */
	minimumSeverity: Severity;
	/** Milliseconds since 1970. */
	now: number;
	/** What the DNS says of domains, by the ID of the identity; of those that are not in it, it was not asked. */
	dns?: ReadonlyMap<string, DomainCheck>;
}

/** What is said where nothing was found, but not everything could be looked at. */
const UNSEEN: Readonly<Record<DomainCheck['status'], string>> = {
	checked: '',
	partly: ', but not all of its DNS could be looked at',
	unknown: ', but its DNS could not be looked at',
};

/**
 * What can be wrong with an identity. A new rule is a new entry of one of the tables. Of equally severe findings, the summary
 * names the first: a record that can be changed comes before a status that follows from it.
 */
const AUDIT_RULES = [...DNS_RULES, ...STATUS_RULES];

const DAY = 24 * 60 * 60 * 1000;

/**
 * Says of each identity what is wrong with it. Takes time in proportion to their number.
 *
 * @param identities all of the account, as addresses are compared with their domains
 * @returns one result for each identity, in the same order
 */
export function auditResults(
	identities: readonly Identity[],
	{ staleAfterDays, minimumSeverity, now, dns = new Map() }: AuditOptions,
): AuditResult[] {
	const findDomain = domainLookup(identities);
	const reported = SEVERITIES.slice(SEVERITIES.indexOf(minimumSeverity));

	return identities.map((identity) => {
		const { id, value, kind, status, createdAt } = identity;
		const setup = setupOf(identity, findDomain);
		const domainIdentity = setup === 'addressOfDomain' ? findDomain(identity) : undefined;
		const check = dns.get(id);
		const context = {
			...{ setup, domainIdentity, staleAfterDays },
			...{ age: ageOf(identity, now), dns: check },
		};
		const found: Finding[] = AUDIT_RULES.filter(({ setups }) => setups.includes(setup)).flatMap(
			({ code, severity, find }) =>
				find(identity, context).map((occurrence) => ({ code, severity, ...occurrence })),
		);
		const bySeverity = found.sort(
			(one, other) => SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity),
		);
		const problems = bySeverity.filter(({ severity }) => severity !== 'info');
		return {
			value,
			healthy: problems.length === 0,
			summary: summarise(value ?? id, problems, check),
			findings: bySeverity.filter(({ severity }) => reported.includes(severity)),
			kind,
			setup,
			status,
			dns: check?.status ?? null,
			ageInDays: daysSince(createdAt, now) ?? null,
			createdAt,
			id,
		};
	});
}

function summarise(
	name: string,
	[first, ...others]: Finding[],
	dns: DomainCheck | undefined,
): string {
	const subject = inSentence(name);
	if (first === undefined) return `${subject}: no problem found${UNSEEN[dns?.status ?? 'checked']}`;
	const more = others.length === 0 ? '' : ` (${others.length} more)`;
	return `${subject}: ${first.message}${more}`;
}

/** Services were seen never to change `updatedAt`: one that equals `createdAt` says nothing of the last change. */
function ageOf({ createdAt, updatedAt }: Identity, now: number): Age | undefined {
	const added = daysSince(createdAt, now);
	const changed = daysSince(updatedAt, now);
	if (changed !== undefined && updatedAt !== createdAt) return { since: 'changed', days: changed };
	return added === undefined ? undefined : { since: 'added', days: added };
}

function daysSince(time: string | null, now: number): number | undefined {
	const moment = Date.parse(time ?? '');
	return Number.isNaN(moment) ? undefined : Math.max(0, Math.floor((now - moment) / DAY));
}

import type { Identity } from '../../api/types';
import { AUDIT_RULES, SEVERITIES, type Severity } from './auditRules';
import { DOMAIN_KIND, domainOf, isOfKind } from './kindsAndStatuses';

export interface Finding {
	code: string;
	severity: Severity;
	message: string;
}

/** What the audit says about one identity. */
export interface AuditResult {
	id: string;
	value: string | null;
	kind: string | null;
	status: string | null;
	/** False when something is more than information, whether or not it is severe enough to be among the findings. */
	healthy: boolean;
	findings: Finding[];
	/** Whole days since it was created; null when the service does not say. */
	ageInDays: number | null;
	/** Whole days since it last changed; null when the service does not say. */
	unchangedForDays: number | null;
	createdAt: string | null;
	updatedAt: string | null;
}

export interface AuditOptions {
	/** For how many days an identity may stay unverified without a change. */
	staleAfterDays: number;
	/** Findings below it are left out. */
	minimumSeverity: Severity;
	/** Milliseconds since 1970. */
	now: number;
}

const DAY = 24 * 60 * 60 * 1000;

function daysSince(time: string | null, now: number): number | undefined {
	const moment = Date.parse(time ?? '');
	return Number.isNaN(moment) ? undefined : Math.max(0, Math.floor((now - moment) / DAY));
}

/**
 * Says of each identity what is wrong with it. Takes time in proportion to their number.
 *
 * @param identities all of the account, as addresses are compared with their domains
 * @returns one result for each identity, in the same order
 */
export function auditIdentities(
	identities: readonly Identity[],
	{ staleAfterDays, minimumSeverity, now }: AuditOptions,
): AuditResult[] {
	const byId = new Map(identities.map((identity) => [identity.id.toLowerCase(), identity]));
	const domains = identities.filter((identity) => isOfKind(identity, DOMAIN_KIND));
	const byDomain = new Map(domains.map((identity) => [domainOf(identity), identity]));
	const reported = SEVERITIES.slice(SEVERITIES.indexOf(minimumSeverity));

	return identities.map((identity) => {
		const { id, value, kind, status, createdAt, updatedAt, domainIdentityId } = identity;
		const unchangedForDays = daysSince(updatedAt ?? createdAt, now);
		const domainIdentity =
			domainIdentityId === null
				? byDomain.get(domainOf(identity))
				: byId.get(domainIdentityId.toLowerCase());
		const context = { domainIdentity, unchangedForDays, staleAfterDays };
		const applicable = AUDIT_RULES.filter((rule) => rule.applies(identity, context));
		const findings = applicable
			.filter(({ severity }) => reported.includes(severity))
			.map(({ code, severity, message }) => ({
				code,
				severity,
				message: message(identity, context),
			}));
		return {
			id,
			value,
			kind,
			status,
			healthy: applicable.every(({ severity }) => severity === 'info'),
			findings,
			ageInDays: daysSince(createdAt, now) ?? null,
			unchangedForDays: unchangedForDays ?? null,
			createdAt,
			updatedAt,
		};
	});
}

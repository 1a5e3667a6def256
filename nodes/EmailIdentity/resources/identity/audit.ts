import { NodeOperationError, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { toIdentity, type Identity } from '../../api/resources';
import type { DomainCheck } from '../../dns/audit';
import { dnsResolverField, dnsResolverProblem } from '../../shared/dnsResolver';
import { readSwitch } from '../../shared/fields';
import { concurrencyField, type Operation, type Session } from '../operation';
import {
	domainLookup,
	inSentence,
	SEVERITIES,
	setupOf,
	type Age,
	type Occurrence,
	type Setup,
	type Severity,
} from './auditRule';
import { DNS_RULES } from './dnsRules';
import { STATUS_RULES } from './statusRules';

const DEFAULT_STALE_AFTER_DAYS = 7;
const DEFAULT_SEVERITY: Severity = 'warning';

const fields: INodeProperties[] = [
	{
		displayName: 'Options',
		name: 'auditOptions',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			{
				displayName: 'Check DNS',
				name: 'checkDns',
				type: 'boolean',
				default: true,
				description:
					'Whether to also check the DNS of each domain: the records that the service needs, receiving (MX) and sending (SPF, DKIM, DMARC)',
			},
			dnsResolverField({ hint: 'Used by Check DNS' }),
			{ ...concurrencyField, hint: 'Used by Check DNS' },
			{
				displayName: 'Minimum Severity',
				name: 'minimumSeverity',
				type: 'options',
				options: [
					{ name: 'Error', value: 'error', description: 'Only errors' },
					{ name: 'Info', value: 'info', description: 'Errors, warnings and notes' },
					{ name: 'Warning', value: 'warning', description: 'Errors and possible problems' },
				],
				default: DEFAULT_SEVERITY,
				description: 'The least severe findings to report',
			},
			{
				displayName: 'Only With Findings',
				name: 'onlyWithFindings',
				type: 'boolean',
				default: true,
				description: 'Whether to return only identities with findings',
			},
			{
				displayName: 'Stale After Days',
				name: 'staleAfterDays',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: DEFAULT_STALE_AFTER_DAYS,
				description: 'Number of days after which an unverified domain is an error',
			},
		],
	},
];

/** Sends one request for all identities of the account. Check DNS also queries the DNS of their domains. */
export const auditIdentities: Operation = {
	name: 'Audit',
	value: 'audit',
	description: 'Check the set-up of each address and domain',
	action: 'Audit identities',
	fields,
	async execute(session, itemIndex) {
		const { context, service, maxConcurrentRequests } = session;
		const { dnsResolver, onlyWithFindings, ...options } = readOptions(session, itemIndex);
		const identities = (await service.listIdentities()).map(toIdentity);
		const dns =
			dnsResolver === undefined
				? undefined
				: await (
						await import('./dnsAudit')
					).auditDns(context, identities, dnsResolver, maxConcurrentRequests);
		return auditResults(identities, { ...options, now: Date.now(), dns })
			.filter(({ findings }) => !onlyWithFindings || findings.length > 0)
			.map((result) => ({ ...result }) as unknown as IDataObject);
	},
};

interface Options {
	checkDns?: unknown;
	dnsResolver?: unknown;
	minimumSeverity?: Severity;
	onlyWithFindings?: unknown;
	staleAfterDays?: unknown;
}

function readOptions({ context }: Session, itemIndex: number) {
	const {
		checkDns = false,
		dnsResolver = '',
		minimumSeverity = DEFAULT_SEVERITY,
		onlyWithFindings = false,
		staleAfterDays = DEFAULT_STALE_AFTER_DAYS,
	} = context.getNodeParameter('auditOptions', itemIndex, {}) as Options;
	const node = context.getNode();
	const days = Number(staleAfterDays);
	const checksDns = readSwitch(node, 'Check DNS', checkDns, itemIndex);
	const problem = [
		days >= 0 ? undefined : 'Stale After Days must be a number of at least 0',
		SEVERITIES.includes(minimumSeverity) ? undefined : 'Unknown value for Minimum Severity',
		checksDns ? dnsResolverProblem(String(dnsResolver)) : undefined,
	].find((text) => text !== undefined);
	if (problem !== undefined) throw new NodeOperationError(node, problem, { itemIndex });
	return {
		staleAfterDays: days,
		minimumSeverity,
		onlyWithFindings: readSwitch(node, 'Only With Findings', onlyWithFindings, itemIndex),
		/** Undefined if Check DNS is off. */
		dnsResolver: checksDns ? String(dnsResolver) : undefined,
	};
}

export interface Finding extends Occurrence {
	code: string;
	severity: Severity;
}

/** The result for one identity, in the order of the editor's table. */
export interface AuditResult {
	value: string | null;
	/** False if there is a warning or an error, even if Minimum Severity leaves it out of the findings. */
	healthy: boolean;
	/** One line, ready for a message. */
	summary: string;
	/** The most severe first. */
	findings: Finding[];
	kind: string | null;
	setup: Setup;
	status: string | null;
	/** Whether all, some or none of the DNS could be checked; null if it was not. */
	dns: DomainCheck['status'] | null;
	/** Whole days since it was added; null if unknown. */
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
	/** Results of the DNS check of domains, by the ID of the identity. */
	dns?: ReadonlyMap<string, DomainCheck>;
}

/** Among equally severe findings, the summary shows the first: a record to change comes before its consequence. */
const AUDIT_RULES = [...DNS_RULES, ...STATUS_RULES];

/** Follows "no problem found" if not everything could be checked. */
const UNSEEN: Readonly<Record<DomainCheck['status'], string>> = {
	checked: '',
	partly: ', but not all of its DNS could be checked',
	unknown: ', but its DNS could not be checked',
};

const rankOf = ({ severity }: Finding): number => SEVERITIES.indexOf(severity);

/**
 * Audits the identities. Takes time in proportion to their number.
 *
 * @param identities all of the account, because addresses are compared with their domains
 * @returns one result for each identity, the worst first: errors, warnings, information, nothing found
 */
export function auditResults(
	identities: readonly Identity[],
	{ staleAfterDays, minimumSeverity, now, dns = new Map() }: AuditOptions,
): AuditResult[] {
	const findDomain = domainLookup(identities);
	const results = identities.map((identity) => {
		const { id, value, kind, status, createdAt } = identity;
		const setup = setupOf(identity, findDomain);
		const check = dns.get(id);
		const context = {
			...{ setup, staleAfterDays, age: ageOf(identity, now), dns: check },
			domainIdentity: setup === 'addressOfDomain' ? findDomain(identity) : undefined,
		};
		const found: Finding[] = AUDIT_RULES.filter(({ setups }) => setups.includes(setup))
			.flatMap(({ code, severity, find }) =>
				find(identity, context).map((occurrence) => ({ code, severity, ...occurrence })),
			)
			.sort((one, other) => rankOf(other) - rankOf(one));
		const problems = found.filter(({ severity }) => severity !== 'info');
		const result: AuditResult = {
			value,
			healthy: problems.length === 0,
			summary: summarise(value ?? id, problems, check),
			findings: found.filter((one) => rankOf(one) >= SEVERITIES.indexOf(minimumSeverity)),
			kind,
			setup,
			status,
			dns: check?.status ?? null,
			ageInDays: daysSince(createdAt, now) ?? null,
			createdAt,
			id,
		};
		return { result, worst: found[0] ? rankOf(found[0]) : -1 };
	});
	return results.sort((one, other) => other.worst - one.worst).map(({ result }) => result);
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

/** Some services never change `updatedAt`, so one that equals `createdAt` is not used. */
function ageOf({ createdAt, updatedAt }: Identity, now: number): Age | undefined {
	const added = daysSince(createdAt, now);
	const changed = daysSince(updatedAt, now);
	if (changed !== undefined && updatedAt !== createdAt) return { since: 'changed', days: changed };
	return added === undefined ? undefined : { since: 'added', days: added };
}

function daysSince(time: string | null, now: number): number | undefined {
	const moment = Date.parse(time ?? '');
	const days = (now - moment) / (24 * 60 * 60 * 1000);
	return Number.isNaN(moment) ? undefined : Math.max(0, Math.floor(days));
}

import { isObject, type Entry } from '../../api/data/json';
import { isDomainIdentity, toListedDnsRecord, type Identity } from '../../api/data/resources';
import {
	checkDomains,
	type DomainCheck,
	type DomainToCheck,
	type RequiredRecord,
	toDomainName,
	toRequiredRecord,
} from '../../../../lib/dns';
import { askDns } from '../../shared/reading/dnsAccess';
import { readDnsResolvers } from '../../shared/editor/fields';
import { toMessage, type Finding } from '../findings';
import type { Item } from '../operation';
import { DNS_MESSAGES, toTexts } from './dnsMessages';

/** Limits the queries for one domain. No provider needs more records. */
const MAX_LISTED_RECORDS = 50;

/** Some services list a revoked key with the note that it can be removed. */
const NOT_WANTED = /\b(?:revoked|remove)\b/i;

/** The problems in the DNS of a domain. */
export interface DnsFindings {
	/** `partly` if the DNS did not answer some queries, `unknown` if it answered none. */
	status: DomainCheck['status'];
	/** In the order of the messages. */
	findings: Finding[];
}

/**
 * Checks the DNS of all domain identities. Addresses are not checked, because their domain is a separate identity or belongs
 * to someone else.
 *
 * @returns by the ID of the identity
 */
export async function auditDns(
	{ context, maxConcurrentRequests }: Item,
	identities: readonly Identity[],
	resolvers: string,
): Promise<Map<string, DnsFindings>> {
	const ids: string[] = [];
	const domains: DomainToCheck[] = [];
	for (const identity of identities) {
		if (!isDomainIdentity(identity)) continue;
		const domain = toDomainToCheck(identity);
		if (domain === undefined) continue;
		ids.push(identity.id);
		domains.push(domain);
	}
	const resolver = askDns(context, {
		addresses: readDnsResolvers(resolvers),
		limits: { maxConcurrentQuestions: maxConcurrentRequests },
	});
	const checks = await checkDomains(resolver, domains, context.getExecutionCancelSignal());
	const findings = new Map<string, DnsFindings>();
	for (const [index, id] of ids.entries()) {
		const check = checks[index];
		if (check) findings.set(id, toDnsFindings(check));
	}
	return findings;
}

/** @returns undefined if the identity's value is not a domain name */
export function toDomainToCheck(identity: Identity): DomainToCheck | undefined {
	const name = toDomainName((identity.value ?? '').replace(/^@/, ''));
	if (name === undefined) return undefined;
	const required: RequiredRecord[] = [];
	for (const entry of listedRecords(identity).slice(0, MAX_LISTED_RECORDS)) {
		const listed = toListedDnsRecord(entry);
		if (NOT_WANTED.test(listed.note ?? '')) continue;
		const record = toRequiredRecord(listed, name);
		if (record) required.push(record);
	}
	return { name, receives: identity.incomingDomain, required };
}

function listedRecords({ dnsRecords }: Identity): Entry[] {
	if (!Array.isArray(dnsRecords)) return [];
	return dnsRecords.filter(isObject);
}

/** The findings of a domain, in the order of the messages. */
export function toDnsFindings({ status, problems }: DomainCheck): DnsFindings {
	const findings: Finding[] = [];
	for (const [code, { severity, sentences }] of Object.entries(DNS_MESSAGES)) {
		const found = problems.filter((problem) => problem.code === code);
		for (const problem of found) {
			const message = toMessage(sentences(toTexts(problem)));
			const finding: Finding = { code, severity, message };
			if (problem.record) finding.record = problem.record;
			findings.push(finding);
		}
	}
	return { status, findings };
}

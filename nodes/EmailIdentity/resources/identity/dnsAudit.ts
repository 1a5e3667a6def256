import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../api/json';
import { toListedDnsRecord, type Identity, type ListedDnsRecord } from '../../api/resources';
import type { Entry } from '../../api/types';
import { checkDomains, type DomainCheck } from '../../dns/audit';
import { toRequiredRecord, type DomainToCheck, type WrittenRecord } from '../../dns/audit/required';
import { toDomainName } from '../../dns/names';
import { askDns } from '../../shared/dnsRequests';
import { readDnsResolvers } from '../../shared/dnsResolver';
import { isDomain } from '../../shared/identities';

/** No provider wants more. A domain costs a bounded number of questions, whatever a service lists. */
const MAX_RECORDS = 50;

/** Some services group their records in lists of lists. */
const MAX_DEPTH = 3;

/** Some services go on listing a revoked key, to say that it can be removed. */
const NOT_WANTED = /\b(?:revoked|remove)\b/i;

/**
 * Checks the DNS of all domain identities. Addresses are left out: the domain of an address is an identity of its own, or
 * belongs to somebody else.
 *
 * @param identities all of the account
 * @param resolvers what the field DNS Resolver holds
 * @param maxConcurrentQuestions how many questions may be under way at a time
 * @returns by the ID of the identity; of those that are not in it, nothing was asked
 */
export async function auditDns(
	context: IExecuteFunctions,
	identities: readonly Identity[],
	resolvers: string,
	maxConcurrentQuestions: number,
): Promise<Map<string, DomainCheck>> {
	const domains = identities.filter(isDomain).flatMap((identity) => {
		const domain = toDomainToCheck(identity);
		return domain === undefined ? [] : [{ id: identity.id, domain }];
	});
	const resolver = askDns(context, {
		addresses: readDnsResolvers(resolvers),
		maxConcurrentQuestions,
	});
	const checks = await checkDomains(
		resolver,
		domains.map(({ domain }) => domain),
		context.getExecutionCancelSignal(),
	);
	return new Map(domains.map(({ id }, index) => [id, checks[index]!]));
}

/** @returns undefined where the value of the identity is no name that the DNS can be asked for */
export function toDomainToCheck({
	value,
	incomingDomain,
	dnsRecords,
}: Identity): DomainToCheck | undefined {
	const name = toDomainName(value ?? '');
	if (name === undefined) return undefined;
	const required = listedRecords(dnsRecords, MAX_DEPTH)
		.slice(0, MAX_RECORDS)
		.filter(({ note }) => !NOT_WANTED.test(note ?? ''))
		.map((record: WrittenRecord) => toRequiredRecord(record, name))
		.filter((record) => record !== undefined);
	return { name, receives: incomingDomain, required };
}

/** Records as a list, in groups, by name, or a single one; the rest cannot be compared with anything. */
function listedRecords(listed: unknown, depth: number): ListedDnsRecord[] {
	if (depth === 0 || typeof listed !== 'object' || listed === null) return [];
	if (isObject(listed)) {
		const record = toListedDnsRecord(listed as Entry);
		if (record.type !== null && record.value !== null) return [record];
	}
	return Object.values(listed).flatMap((entry) => listedRecords(entry, depth - 1));
}

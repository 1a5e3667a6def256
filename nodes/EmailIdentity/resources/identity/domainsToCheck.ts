import { isObject } from '../../api/json';
import { toListedDnsRecord } from '../../api/resources';
import type { Entry, Identity, ListedDnsRecord } from '../../api/types';
import {
	toRequiredRecord,
	type DomainToCheck,
	type WrittenRecord,
} from '../../dns/domain/requiredRecord';
import { toDomainName } from '../../dns/domainName';
import { isDomain } from '../../shared/identityKinds';

/** More than any provider wants: a domain costs a bounded number of questions, whatever a service lists. */
const MOST_RECORDS = 50;

/** How deep lists stand in each other where a service groups its records. */
const DEEPEST = 3;

/** Some services go on listing a key that was revoked, to say that it can be removed. */
const NOT_WANTED = /\b(?:revoked|remove)\b/i;

/** The domains of an account whose DNS can be looked at, each with the ID of its identity. */
export function domainsToCheck(
	identities: readonly Identity[],
): Array<{ id: string; domain: DomainToCheck }> {
	return identities.filter(isDomain).flatMap((identity) => {
		const domain = toDomainToCheck(identity);
		return domain === undefined ? [] : [{ id: identity.id, domain }];
	});
}

/**
 * What is to be looked for in the DNS of a domain identity.
 *
 * @returns undefined where its value is no name that can be asked for
 */
export function toDomainToCheck({
	value,
	incomingDomain,
	dnsRecords,
}: Identity): DomainToCheck | undefined {
	const name = toDomainName(value ?? '');
	if (name === undefined) return undefined;
	const required = listedRecords(dnsRecords, DEEPEST)
		.slice(0, MOST_RECORDS)
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

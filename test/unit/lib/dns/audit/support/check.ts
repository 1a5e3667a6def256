import { checkDomain, type DomainCheck } from '../../../../../../lib/dns/audit/auditDomain';
import type { DnsResolver } from '../../../../../../lib/dns/resolver/httpsResolver';
import { toDomainToCheck } from '../../../../../../nodes/EmailIdentity/operations/identity/dnsFindings';
import { domain } from '../../../../operations/identity/support/identities';
import type { Identity } from '../../../../../../nodes/EmailIdentity/api/data/resources';

/** Looks at the DNS of a domain identity. */
export async function check(
	resolver: DnsResolver,
	identity: Partial<Identity>,
): Promise<DomainCheck> {
	const toCheck = toDomainToCheck(domain({ value: 'example.com', dnsRecords: null, ...identity }));
	if (toCheck === undefined) throw new Error('This is no domain.');
	return await checkDomain(resolver, toCheck);
}

/** The codes of what was found, each with the name below example.com that it is about. */
export const codesOf = ({ problems }: DomainCheck): string[] =>
	problems.map(({ code, record }) =>
		`${code} ${record?.name ?? ''}`.replace(/[ .]example\.com$| $/, ''),
	);

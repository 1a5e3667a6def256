import { checkDomain, type DomainCheck } from '../../../../nodes/EmailIdentity/dns/audit';
import type { DnsResolver } from '../../../../nodes/EmailIdentity/dns/resolver';
import { toDomainToCheck } from '../../../../nodes/EmailIdentity/resources/identity/dnsAudit';
import { domain } from '../../resources/identity/identities';
import type { Identity } from '../../../../nodes/EmailIdentity/api/resources';

/** Looks at the DNS of a domain identity. */
export async function check(
	resolver: DnsResolver,
	identity: Partial<Identity>,
): Promise<DomainCheck> {
	const toCheck = toDomainToCheck(domain({ value: 'example.com', dnsRecords: null, ...identity }));
	if (toCheck === undefined) throw new Error('This is no domain.');
	return await checkDomain(resolver, toCheck);
}

/** The codes of what was found, each with the name that it is about. */
export const codesOf = ({ problems }: DomainCheck): string[] =>
	problems.map(({ code, record }) => [code, record?.name].filter(Boolean).join(' '));

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Identity } from '../../api/types';
import type { DomainCheck } from '../../dns/domain/domainCheck';
import { checkDomains } from '../../dns/domain/domainChecks';
import { createDnsResolver } from '../../dns/httpsResolver';
import { readDnsResolvers } from '../../dns/resolverField';
import { domainsToCheck } from './domainsToCheck';

/**
 * Looks at the DNS of all domain identities. The DNS of addresses is not asked: of one that hangs on a domain of the account,
 * that domain is looked at; every other domain is somebody else's.
 *
 * @param identities all of the account
 * @param resolvers what the field DNS Resolver holds
 * @returns by the ID of the identity; of those that are not in it, nothing was asked
 */
export async function auditDns(
	context: IExecuteFunctions,
	identities: readonly Identity[],
	resolvers: string,
): Promise<Map<string, DomainCheck>> {
	const domains = domainsToCheck(identities);
	const resolver = createDnsResolver(context, { addresses: readDnsResolvers(resolvers) });
	const checks = await checkDomains(
		resolver,
		domains.map(({ domain }) => domain),
		context.getExecutionCancelSignal(),
	);
	return new Map(domains.map(({ id }, index) => [id, checks[index]!]));
}

import type { DnsResolver } from '../resolver';
import { checkDomain, type DomainCheck } from './domainCheck';
import type { DomainToCheck } from './requiredRecord';

/** How many domains are looked at side by side; how many questions are under way is the resolver's own bound. */
const SIDE_BY_SIDE = 50;

/** After so many domains of which nothing could be learnt, and none of which something was, the rest is let be. */
const PATIENCE = 10;

const NOT_ASKED: DomainCheck = {
	status: 'unknown',
	problems: [
		{
			code: 'dnsUnknown',
			record: null,
			reason: 'nothing was answered about the domains before it',
		},
	],
};

/**
 * Looks at the DNS of many domains, several at a time. Where nothing at all is answered, it ends early.
 *
 * @param signal ends it before the next domain
 * @returns a check for each domain, in their order
 * @throws what the signal was ended with
 */
export async function checkDomains(
	resolver: DnsResolver,
	domains: readonly DomainToCheck[],
	signal?: AbortSignal,
): Promise<DomainCheck[]> {
	const checks = new Array<DomainCheck>(domains.length);
	const queue = domains.entries();
	let unknown = 0;
	let isAnswered = false;

	const worker = async (): Promise<void> => {
		for (const [index, domain] of queue) {
			signal?.throwIfAborted();
			const isHopeless = !isAnswered && unknown >= PATIENCE;
			const check = isHopeless ? NOT_ASKED : await checkDomain(resolver, domain);
			checks[index] = check;
			if (check.status === 'unknown') unknown++;
			else isAnswered = true;
		}
	};
	await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, domains.length) }, worker));
	return checks;
}

import { parseTagList } from 'mailauth/lib/parse-dkim-headers';

import { isDmarc, readPolicy } from '../domain/dmarcRecord';
import type { DnsAnswer, DnsResolver } from '../resolver';
import type { DmarcPolicy } from './authentication';
import { organizationalDomain } from './domains';

/** What a domain asks of those who receive mail that says it is from it. */
export interface PublishedPolicy {
	policy: DmarcPolicy | null;
	/** How a signature's domain has to match (adkim=). */
	alignment: 'relaxed' | 'strict';
}

const NOT_PUBLISHED: PublishedPolicy = { policy: null, alignment: 'relaxed' };

/** The library's time grows with the square of their number. */
const BLANKS = /\s+/g;

/** A record has some hundred characters. */
const LONGEST_RECORD = 5000;

/**
 * Asks for a domain's policy: its own record, else that of its organization (RFC 7489, 6.6.3).
 *
 * @param domain of From, in ASCII
 * @returns undefined where the DNS could not be asked, so that it is not known
 */
export async function askForPolicy(
	domain: string,
	resolver: DnsResolver,
): Promise<PublishedPolicy | undefined> {
	const own = readRecord(await resolver.ask(`_dmarc.${domain}`, 'TXT'));
	if (own === 'unknown') return undefined;
	if (own !== null) return toPolicy(own, own.p);
	const organization = organizationalDomain(domain);
	if (organization === null || organization === domain) return NOT_PUBLISHED;
	const above = readRecord(await resolver.ask(`_dmarc.${organization}`, 'TXT'));
	if (above === 'unknown') return undefined;
	return above === null ? NOT_PUBLISHED : toPolicy(above, above.sp ?? above.p);
}

type Tags = Partial<Record<'adkim' | 'p' | 'rua' | 'sp', string>>;

/** Several records are none (RFC 7489, 6.6.3). */
function readRecord(answer: DnsAnswer<'TXT'>): Tags | 'unknown' | null {
	if (answer.status === 'serverFailure' || answer.status === 'unreachable') return 'unknown';
	if (answer.status !== 'found') return null;
	// Some receivers pass over blanks before it, others do not take it: an audit says so, here it counts.
	const [record, another] = answer.records.filter((text) => isDmarc(text.trimStart()));
	if (record === undefined || another !== undefined || record.length > LONGEST_RECORD) return null;
	const { parsed } = parseTagList(record.replace(BLANKS, ' '));
	const tag = (name: string) => {
		const written = parsed[name]?.value;
		return written === undefined ? undefined : String(written).toLowerCase();
	};
	return { adkim: tag('adkim'), p: tag('p'), rua: tag('rua'), sp: tag('sp') };
}

/** A policy that is none of the three counts as `none`, where somebody wants reports; otherwise as no record. */
function toPolicy({ adkim, rua }: Tags, written: string | undefined): PublishedPolicy {
	const alignment = adkim === 's' ? 'strict' : 'relaxed';
	const policy = readPolicy(written);
	if (policy !== undefined) return { policy, alignment };
	return rua === undefined ? NOT_PUBLISHED : { policy: 'none', alignment };
}

import { organizationalDomain } from '../names';
import { isDmarc, readPolicy, readTagList, type DmarcPolicy } from '../records';
import type { DnsAnswer, DnsResolver } from '../resolver/types';
import type { SignatureReason } from './reasons';

/** The record that holds a signature's key, or why there is none to be had. */
export type Key =
	| { record: string }
	| { missing: Extract<SignatureReason, 'dnsFailed' | 'keyMalformed' | 'keyRevoked' | 'noKey'> };

/** The longest key that is checked at all, of 16384 bits, has 2800 characters; a stranger's record may have any length. */
const MAX_KEY_RECORD = 8000;

/** More are not looked at to find the key among them. */
const MAX_KEY_RECORDS = 20;

const MAX_POLICY_RECORD = 5000;

const BLANKS = /\s+/g;

/** Under which name a signature's key is in the DNS (RFC 6376, 3.6.2.1). */
export const keyName = ({ domain, selector }: { domain: string; selector: string }) =>
	`${selector}._domainkey.${domain}`.toLowerCase();

/** Asks for the keys of these names, each once, all at the same time. */
export async function askForKeys(
	names: readonly string[],
	resolver: DnsResolver,
): Promise<ReadonlyMap<string, Key>> {
	const asked = [...new Set(names)].map(async (name): Promise<[string, Key]> => [
		name,
		await askForKey(name, resolver),
	]);
	return new Map(await Promise.all(asked));
}

/** A name may hold one key (RFC 6376, 3.6.2.2), beside records that are none, as a wildcard leaves them. */
async function askForKey(name: string, resolver: DnsResolver): Promise<Key> {
	const answer = await resolver.ask(name, 'TXT');
	if (answer.status === 'noData' || answer.status === 'noSuchName') return { missing: 'noKey' };
	if (answer.status !== 'found') return { missing: 'dnsFailed' };
	const records = answer.records.slice(0, MAX_KEY_RECORDS);
	if (records.some((record) => record.length > MAX_KEY_RECORD)) return { missing: 'keyMalformed' };
	const keys = records.filter((record) => publicKeyOf(record) !== undefined);
	const [record, another] = keys;
	if (record === undefined || another !== undefined) return { missing: 'keyMalformed' };
	return publicKeyOf(record) === '' ? { missing: 'keyRevoked' } : { record };
}

const publicKeyOf = (record: string): string | undefined =>
	readTagList(record).tags.get('p')?.replace(BLANKS, '');

/** What a domain asks of those who receive mail that says it is from it. */
export interface PublishedPolicy {
	/** Null where it asks nothing. */
	policy: DmarcPolicy | null;
	/** How a signature's domain has to match (adkim=). */
	alignment: 'relaxed' | 'strict';
}

const NOT_PUBLISHED: PublishedPolicy = { policy: null, alignment: 'relaxed' };

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
	if (own !== null) return toPolicy(own, own.get('p'));
	const organization = organizationalDomain(domain);
	if (organization === null || organization === domain) return NOT_PUBLISHED;
	const above = readRecord(await resolver.ask(`_dmarc.${organization}`, 'TXT'));
	if (above === 'unknown') return undefined;
	return above === null ? NOT_PUBLISHED : toPolicy(above, above.get('sp') ?? above.get('p'));
}

/** Several records are none (RFC 7489, 6.6.3). */
function readRecord(answer: DnsAnswer<'TXT'>): ReadonlyMap<string, string> | 'unknown' | null {
	if (answer.status === 'serverFailure' || answer.status === 'unreachable') return 'unknown';
	if (answer.status !== 'found') return null;
	// Some receivers pass over blanks before it, others do not take it: an audit says so, here it counts.
	const [record, another] = answer.records.filter((text) => isDmarc(text.trimStart()));
	if (record === undefined || another !== undefined || record.length > MAX_POLICY_RECORD)
		return null;
	return readTagList(record).tags;
}

/** A policy that is none of the three counts as `none`, where somebody wants reports; otherwise as no record. */
function toPolicy(tags: ReadonlyMap<string, string>, written: string | undefined): PublishedPolicy {
	const alignment = tags.get('adkim')?.toLowerCase() === 's' ? 'strict' : 'relaxed';
	const policy = readPolicy(written);
	if (policy !== undefined) return { policy, alignment };
	return tags.has('rua') ? { policy: 'none', alignment } : NOT_PUBLISHED;
}

import { parseTagList } from 'mailauth/lib/parse-dkim-headers';

import type { DnsResolver } from '../resolver';
import type { SignatureReason } from './reasons';

/** The record that holds a signature's key, or why there is none to be had. */
export type Key =
	| { record: string }
	| { missing: Extract<SignatureReason, 'dnsFailed' | 'keyMalformed' | 'keyRevoked' | 'noKey'> };

/** The longest key that is checked at all, of 16384 bits, has 2800 characters; others may point here to anything. */
const LONGEST_RECORD = 8000;

/** More are not looked at to find the key among them. */
const MOST_RECORDS = 20;

const BLANKS = /\s+/g;

/** Under which name a signature's key is in the DNS (RFC 6376, 3.6.2.1). */
export const keyName = ({ domain, selector }: { domain: string; selector: string }) =>
	`${selector}._domainkey.${domain}`.toLowerCase();

/**
 * Asks for keys, each name once, all at the same time.
 *
 * @param names see `keyName`
 */
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
	const records = answer.records.slice(0, MOST_RECORDS);
	if (records.some((record) => record.length > LONGEST_RECORD)) return { missing: 'keyMalformed' };
	const keys = records.filter((record) => publicKeyOf(record) !== undefined);
	const [record, another] = keys;
	if (record === undefined || another !== undefined) return { missing: 'keyMalformed' };
	return publicKeyOf(record) === '' ? { missing: 'keyRevoked' } : { record };
}

/** What p= says; `''` where the key was revoked. Blanks mean nothing there, and the library’s time grows with their square. */
function publicKeyOf(record: string): string | undefined {
	const written = parseTagList(record.replace(BLANKS, ''), { strict: true }).parsed.p?.value;
	return written === undefined ? undefined : String(written);
}

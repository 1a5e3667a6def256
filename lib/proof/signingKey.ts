import type { KeyObject } from 'crypto';

import { type DkimKey, type DnsResolver, readDkimKey, readTagList } from '../dns';
import type { Signature } from './dkimSignatures';
import { PROOF_LIMITS } from './limits';
import type { SignatureReason } from './reasons';

/** The key of a signature, or why the signature does not pass. */
export type SigningKey = { publicKey: KeyObject } | { flaw: SignatureReason };

const KEY_FLAWS: Record<NonNullable<DkimKey['flaw']>, SignatureReason> = {
	malformed: 'keyMalformed',
	otherPurpose: 'keyNotForThis',
	revoked: 'keyRevoked',
	tooShort: 'weakKey',
};

/** Asks the DNS, unless the signature cannot pass with any key. */
export async function lookUpKey(signature: Signature, resolver: DnsResolver): Promise<SigningKey> {
	const { flaw, domain, selector } = signature;
	if (flaw !== null) return { flaw };
	const answer = await resolver.ask(`${selector}._domainkey.${domain}`, 'TXT');
	if (answer.status === 'failed') return { flaw: 'dnsFailed' };
	if (answer.status !== 'found') return { flaw: 'noKey' };
	return findKey(answer.records, signature);
}

/** A name may have one key (RFC 6376, 3.6.2.2), and other records, such as those of a wildcard. */
function findKey(
	records: readonly string[],
	{ algorithm, domain, identity }: Signature,
): SigningKey {
	const [record, another] = records.filter((one) => readTagList(one).tags.has('p'));
	const isReadable =
		record !== undefined && another === undefined && record.length <= PROOF_LIMITS.keyRecord;
	if (!isReadable) return { flaw: 'keyMalformed' };
	const { publicKey, kind, flaw, isTesting, isStrict } = readDkimKey(record);
	if (flaw !== undefined) return { flaw: KEY_FLAWS[flaw] };
	if (publicKey === undefined) return { flaw: 'keyMalformed' };
	if (algorithm !== `${kind}-sha256`) return { flaw: 'keyNotForThis' };
	if (isStrict && identity !== domain) return { flaw: 'identity' };
	if (isTesting) return { flaw: 'keyTested' };
	return { publicKey };
}

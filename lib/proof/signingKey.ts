import type { KeyObject } from 'crypto';

import { type DkimKey, type DnsResolver, readDkimKey, readTagList } from '../dns';
import type { Signature } from './dkimSignatures';
import { PROOF_LIMITS } from './proofLimits';
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
function findKey(records: readonly string[], signature: Signature): SigningKey {
	const [record, another] = records.filter((one) => readTagList(one).tags.has('p'));
	if (record === undefined || another !== undefined) return { flaw: 'keyMalformed' };
	if (record.length > PROOF_LIMITS.keyRecord) return { flaw: 'keyMalformed' };
	const key = readDkimKey(record);
	if (key.flaw !== undefined) return { flaw: KEY_FLAWS[key.flaw] };
	if (key.publicKey === undefined) return { flaw: 'keyMalformed' };
	if (signature.algorithm !== `${key.kind}-sha256`) return { flaw: 'keyNotForThis' };
	const isForOther = signature.identity !== signature.domain;
	if (key.isStrict && isForOther) return { flaw: 'identity' };
	if (key.isTesting) return { flaw: 'keyTested' };
	return { publicKey: key.publicKey };
}

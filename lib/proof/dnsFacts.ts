import {
	type Alignment,
	Dmarc,
	type DmarcPolicy,
	type DnsResolver,
	type PublicSuffixes,
} from '../dns';
import type { Claims } from './claims';
import type { Signature } from './dkimSignatures';
import { lookUpKey, type SigningKey } from './signingKey';

/** A signature with what the DNS says of it. */
export interface SignatureWithKey {
	signature: Signature;
	key: SigningKey;
	/** Whether its domain may sign for that of From. */
	alignment: Alignment;
}

/** What the DNS says of the claims of an email. */
export interface DnsFacts {
	/** Of the domain of From; null for no policy, `unknown` if the DNS did not answer or there is no such domain. */
	policy: DmarcPolicy | 'unknown' | null;
	/** In the order of `Claims.signatures`. */
	signatures: SignatureWithKey[];
	/** Whether each of `Claims.reportedDomains` may sign for the domain of From. */
	reports: Alignment[];
}

/** Asks everything at the same time. */
export async function findDnsFacts(
	{ domain, signatures, reportedDomains }: Claims,
	resolver: DnsResolver,
	suffixes: PublicSuffixes,
): Promise<DnsFacts> {
	const dmarc = domain === null ? undefined : new Dmarc(domain, resolver, suffixes);
	const alignmentOf = async (signer: string): Promise<Alignment> =>
		dmarc === undefined ? 'notAligned' : await dmarc.alignmentOf(signer);
	const policyOf = async (): Promise<DnsFacts['policy']> =>
		dmarc === undefined ? 'unknown' : await dmarc.policy();
	const lookUp = async (signature: Signature): Promise<SignatureWithKey> => {
		const asked = [lookUpKey(signature, resolver), alignmentOf(signature.domain)] as const;
		const [key, alignment] = await Promise.all(asked);
		return { signature, key, alignment };
	};
	const [policy, withKeys, reports] = await Promise.all([
		policyOf(),
		Promise.all(signatures.map(lookUp)),
		Promise.all(reportedDomains.map(alignmentOf)),
	]);
	return { policy, signatures: withKeys, reports };
}

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
	const sender = domain === null ? NO_SENDER : new Dmarc(domain, resolver, suffixes);
	const lookUp = async (signature: Signature): Promise<SignatureWithKey> => {
		const [key, alignment] = await Promise.all([
			lookUpKey(signature, resolver),
			sender.alignmentOf(signature.domain),
		]);
		return { signature, key, alignment };
	};
	const [policy, withKeys, reports] = await Promise.all([
		sender.policy(),
		Promise.all(signatures.map(lookUp)),
		Promise.all(reportedDomains.map(async (signer) => await sender.alignmentOf(signer))),
	]);
	return { policy, signatures: withKeys, reports };
}

/** No domain may sign for an email whose From does not name exactly one. */
const NO_SENDER: Pick<Dmarc, 'alignmentOf' | 'policy'> = {
	alignmentOf: async () => await Promise.resolve('notAligned'),
	policy: async () => await Promise.resolve('unknown'),
};

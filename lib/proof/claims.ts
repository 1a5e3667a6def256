import type { EmailText } from '../email';
import type { PublicSuffixes } from '../dns';
import { withSingleSpaces } from './asSigned';
import { chooseSignatures, type Signature } from './dkimSignatures';
import { readReportedResults, type ReportedAuthentication } from './reportedResults';
import { readSenderDomain } from './senderDomain';

/** What an email says of its sender, before the DNS is asked. */
export interface Claims {
	/** With single spaces in its fields. */
	email: EmailText;
	/** The domain of From, in ASCII; null if there is not exactly one plainly written address. */
	domain: string | null;
	/** Those that are checked. */
	signatures: Signature[];
	/** Those of the organization in From. */
	ownSignatures: Signature[];
	/** Null if no server reported anything. */
	reported: ReportedAuthentication | null;
	/** The domains that a trusted server reported as proved; empty if that does not count. */
	reportedDomains: string[];
	/** Whether a signature or a report is of the organization in From. */
	mayProveSender: boolean;
}

/** @param trustedServers see `SenderCheckOptions` */
export function readClaims(
	written: EmailText,
	trustedServers: readonly string[],
	suffixes: PublicSuffixes,
): Claims {
	const email = withSingleSpaces(written);
	const { fields } = email;
	const domain = readSenderDomain(fields);
	const isOwn = (signer: string): boolean => suffixes.isSameOrganization(signer, domain);

	const { signatures, isComplete } = chooseSignatures(fields, domain, suffixes);
	const ownSignatures = signatures.filter((signature) => isOwn(signature.domain));
	const { reported, proved } = readReportedResults(fields, trustedServers, domain, suffixes);
	// The server may have meant any signature of the organization, also one that is not aligned by our reading of DMARC, and
	// others can add any number of them: so each must be sound.
	const isEachSound = isComplete && ownSignatures.every(({ isSound }) => isSound);
	const reportedDomains = isEachSound ? proved : [];
	const mayProveSender = ownSignatures.length > 0 || reportedDomains.some(isOwn);
	return { email, domain, signatures, ownSignatures, reported, reportedDomains, mayProveSender };
}

import type { DmarcPolicy } from '../dns';
import type { ReportedAuthentication } from './reportedResults';

/** What was found about one signature. */
export interface SignatureCheck {
	/** d=, in ASCII. */
	domain: string;
	selector: string;
	result: 'fail' | 'pass' | 'unknown';
	/** In a few words; null if it passed. */
	reason: string | null;
	/** Whether its domain may sign for that of From; false if the DNS did not answer. */
	aligned: boolean;
}

/** Whether the email comes from the domain in its From: `delivery.authentication`. */
export interface Authentication {
	/**
	 * `pass`: a valid signature is aligned with the domain of From; `fail`: there are signatures, but none passes and is
	 * aligned; `none`: the email is not signed; `unknown`: it could not be checked.
	 */
	result: 'fail' | 'none' | 'pass' | 'unknown';
	/** In a sentence; null if it passed. */
	reason: string | null;
	/** The domain of From, in ASCII; null if there is not exactly one. */
	domain: string | null;
	/** The names of the fields that a signature covers which proves the sender, each as often as it occurs. */
	signed: string[];
	/** Only with `pass`: whether the signature also covers how the content is read. */
	contentSigned?: boolean;
	signatures: SignatureCheck[];
	/** Null for no policy, `unknown` if the DNS did not answer. */
	policy: DmarcPolicy | 'unknown' | null;
	/** Null if no server reported anything. */
	reported: ReportedAuthentication | null;
}

/** Of an email that was not checked. */
export function notCheckedBecause(
	reason: string,
	result: 'fail' | 'unknown' = 'unknown',
): Authentication {
	return {
		result,
		reason,
		domain: null,
		signed: [],
		signatures: [],
		policy: 'unknown',
		reported: null,
	};
}

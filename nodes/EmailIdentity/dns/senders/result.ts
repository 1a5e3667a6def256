import type { DmarcPolicy } from '../dmarc';

export interface SignatureCheck {
	/** The domain that signed (d=), in ASCII. */
	domain: string;
	/** The name of its key (s=). */
	selector: string;
	/** Result of RFC 6376; unknown if the signature could not be checked. */
	result: 'fail' | 'pass' | 'unknown';
	/** Why it did not pass, in a few words; null if it did. */
	reason: string | null;
	/** Whether it is aligned with the domain of From (DMARC, RFC 7489 section 3.1.1). */
	aligned: boolean;
}

/** The results that a mail server added to the email (Authentication-Results, RFC 8601). */
export interface ReportedAuthentication {
	/** The name of the server (authserv-id). */
	server: string;
	/** Whether the user trusts the server; otherwise it does not count. */
	trusted: boolean;
	dkim: string | null;
	spf: string | null;
	dmarc: string | null;
}

/** Whether the email comes from the domain in its From: `delivery.authentication`. */
export interface Authentication {
	/**
	 * `pass`: a valid signature is aligned with the domain of From; `fail`: there are signatures, but none passes and is
	 * aligned; `none`: the email is not signed; `unknown`: it could not be checked.
	 */
	result: 'fail' | 'none' | 'pass' | 'unknown';
	/** Why it is not `pass`, in a sentence; null if it is. */
	reason: string | null;
	/** The domain of From, in ASCII; null if there is not exactly one. */
	domain: string | null;
	signatures: SignatureCheck[];
	/** How the domain wants receivers to handle forged mail (DMARC); null for no policy, `unknown` if the DNS did not answer. */
	policy: DmarcPolicy | 'unknown' | null;
	/** The topmost Authentication-Results; null if there is none. */
	reported: ReportedAuthentication | null;
}

export interface SenderCheck {
	authentication: Authentication;
	/** Whether the result is `unknown` because the DNS did not answer, so another attempt may succeed. */
	retryable: boolean;
	/** Whether a signature that proves the sender covers Reply-To. */
	coversReplyTo?: true;
	/** The reason if `retryable`. Contains hosts of resolvers, but nothing from an email. */
	because?: string;
}

/** Why a signature does not pass. Contains nothing from an email. */
export const SIGNATURE_REASONS = {
	bodyChanged: 'the content was changed after signing, or the signature is from another email',
	bodyPartly: 'it covers only part of the content (l=)',
	doubledField: 'a header field that may appear once, such as the subject, appears again unsigned',
	expired: 'it has expired',
	fromNotSigned: 'it does not cover From',
	future: 'it is dated in the future',
	headerChanged: 'the header was changed after signing, or the signature is forged',
	identity: 'it signs for a domain other than its own (i=)',
	keyMalformed: 'its key in the DNS cannot be read',
	keyNotForThis: 'its key in the DNS is for another purpose',
	keyRevoked: 'its key was revoked',
	keyTested: 'its key is only being tested (t=y)',
	malformed: 'it does not follow the standard',
	noKey: 'its key is not in the DNS',
	subjectNotSigned: 'it does not cover the subject',
	tooMuchSigned: 'it covers header fields that are too long to check',
	weakAlgorithm: 'it uses SHA-1, which can be forged (RFC 8301)',
	weakKey: 'its key is shorter than 1024 bits and can be broken (RFC 8301)',

	// These cannot be checked.
	charactersLost:
		'characters it covers were lost before the email reached n8n (bytes that are not UTF-8)',
	dnsFailed: 'the DNS did not answer the query for its key',
} satisfies Record<string, string>;

export type SignatureReason = keyof typeof SIGNATURE_REASONS;

/** With these, the signature may be valid. */
export const OPEN_REASONS: ReadonlySet<SignatureReason> = new Set(['charactersLost', 'dnsFailed']);

/** Why the sender is not proved, for reasons other than signatures. */
export const EMAIL_REASONS = {
	alignmentUnknown:
		'The DNS did not answer whether a related domain may sign for the domain in From. Try again later.',
	ambiguousHeader: 'The header is malformed, so it is not certain what was signed.',
	fault: 'The check failed because of a fault in this node, not in the email. Please report it.',
	longHeader: 'The header of the email is too long to check.',
	longLine: 'The email has a line that is too long to check.',
	missing: 'The raw email is missing, so there is nothing to check.',
	noSender: 'From does not contain exactly one plainly written address.',
	notAligned: 'The email is signed, but not by the domain in From.',
	notSigned: 'The email is not signed.',
	readTwoWays: 'The meaning of the email depends on whitespace that the signature does not cover.',
} satisfies Record<string, string>;

export type EmailReason = keyof typeof EMAIL_REASONS;
